import { type JSX, useState } from "react";
import styles from "./inspector.module.css";

const MAX_CHILDREN = 200;

type Entry = readonly [name: string, value: unknown];

function entriesOf(value: object): Entry[] {
  return Array.isArray(value) ? value.map((item, i) => [String(i), item] as const) : Object.entries(value).filter(([, item]) => item !== undefined);
}

/** A closed branch in one line: "{name, image, 3 more}", "[12]". */
export function summary(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.length}]`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return "{}";
    const { name, metadata } = value as { name?: unknown; metadata?: { name?: unknown } };
    const own = typeof name === "string" ? name : typeof metadata?.name === "string" ? metadata.name : undefined;
    if (own !== undefined) return `{${own}}`;
    return `{${keys.slice(0, 3).join(", ")}${keys.length > 3 ? `, ${keys.length - 3} more` : ""}}`;
  }
  return scalar(value);
}

function scalar(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}

function Branch({ name, value, open }: { readonly name: string; readonly value: object; readonly open: boolean }): JSX.Element {
  const [shown, setShown] = useState(open);
  const entries = shown ? entriesOf(value) : [];
  return (
    <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)} className={styles.branch}>
      <summary>
        <span className={styles.key}>{name}</span> <span className={styles.dim}>{summary(value)}</span>
      </summary>
      <ul>
        {entries.slice(0, MAX_CHILDREN).map(([key, item]) => (
          <li key={key}>
            <Leaf name={key} value={item} open={false} />
          </li>
        ))}
        {entries.length > MAX_CHILDREN && <li className={styles.dim}>and {entries.length - MAX_CHILDREN} more</li>}
      </ul>
    </details>
  );
}

function Leaf({ name, value, open }: { readonly name: string; readonly value: unknown; readonly open: boolean }): JSX.Element {
  if (typeof value === "object" && value !== null && entriesOf(value).length > 0) return <Branch name={name} value={value} open={open} />;
  return (
    <span className={styles.leaf}>
      <span className={styles.key}>{name}</span> <span className={styles.value}>{summary(value)}</span>
    </span>
  );
}

/** Any plain data as a tree that opens branch by branch; children are made only when a branch is open. */
export function Tree({ name, value }: { readonly name: string; readonly value: unknown }): JSX.Element {
  return (
    <div className={styles.tree}>
      <Leaf name={name} value={value} open />
    </div>
  );
}
