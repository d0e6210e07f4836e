import { type JSX, useEffect } from "react";
import { type Exercise, PLACES } from "../../content/exercises/exercise.ts";
import { exerciseOf } from "../../content/exercises/exercises.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { openPanel } from "../widgets/open-panel.ts";
import styles from "./diagnose.module.css";
import { heal, reveal } from "./run-exercise.ts";
import { useDiagnose } from "./state.ts";

/** The world's own word that the fault begins; the first step of the story where the manifest is what is wrong. */
function beginningOf(index: TraceIndex, { fault }: Exercise): number | undefined {
  const notes = index.notesUntil("world", Number.POSITIVE_INFINITY);
  return fault ? notes.find((id) => index.trace.note(id).text.startsWith(`Fault ${fault.id} begins`)) : index.steps("basic")[0];
}

function Commands({ exercise }: { readonly exercise: Exercise }): JSX.Element {
  const runCommand = useTimeline((state) => state.runCommand);
  return (
    <ul className={styles["commands"]} aria-label="Commands that show it">
      {exercise.commands.map((command) => (
        <li key={command}>
          <button
            type="button"
            className="button"
            onClick={() => {
              openPanel("Terminal");
              void runCommand(`kubectl ${command}`);
            }}
          >
            <code>kubectl {command}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What it was, how it comes about, and what mends it. */
function Solution({ exercise, end }: { readonly exercise: Exercise; readonly end: "found" | "given up" }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const { seekNote, pin } = useTimeline.getState();
  const fix = useTimeline((state) => state.catalogue?.faults.find(({ id }) => id === exercise.fault?.id)?.fix);
  const note = index && beginningOf(index, exercise);
  return (
    <>
      <p>
        <strong>{end === "found" ? "Found." : "It was:"}</strong> {exercise.cause}, in {PLACES[exercise.place]}. {fix}
      </p>
      <Commands exercise={exercise} />
      <div className={styles["buttons"]}>
        <button
          type="button"
          className="button"
          disabled={note === undefined}
          onClick={() => {
            if (note === undefined) return;
            seekNote(note);
            pin({ kind: "note", id: note });
            openPanel("Inspector");
          }}
        >
          Show how it came about
        </button>
        <button type="button" className="button" onClick={() => void heal(exercise)}>
          Mend it here
        </button>
        <button type="button" className="button button-primary" onClick={() => openPanel("Diagnose")}>
          Next exercise
        </button>
      </div>
    </>
  );
}

/** Region "Exercise": the complaint, hints, the answer, and after it the solution. */
export function ExerciseCard({ slug }: { readonly slug: string }): JSX.Element | null {
  const exercise = exerciseOf(slug);
  const { hints, end, hint, begin, leave } = useDiagnose();
  const current = useDiagnose((state) => state.slug);
  useEffect(() => {
    // Opened by a link.
    if (current !== slug) begin(slug);
  }, [current, slug, begin]);
  if (!exercise) return null;
  const chooseSample = useTimeline.getState().chooseSample;
  return (
    <section aria-label="Exercise" className={styles["card"]}>
      <h2>Exercise: what is broken?</h2>
      <p>{exercise.complaint}</p>
      {end === undefined ? (
        <>
          {hints > 0 && <p className={styles["hint"]}>{exercise.hint}</p>}
          {hints > 1 && <Commands exercise={exercise} />}
          <div className={styles["buttons"]}>
            <button type="button" className="button button-primary" onClick={() => openPanel("Answer")}>
              Answer
            </button>
            <button type="button" className="button" disabled={hints > 1} onClick={hint}>
              Hint
            </button>
            <button type="button" className="button" onClick={() => void reveal("given up")}>
              Give up
            </button>
          </div>
        </>
      ) : (
        <Solution exercise={exercise} end={end} />
      )}
      <button
        type="button"
        className={`button button-quiet ${styles["leave"] ?? ""}`}
        onClick={() => {
          leave();
          chooseSample(useTimeline.getState().catalogue?.samples[0]?.id ?? "");
        }}
      >
        Leave
      </button>
    </section>
  );
}
