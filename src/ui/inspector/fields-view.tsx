import { type JSX, useDeferredValue, useMemo, useState } from "react";
import { leavesOf, valueAt } from "../../trace/field-path.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { captionTime } from "../../timeline/format.ts";
import { StopButton } from "../widgets/stop-button.tsx";
import { mailOfNote } from "../widgets/trace-text.ts";
import { CausesView } from "./causes-view.tsx";
import { same } from "./diff.ts";
import styles from "./inspector.module.css";

/** Values longer than this cannot be a condition to stop at. */
const LONGEST = 80;
const FIRST = 60;

type Version = ReturnType<TraceIndex["versionsOf"]>[number];

interface Field {
  readonly path: string;
  readonly value: string;
  /** The version in which it got this value. */
  readonly version: Version;
}

const shown = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Every field with the version since which it has its value, the latest change first. */
function fieldsOf(versions: readonly Version[], at: number): Field[] {
  const latest = versions[at];
  if (!latest) return [];
  const fields = leavesOf(latest.revision.object).map(({ path, value }): Field => {
    let since = at;
    // A deleted object's successor by the same name began anew.
    while (since > 0 && versions[since - 1]?.revision.verb !== "delete" && same(valueAt(versions[since - 1]?.revision.object, path), value)) since--;
    return { path, value: shown(value), version: versions[since] ?? latest };
  });
  return fields.sort((a, b) => b.version.revision.revision - a.version.revision.revision);
}

function FieldRow({ index, field, reference }: { readonly index: TraceIndex; readonly field: Field; readonly reference: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  const { path, value, version } = field;
  const stops = value.length <= LONGEST && !value.includes("\n") && !/[\s!<>=]/.test(path);
  return (
    <li className={styles.field}>
      <span className={styles.fieldPath}>{path}</span>
      <span className={styles.fieldValue}>{value}</span>
      <span className={styles.dim}>{version.at < 0 ? "as the run began" : `since ${captionTime(version.at)}, revision ${version.revision.revision}`}</span>
      <span className={styles.fieldButtons}>
        <button type="button" className={styles.small} aria-expanded={open} disabled={version.note < 0} aria-label={`Why is ${path} ${value.slice(0, LONGEST)}?`} onClick={() => setOpen(!open)}>
          Why?
        </button>
        {stops && <StopButton className={styles.small} condition={`${reference} ${path} != ${value}`} />}
      </span>
      {open && <CausesView index={index} mail={mailOfNote(index.trace, version.note)} />}
    </li>
  );
}

/** Every field of an object at the playhead: its value, since when, why, and a breakpoint for when it changes. */
export function FieldsView({ index, objectKey, at, reference }: { readonly index: TraceIndex; readonly objectKey: string; readonly at: number; readonly reference: string }): JSX.Element {
  const [query, setQuery] = useState("");
  const [all, setAll] = useState(false);
  const wanted = useDeferredValue(query.trim().toLowerCase());
  const fields = useMemo(() => fieldsOf(index.versionsOf(objectKey), at), [index, objectKey, at]);
  const found = wanted === "" ? fields : fields.filter(({ path, value }) => `${path} ${value}`.toLowerCase().includes(wanted));
  return (
    <>
      <input type="search" className="field" aria-label="Find a field" placeholder="spec.nodeName, Ready, image…" value={query} onChange={(event) => setQuery(event.target.value)} />
      <ul className={styles.fields} aria-label="Fields, the latest change first">
        {(all ? found : found.slice(0, FIRST)).map((field) => (
          <FieldRow key={`${field.path}/${field.version.revision.revision}`} index={index} field={field} reference={reference} />
        ))}
      </ul>
      {!all && found.length > FIRST && (
        <button type="button" className={styles.small} onClick={() => setAll(true)}>
          {found.length - FIRST} more fields
        </button>
      )}
    </>
  );
}
