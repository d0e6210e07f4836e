import type { JSX, ReactNode } from "react";
import styles from "../inspector.module.css";

/** Names and values of one thing. */
export function FactList({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): JSX.Element {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== "" && value !== null)
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface TableProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** Said instead of an empty table. */
  readonly none: string;
}

/** A titled table that scrolls sideways inside the panel. */
export function Table({ title, columns, rows, none }: TableProps): JSX.Element {
  return (
    <div className={styles.part}>
      <h4>
        {title} {rows.length > 0 && <span className={styles.dim}>{rows.length}</span>}
      </h4>
      {rows.length === 0 ? (
        <p className={styles.hint}>{none}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        <div className={styles.scroll} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                // Rows have no identity of their own: each is drawn anew for its time.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={i}>
                  {row.map((cell, column) => (
                    // oxlint-disable-next-line react/no-array-index-key
                    <td key={column}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
