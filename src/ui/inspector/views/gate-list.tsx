import type { JSX } from "react";
import { client } from "../../../timeline/client.ts";
import { shortTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import { fieldDiff } from "../diff.ts";
import { DiffView } from "../diff-view.tsx";
import styles from "../inspector.module.css";
import { useAsked } from "../../widgets/use-asked.ts";
import type { GateNote, RequestGates } from "./gates.ts";
import { fields, text } from "./view.ts";

const MARKS: Readonly<Record<string, string>> = { passed: "✓", changed: "±", refused: "✕" };

interface Props {
  readonly request: RequestGates;
  /** The API server's own name, which each sentence begins with. */
  readonly server: string;
}

function Gate({ gate, data, server }: { readonly gate: GateNote; readonly data: unknown; readonly server: string }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const outcome = text(fields(data)["outcome"]);
  const name = gate.name || text(fields(data)["gate"]);
  const { before, after } = fields(data);
  const changed = outcome === "changed" || (before !== undefined && after !== undefined) ? fieldDiff(before, after).length : 0;
  return (
    <li data-outcome={outcome || undefined}>
      <div className={styles.gateHead}>
        <span className={outcome === "refused" ? styles.bad : styles.dim} aria-hidden="true">
          {MARKS[outcome] ?? "·"}
        </span>
        <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "note", id: gate.note })}>
          {name === "" ? "Gate" : name.replaceAll(/([a-z])([A-Z])/g, "$1 $2")}
        </button>
        <span className={outcome === "refused" ? styles.bad : outcome === "passed" ? styles.srOnly : styles.dim}>{outcome}</span>
        <span className={styles.took}>{gate.took === 0 ? "" : `+${shortTime(gate.took)}`}</span>
      </div>
      <p>{gate.text.replace(`${server} `, "")}</p>
      {changed > 0 && (
        <details>
          <summary>
            {changed} {changed === 1 ? "field" : "fields"} before and after
          </summary>
          <DiffView before={before} after={after} />
        </details>
      )}
    </li>
  );
}

/** A request's way through its gates: what each took, what it decided, and what it changed of the object. */
export function GateList({ request, server }: Props): JSX.Element {
  const run = useTimeline((state) => state.run?.id ?? "");
  const { gates, at } = request;
  const asked = useAsked(`${run}/${gates.map(({ note }) => note).join(",")}`, () => Promise.all(gates.map(({ note }) => client.noteData(note))));
  const last = gates.at(-1);
  return (
    <>
      <ol className={styles.gateList}>
        {gates.map((gate, i) => (
          <Gate key={gate.note} gate={gate} data={asked.value?.[i]} server={server} />
        ))}
      </ol>
      <p className={styles.hint}>
        {gates.length} gates, {shortTime(Math.max(0, (last?.at ?? at) - at))} from the request's arrival to the last of them{request.status > 0 ? `, answered with ${request.status}` : ""}.
      </p>
    </>
  );
}
