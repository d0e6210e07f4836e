import type { JSX } from "react";
import { type Exercise, slugOf } from "../../content/exercises/exercise.ts";
import { EXERCISES } from "../../content/exercises/exercises.ts";
import styles from "./diagnose.module.css";
import { beginExercise } from "./run-exercise.ts";
import { useDiagnose } from "./state.ts";

/** What a user says is all that is told of an exercise. */
function Entry({ exercise, number, solved, onOpen }: { readonly exercise: Exercise; readonly number: number; readonly solved: boolean; readonly onOpen: () => void }): JSX.Element {
  return (
    <li>
      <button type="button" className={styles["entry"]} onClick={onOpen}>
        <span className="tabular">{number}</span>
        <span>{exercise.complaint}</span>
        {solved && <span className={styles["solved"]}>✓ found</span>}
      </button>
    </li>
  );
}

/** All exercises. Their order is mixed, so that a neighbour gives nothing away. */
const MIXED = [...EXERCISES].sort((a, b) => (slugOf(a) < slugOf(b) ? -1 : 1));

export function DiagnoseDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const solved = useDiagnose((state) => state.solved);
  const open = (exercise: Exercise | undefined): void => {
    if (!exercise) return;
    onClose();
    void beginExercise(exercise);
  };
  const next = MIXED.find((exercise) => !solved.includes(slugOf(exercise))) ?? MIXED[0];
  return (
    <div className={styles["list"]}>
      <p>Something is broken, and the page does not say what. Find it as an operator would: with kubectl, and with what the components show. Then name the place and the cause.</p>
      <p>
        <button type="button" className="button button-primary" onClick={() => open(next)}>
          Next unsolved
        </button>{" "}
        {solved.length} of {MIXED.length} found
      </p>
      <ol aria-label="Exercises">
        {MIXED.map((exercise, i) => (
          <Entry key={exercise.name} exercise={exercise} number={i + 1} solved={solved.includes(slugOf(exercise))} onOpen={() => open(exercise)} />
        ))}
      </ol>
    </div>
  );
}
