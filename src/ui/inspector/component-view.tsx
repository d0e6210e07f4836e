import { type JSX, useState } from "react";
import { componentText, sourceUrl } from "../../content/components.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { client } from "../../timeline/client.ts";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./inspector.module.css";
import { type Tab, Tabs } from "./tabs.tsx";
import { familyOf } from "../theme/components.ts";
import { LazyWaitsView } from "../widgets/lazy-waits-view.tsx";
import { StopButton } from "../widgets/stop-button.tsx";
import { shownAt } from "../widgets/trace-text.ts";
import { Tree } from "./tree.tsx";
import { useAsked } from "../widgets/use-asked.ts";
import { VIEWS } from "./views/registry.ts";
import type { ComponentViewSpec } from "./views/view.ts";

const LOG_TAIL = 60;
/** Components that keep waits. */
const WAITING = new Set(["kubelet", "scheduler", "controllers"]);

function Log({ index, component, now }: { readonly index: TraceIndex; readonly component: string; readonly now: number }): JSX.Element {
  const detail = useTimeline((state) => state.detail);
  const pin = useTimeline((state) => state.pin);
  const seekNote = useTimeline((state) => state.seekNote);
  const notes = index
    .notesUntil(component, now)
    .map((id) => index.trace.note(id))
    .filter((note) => note.text !== "" && (note.kind === "log" || shownAt(note.level, detail)))
    .slice(-LOG_TAIL)
    .reverse();
  if (notes.length === 0) return <p className={styles.hint}>It has said nothing yet at this detail level.</p>;
  return (
    <ol className={styles.log}>
      {notes.map((note) => {
        const log = note.kind === "log" ? index.trace.logs[index.trace.logNotes.indexOf(note.id)] : undefined;
        return (
          <li key={note.id} data-kind={note.kind}>
            <button
              type="button"
              className={styles.linkButton}
              onClick={() => {
                pin({ kind: "note", id: note.id });
                seekNote(note.id);
              }}
            >
              <span className={styles.time}>{captionTime(note.at)}</span> {log ? <code>{log.line}</code> : note.text}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

interface InsideProps {
  readonly index: TraceIndex;
  readonly component: string;
  readonly now: number;
  /** Without one the state is shown as a tree. */
  readonly view?: ComponentViewSpec | undefined;
}

/** What is inside a component at a time, asked from the worker while its tab is open. */
function Inside({ index, component, now, view }: InsideProps): JSX.Element {
  const run = useTimeline((state) => state.run?.id ?? "");
  const asked = useAsked(`${run}/${component}/${now}`, () => (view?.ask ? view.ask(now, component) : client.state(component, now)));
  if (asked.problem !== undefined) return <p className={styles.bad}>{asked.problem}</p>;
  if (asked.waiting) return <p className={styles.hint}>Looking inside…</p>;
  return view ? <view.View component={component} state={asked.value} index={index} now={now} /> : <Tree name={component} value={asked.value} />;
}

/** A component at the playhead: what it is, what is inside it now, and what it said lately. */
export function ComponentView({ index, component, now }: { readonly index: TraceIndex; readonly component: string; readonly now: number }): JSX.Element {
  const [tab, setTab] = useState("inside");
  const about = componentText(component);
  const view = VIEWS.find((one) => one.matches(component));
  const status = index.statusAt(component, now);

  const tabs: Tab[] = [];
  if (view) tabs.push({ id: "inside", title: view.title, content: () => <Inside key={`view/${component}`} index={index} component={component} now={now} view={view} /> });
  for (const { title, View } of view?.more ?? []) tabs.push({ id: title, title, content: () => <View key={title} /> });
  if (WAITING.has(familyOf(component))) tabs.push({ id: "waits", title: "Waits", content: () => <LazyWaitsView key={component} now={now} of={component} /> });
  tabs.push({ id: view ? "state" : "inside", title: view ? "State" : "Inside", content: () => <Inside key={`state/${component}`} index={index} component={component} now={now} /> });
  tabs.push({ id: "log", title: "Log", content: () => <Log index={index} component={component} now={now} /> });

  return (
    <>
      <h3 className={styles.title}>{component}</h3>
      {about && (
        <p className={styles.sentence}>
          {about.what}{" "}
          <a href={sourceUrl(about.source)} target="_blank" rel="noreferrer">
            Source
          </a>
        </p>
      )}
      {status !== "" && (
        <p className={styles.hint}>
          Now: <strong>{status}</strong>
        </p>
      )}
      <p className={styles.actions}>
        <StopButton label="Stop when it is asked" className={styles.small} condition={`* -> ${component}`} />
        <StopButton label="Stop when it asks" className={styles.small} condition={`${component} -> *`} />
      </p>
      <Tabs label={`Inside ${component}`} selected={tab} onSelect={setTab} tabs={tabs} />
    </>
  );
}
