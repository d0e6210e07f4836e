import type { JSX } from "react";
import styles from "./inspector.module.css";
import { type Owner, ownedFields } from "./owners.ts";

const ownerText = ({ name, operation }: Owner): string => (operation === "" ? name : `${name} (${operation})`);

/** Which program has set which field last: what server-side apply decides conflicts by. */
export function OwnersView({ object }: { readonly object: unknown }): JSX.Element {
  const fields = ownedFields(object);
  if (fields.length === 0) return <p className={styles.hint}>Nobody has claimed a field of it.</p>;
  const managers = new Map<string, number>();
  for (const owner of fields.flatMap((field) => field.owners)) managers.set(ownerText(owner), (managers.get(ownerText(owner)) ?? 0) + 1);
  return (
    <>
      <p className={styles.hint}>{[...managers].map(([name, count]) => `${name}: ${count} ${count === 1 ? "field" : "fields"}`).join("; ")}.</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Set by</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ path, owners }) => (
              <tr key={path}>
                <td>
                  <code>{path}</code>
                </td>
                <td title={owners.map(({ time }) => time).filter((time) => time !== "").join(", ")}>
                  {owners.map(ownerText).join(", ")}
                  {owners.length > 1 && <span className={styles.dim}> (shared)</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
