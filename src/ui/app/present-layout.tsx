import { type JSX, useEffect, useEffectEvent, useState } from "react";
import { CHAPTERS, chapterText } from "../../content/chapters.ts";
import { chapterName } from "../../timeline/chapter.ts";
import { captionTime } from "../../timeline/format.ts";
import { follow, isAudience, lead, openAudience } from "../../timeline/presenting.ts";
import { useTimeline } from "../../timeline/store.ts";
import { useChapter } from "../../timeline/use-chapter.ts";
import { familyOf } from "../theme/components.ts";
import { StagePanel } from "../stage/stage-panel.tsx";
import { FamilyIcon } from "../widgets/icons.tsx";
import { Pointer } from "./pointer.tsx";
import styles from "./present.module.css";

/** One key for all: what a presenter's remote control sends. */
function usePresentKeys(audience: boolean, onNotes: () => void, onPointer: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { next, previous, first, last, nextMessage, setPresenting } = useTimeline.getState();
    const actions: Readonly<Record<string, () => void>> = {
      " ": next, Enter: next, ArrowRight: next, PageDown: next, ArrowLeft: previous, PageUp: previous, Home: first, End: last,
      ".": () => nextMessage(1), ",": () => nextMessage(-1), n: onNotes, o: onPointer, Escape: () => setPresenting(false),
    };
    const own = event.target instanceof Element && event.target.closest("button") !== null && (event.key === " " || event.key === "Enter");
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || own || audience) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, []);
}

/** The page for a hall: the stage, one sentence in large type, and nothing else that could be pressed by mistake. */
export function PresentLayout(): JSX.Element {
  const audience = isAudience();
  const [notes, setNotes] = useState(!audience);
  const [pointer, setPointer] = useState(false);
  useEffect(() => (audience ? follow() : lead()), [audience]);
  usePresentKeys(audience, () => setNotes(!notes), () => setPointer(!pointer));
  return (
    <main className={styles["present"]} data-notes={notes && !audience ? "" : undefined}>
      <div className={styles["stage"]}>
        <StagePanel />
      </div>
      <Sentence />
      {!audience && (
        <>
          {notes && <Notes />}
          <Controls notes={notes} pointer={pointer} onNotes={() => setNotes(!notes)} onPointer={() => setPointer(!pointer)} />
        </>
      )}
      {pointer && <Pointer />}
    </main>
  );
}

function Sentence(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const id = useTimeline((state) => state.steps[state.stepIndex]);
  const now = useTimeline((state) => state.now);
  const note = index && id !== undefined ? index.trace.note(id) : undefined;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it holds paragraphs, which output may not
    <div role="status" className={styles["sentence"]}>
      <p className={styles["who"]}>
        <span className="tabular">{captionTime(Math.max(now, note?.at ?? 0))}</span>
        {note && <FamilyIcon family={familyOf(note.component)} size={20} />}
        {note?.component}
      </p>
      <p className={styles["text"]}>{note?.text ?? "Nothing has happened yet."}</p>
      <p className={styles["why"]}>{note?.why}</p>
    </div>
  );
}

/** What only the presenter sees: the chapter's story, and what comes next. */
function Notes(): JSX.Element {
  const chapter = useChapter();
  const told = chapterText(chapter);
  const title = useTimeline((state) => told?.title ?? state.chapters.find(({ number }) => number === chapter)?.title ?? "");
  const next = useTimeline((state) => {
    const id = state.steps[state.stepIndex + 1];
    return id === undefined || !state.index ? "The end of the run." : state.index.trace.note(id).text;
  });
  return (
    <section aria-label="Notes" className={styles["notes"]}>
      <h2>
        {chapterName(chapter)}
        {told && ` of ${CHAPTERS.length}`}: {title}
      </h2>
      {told && <p>{told.text.replaceAll(/[[\]]/g, "")}</p>}
      {told && <p className={styles["more"]}>{told.more}</p>}
      <h3>Next</h3>
      <p>{next}</p>
    </section>
  );
}

interface ControlsProps {
  readonly notes: boolean;
  readonly pointer: boolean;
  readonly onNotes: () => void;
  readonly onPointer: () => void;
}

function Controls({ notes, pointer, onNotes, onPointer }: ControlsProps): JSX.Element {
  const { previous, next, setPresenting } = useTimeline.getState();
  const step = useTimeline((state) => state.stepIndex + 1);
  const steps = useTimeline((state) => state.steps.length);
  return (
    <div className={styles["controls"]}>
      <button type="button" className="button" onClick={previous}>
        Previous step
      </button>
      <button type="button" className="button button-primary" onClick={next}>
        Next step
      </button>
      <span className="tabular">
        {step} / {steps}
      </span>
      <button type="button" className="button" aria-pressed={notes} title="N" onClick={onNotes}>
        Notes
      </button>
      <button type="button" className="button" aria-pressed={pointer} title="O" onClick={onPointer}>
        Pointer
      </button>
      <button type="button" className="button" title="A window for the audience, which follows this one" onClick={openAudience}>
        Second window
      </button>
      <button type="button" className="button" title="Esc" onClick={() => setPresenting(false)}>
        End
      </button>
    </div>
  );
}
