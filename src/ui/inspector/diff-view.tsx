import type { JSX } from "react";
import { type Change, fieldDiff } from "./diff.ts";
import styles from "./inspector.module.css";
import { toYaml } from "./yaml.ts";

const MARKS = { added: "+", removed: "−", changed: "±" } as const;

function ValueText({ value }: { readonly value: unknown }): JSX.Element {
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) return <pre>{toYaml(value).trimEnd()}</pre>;
  return <code>{typeof value === "string" ? (value === "" ? '""' : value) : JSON.stringify(value)}</code>;
}

function Row({ change }: { readonly change: Change }): JSX.Element {
  return (
    <li className={styles[change.kind]}>
      <span className={styles.mark} aria-hidden="true">
        {MARKS[change.kind]}
      </span>
      <span className={styles.srOnly}>{change.kind} </span>
      <span className={styles.path}>{change.path === "" ? "whole object" : change.path}</span>
      <div className={styles.values}>
        {change.kind !== "added" && (
          <del>
            <ValueText value={change.before} />
          </del>
        )}
        {change.kind !== "removed" && (
          <ins>
            <ValueText value={change.after} />
          </ins>
        )}
      </div>
    </li>
  );
}

/** What differs between two versions, field by field; what is equal is left out. */
export function DiffView({ before, after, nothing = "Nothing differs." }: { readonly before: unknown; readonly after: unknown; readonly nothing?: string }): JSX.Element {
  if (before === undefined && after !== undefined) {
    return (
      <>
        <p className={styles.hint}>New: there was nothing before.</p>
        <ul className={styles.diff}>
          {Object.entries(after as Record<string, unknown>)
            .filter(([, value]) => value !== undefined)
            .map(([key, value]) => (
              <Row key={key} change={{ path: key, kind: "added", after: key === "metadata" ? withoutManagedFields(value) : value }} />
            ))}
        </ul>
      </>
    );
  }
  const changes = fieldDiff(before, after);
  if (changes.length === 0) return <p className={styles.hint}>{nothing}</p>;
  return (
    <ul className={styles.diff}>
      {changes.map((change) => (
        <Row key={change.path} change={change} />
      ))}
    </ul>
  );
}

function withoutManagedFields(metadata: unknown): unknown {
  const { managedFields: _managedFields, ...rest } = metadata as Record<string, unknown>;
  return rest;
}
