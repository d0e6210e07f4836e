import { type JSX, useState } from "react";
import { isCommand } from "../../trace/command-output.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { client } from "../../timeline/client.ts";
import { clockTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { CausesView } from "./causes-view.tsx";
import { DataText, TextBlock } from "./data-text.tsx";
import { DecisionView } from "./decision-view.tsx";
import { isDecision } from "../../trace/decision.ts";
import { DiffView } from "./diff-view.tsx";
import { HopView } from "./hop-view.tsx";
import styles from "./inspector.module.css";
import { keyOfSubject } from "./object-key.ts";
import { type Tab, Tabs } from "./tabs.tsx";
import { StopButton } from "../widgets/stop-button.tsx";
import { mailOfNote, travels } from "../widgets/trace-text.ts";
import { useAsked } from "../widgets/use-asked.ts";
import { toJson } from "./yaml.ts";

interface Gate {
  readonly gate: string;
  readonly outcome: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isGate = (data: unknown): data is Gate => typeof data === "object" && data !== null && typeof (data as Partial<Gate>).gate === "string";

function GateDiff({ gate }: { readonly gate: Gate }): JSX.Element {
  const hasObjects = "before" in gate || "after" in gate;
  return (
    <>
      <p className={styles.hint}>
        Gate {gate.gate}: <strong>{gate.outcome}</strong>
      </p>
      {hasObjects && <DiffView before={gate.before} after={gate.after} nothing="The object passes unchanged." />}
    </>
  );
}

/** One sentence of the story: what is behind it, what it changed, and why it came about. */
export function NoteView({ index, note: id }: { readonly index: TraceIndex; readonly note: number }): JSX.Element {
  const [tab, setTab] = useState("details");
  const run = useTimeline((state) => state.run?.id ?? "");
  const pin = useTimeline((state) => state.pin);
  const asked = useAsked(`${run}/${id}`, () => client.noteData(id));
  const note = index.trace.note(id);
  const mail = mailOfNote(index.trace, id);
  const data = asked.value;
  const key = keyOfSubject(index, note.subject);
  const written = index.trace.revisionNotes.indexOf(id);

  if (note.kind === "step" && data === undefined && !asked.waiting && mail >= 0 && travels(index.trace.hop(mail))) return <HopView index={index} mail={mail} />;

  const tabs: Tab[] = [
    {
      id: "details",
      title: isDecision(data) ? "Decision" : isGate(data) || written >= 0 ? "Diff" : "Details",
      content: () => {
        if (isDecision(data)) return <DecisionView decision={data} />;
        if (isGate(data)) return <GateDiff gate={data} />;
        if (written >= 0) {
          const revision = index.trace.revisions[written];
          const versions = revision ? index.versionsOf(revision.key) : [];
          const at = versions.findIndex((version) => version.note === id);
          return <DiffView before={versions[at - 1]?.revision.object} after={revision?.object} />;
        }
        if (data !== undefined) return <DataText label="Details" value={data} />;
        return <p className={styles.hint}>{asked.waiting ? "Reading…" : "There are no further details."}</p>;
      },
    },
  ];
  if (mail >= 0) tabs.push({ id: "causes", title: "Causes", content: () => <CausesView index={index} mail={mail} /> });
  tabs.push({ id: "raw", title: "Raw", content: () => <TextBlock text={toJson({ ...note, data })} /> });

  return (
    <>
      <h3 className={styles.title}>{note.text}</h3>
      {note.why !== "" && <p className={styles.sentence}>{note.why}</p>}
      <dl className={styles.facts}>
        <dt>When</dt>
        <dd>{clockTime(note.at)}</dd>
        <dt>Who</dt>
        <dd>
          <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "component", id: note.component })}>
            {note.component}
          </button>
        </dd>
        {note.subject !== "" && !isCommand(note.subject) && (
          <>
            <dt>About</dt>
            <dd>
              {key === undefined ? (
                note.subject
              ) : (
                <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "object", key })}>
                  {note.subject}
                </button>
              )}
            </dd>
          </>
        )}
        {mail >= 0 && (
          <>
            <dt>Because of</dt>
            <dd>
              <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "hop", id: mail })}>
                the message behind it
              </button>
            </dd>
          </>
        )}
      </dl>
      {note.text !== "" && (
        <p className={styles.actions}>
          <StopButton label="Stop when it says so" className={styles.small} condition={`${note.component} says ${note.text}`} />
        </p>
      )}
      <Tabs label="About this step" selected={tab} onSelect={setTab} tabs={tabs} />
    </>
  );
}
