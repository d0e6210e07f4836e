import { type JSX, useEffect, useRef, useState } from "react";
import { chapterWord } from "../../timeline/chapter.ts";
import { captionTime } from "../../timeline/format.ts";
import { mailOfNote } from "../../timeline/steps.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import { familyOf } from "../theme/components.ts";
import { FamilyIcon } from "../widgets/icons.tsx";
import { openPanel } from "../widgets/open-panel.ts";
import styles from "./caption-panel.module.css";

/** While playing, a screen reader hears at most one sentence in this time (ms). */
const FLOW_INTERVAL_MS = 2000;

/** The sentence of the step shown, for the eye at once, for a screen reader throttled. */
export function CaptionPanel(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const steps = useTimeline((state) => state.steps);
  const stepIndex = useTimeline((state) => state.stepIndex);
  const now = useTimeline((state) => state.now);
  const playing = useTimeline((state) => state.playing);
  const pin = useTimeline((state) => state.pin);
  const problem = useTimeline((state) => state.problem);
  const status = useTimeline((state) => state.status);
  const dragging = useTimeline((state) => state.dragging);
  const restart = useTimeline((state) => state.restart);
  const stopped = useTimeline((state) => state.stopped);
  const chapter = useChapter();
  const [whyOpen, setWhyOpen] = useState(false);
  const id = steps[stepIndex];
  const note = index && id !== undefined ? index.trace.note(id) : undefined;
  const mail = index && id !== undefined ? mailOfNote(index, id) : -1;
  // While a step is shown travelling, the caption already says when it arrives: one change per step.
  const time = note && now < note.at && stepIndex > 0 ? note.at : now;
  const moving = playing || dragging;
  const heard = useThrottled(moving && note ? note.text : "", moving);
  const sentence = problem ?? note?.text ?? (status === "loading" ? "Loading the simulation…" : "Nothing has happened yet.");
  const toPayload = (): void => {
    pin({ kind: "hop", id: mail });
    openPanel("Inspector");
  };
  const toggleWhy = (): void => {
    setWhyOpen(!whyOpen);
    if (!whyOpen) openPanel("Inspector");
  };
  return (
    <div className={styles["panel"]} data-failed={problem === undefined ? undefined : ""}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it holds paragraphs, which output may not */}
      <div role="status" aria-live={moving ? "off" : "polite"} aria-atomic="true">
        <div className={styles["line"]}>
          <span className={`tabular ${styles["count"]}`}>{note ? `${stepIndex + 1}/${steps.length}` : ""}</span>
          <Clock time={time} />
          {note && <span className={styles["chapter"]}>{chapterWord(chapter)}</span>}
          {note && <span className={styles["who"]}><FamilyIcon family={familyOf(note.component)} />{note.component}</span>}
        </div>
        {stopped?.at === now && !playing && (
          <p className={styles["stopped"]}>
            Stopped at the breakpoint <code>{stopped.text}</code>: {stopped.what}
          </p>
        )}
        <p className={styles["sentence"]}>{sentence}</p>
        <p className={styles["why"]} title={note?.why}>
          {problem === undefined ? (note?.why ?? "") : ""}
        </p>
      </div>
      <div className={styles["buttons"]}>
        {problem !== undefined && (
          <button type="button" className="button" onClick={() => void restart()}>
            Replay the run
          </button>
        )}
        <button type="button" className="button button-quiet" aria-expanded={whyOpen} disabled={!note} onClick={() => toggleWhy()}>
          Why?
        </button>
        <button type="button" className="button button-quiet" disabled={mail < 0} onClick={() => toPayload()}>
          Payload
        </button>
      </div>
      {whyOpen && note && <Causes mail={mail} why={note.why} />}
      {/* While it moves, a screen reader hears the story at a pace that can be followed. */}
      <div aria-live="polite" className="visually-hidden">
        {heard}
      </div>
    </div>
  );
}

/** Seconds as they count, what is finer paler: the last three digits only matter to those who look for them. */
function Clock({ time }: { readonly time: number }): JSX.Element {
  if (time >= 3600e6) return <span className={`tabular ${styles["time"]}`}>{captionTime(time)}</span>;
  const [whole = "0", fraction = "000000"] = (time / 1e6).toFixed(6).split(".");
  return (
    <span className={`tabular ${styles["time"]}`}>
      {whole}.{fraction.slice(0, 3)}
      {time < 1e6 && <small>{fraction.slice(3)}</small>} s
    </span>
  );
}

/** The way back from the step to the user's click. */
function Causes({ mail, why }: { readonly mail: number; readonly why: string }): JSX.Element | null {
  const index = useTimeline((state) => state.index);
  const pin = useTimeline((state) => state.pin);
  if (!index || mail < 0) return null;
  const { trace } = index;
  const chain = index.causesOf(mail).slice(0, 200);
  const told = chain.flatMap((id) => {
    const event = trace.mail.event.get(id);
    if (event < 0) return [];
    const first = trace.events.firstNote.get(event);
    const last = event + 1 < trace.eventCount ? trace.events.firstNote.get(event + 1) : trace.noteCount;
    for (let note = first; note < last; note++) if (trace.notes.level.get(note) <= 1 && trace.notes.text.get(note) !== 0) return [trace.note(note)];
    return [];
  });
  return (
    <div className={styles["causes"]}>
    {why !== "" && <p>{why}</p>}
    <p>What led to this, the last cause first:</p>
    <ol aria-label="What led to this">
      {told.slice(1, 8).map((note) => (
        <li key={note.id}>
          <button type="button" onClick={() => pin({ kind: "note", id: note.id })}>
            <span className="tabular">{captionTime(note.at)}</span> {note.text}
          </button>
        </li>
      ))}
    </ol>
    </div>
  );
}

function useThrottled(text: string, playing: boolean): string {
  const [heard, setHeard] = useState("");
  const last = useRef(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== "") last.current = performance.now();
      setHeard(text);
    }, playing ? Math.max(0, last.current + FLOW_INTERVAL_MS - performance.now()) : 0);
    return () => clearTimeout(timer);
  }, [text, playing]);
  return heard;
}
