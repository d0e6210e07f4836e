import { type JSX, useMemo, useState } from "react";
import { chapterText } from "../../content/chapters.ts";
import { chapterName } from "../../timeline/chapter.ts";
import { subjectText } from "../../content/words.ts";
import { captionTime, clockTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { LazyWaitsView } from "../widgets/lazy-waits-view.tsx";
import { podText } from "./pods.ts";
import styles from "./text-view.module.css";

/** Rows of the table of steps that are drawn at a time. */
const PAGE = 100;

function Now({ index, now }: { readonly index: TraceIndex; readonly now: number }): JSX.Element {
  const steps = useTimeline((state) => state.steps);
  const stepIndex = useTimeline((state) => state.stepIndex);
  const detail = useTimeline((state) => state.detail);
  const chapter = useChapter();
  const title = useTimeline((state) => chapterText(chapter)?.title ?? state.chapters.find(({ number }) => number === chapter)?.title ?? "");
  const next = useTimeline((state) => state.next);
  const previous = useTimeline((state) => state.previous);
  const id = steps[Math.max(0, stepIndex)];
  const note = id === undefined ? undefined : index.trace.note(id);
  const inFlight = index.inFlight(now, detail).map((mail) => index.trace.hop(mail));
  return (
    <>
      <h3>Now</h3>
      <p>
        {clockTime(now)}
        , {chapterName(chapter).toLowerCase()}: {title}, step {stepIndex + 1} of {steps.length}.
      </p>
      {note && (
        <p>
          <strong>{note.text}</strong> {note.why}
        </p>
      )}
      <h4>On the way</h4>
      {inFlight.length === 0 ? (
        <p>Nothing is on its way.</p>
      ) : (
        <ul>
          {inFlight.map((hop) => (
            <li key={hop.id}>
              {hop.verb} {subjectText(hop.subject)} from {hop.from} to {hop.to} over {hop.protocol}, arrives in {shortTime(hop.dueAt - now)}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.buttons}>
        <button type="button" className="button" onClick={previous}>
          Previous step
        </button>
        <button type="button" className="button" onClick={next}>
          Next step
        </button>
      </p>
    </>
  );
}

function Components({ index, now }: { readonly index: TraceIndex; readonly now: number }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const rows = index.trace.components.map((component) => ({ component, status: index.statusAt(component, now) }));
  const busy = rows.filter((row) => row.status !== "" && !row.status.startsWith("idle"));
  const quiet = rows.filter((row) => !busy.includes(row));
  const row = ({ component, status }: { readonly component: string; readonly status: string }): JSX.Element => (
    <li key={component}>
      <button type="button" className={styles.link} onClick={() => pin({ kind: "component", id: component })}>
        {component}
      </button>
      : {status === "" ? "idle" : status}
    </li>
  );
  return (
    <>
      <h3>Components</h3>
      {busy.length === 0 ? <p>All are idle.</p> : <ul>{busy.map(row)}</ul>}
      <details>
        <summary>{quiet.length} idle components</summary>
        <ul>{quiet.map(row)}</ul>
      </details>
    </>
  );
}

function Pods({ index, now }: { readonly index: TraceIndex; readonly now: number }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const run = useMemo(() => new Set(index.trace.revisions.map((revision) => revision.key)), [index]);
  const pods = index.objectsAt("/registry/pods/", now);
  const own = pods.filter((version) => run.has(version.key));
  return (
    <>
      <h3>Pods</h3>
      {own.length === 0 && <p>None of this run exists at this time.</p>}
      {own.map((version) => {
        const pod = podText(version.object);
        return (
          <div key={version.key}>
            <h4>
              <button type="button" className={styles.link} onClick={() => pin({ kind: "object", key: version.key })}>
                Pod {pod.name}
              </button>
            </h4>
            <ul>
              {pod.facts.map(([name, value]) => (
                <li key={name}>
                  {name}: {value}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <p>{pods.length - own.length} Pods were there before and have not changed.</p>
    </>
  );
}

function Steps({ index }: { readonly index: TraceIndex }): JSX.Element {
  const steps = useTimeline((state) => state.steps);
  const stepIndex = useTimeline((state) => state.stepIndex);
  const seekNote = useTimeline((state) => state.seekNote);
  // A page that was turned to holds until the playhead takes another step.
  const [turned, setTurned] = useState<{ readonly page: number; readonly during: number }>();
  const last = Math.max(0, Math.ceil(steps.length / PAGE) - 1);
  const shown = Math.min(last, turned?.during === stepIndex ? turned.page : Math.floor(Math.max(0, stepIndex) / PAGE));
  const from = shown * PAGE;
  const setPage = (to: number): void => setTurned({ page: to, during: stepIndex });
  return (
    <>
      <h3>All steps</h3>
      {last > 0 && (
        <p className={styles.buttons}>
          <button type="button" className="button" disabled={shown === 0} onClick={() => setPage(shown - 1)}>
            Earlier steps
          </button>
          <button type="button" className="button" disabled={shown === last} onClick={() => setPage(shown + 1)}>
            Later steps
          </button>
          <span>
            {from + 1} to {Math.min(steps.length, from + PAGE)} of {steps.length}
          </span>
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Time</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {Array.from(steps.slice(from, from + PAGE), (id, i) => {
              const note = index.trace.note(id);
              return (
                <tr key={id} aria-current={from + i === stepIndex ? "step" : undefined}>
                  <td>{from + i + 1}</td>
                  <td>{captionTime(note.at)}</td>
                  <td>{note.component}</td>
                  <td>
                    <button type="button" className={styles.link} onClick={() => seekNote(id)}>
                      {note.text}
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The page's accessible twin: the same run in headings, lists and a table. Takes the place of stage and timeline. */
export function TextView(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  return (
    <div id="text-view" tabIndex={-1} className={styles.view}>
      <h2>The run in words</h2>
      {index ? (
        <>
          <Now index={index} now={now} />
          <Pods index={index} now={now} />
          <h3>Waits</h3>
          <LazyWaitsView now={now} />
          <Components index={index} now={now} />
          <Steps index={index} />
        </>
      ) : (
        <p>The simulation is being loaded.</p>
      )}
    </div>
  );
}
