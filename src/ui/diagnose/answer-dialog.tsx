import { type FormEvent, type JSX, useState } from "react";
import { PLACES, type Place } from "../../content/exercises/exercise.ts";
import { causesFor, exerciseOf, placesFor, refutation } from "../../content/exercises/exercises.ts";
import styles from "./diagnose.module.css";
import { reveal } from "./run-exercise.ts";
import { useDiagnose } from "./state.ts";

/** Where it is, and what: one choice each. */
export function AnswerDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const exercise = useDiagnose((state) => exerciseOf(state.slug ?? ""));
  const remark = useDiagnose((state) => state.remark);
  const [place, setPlace] = useState<Place>();
  const [cause, setCause] = useState<string>();
  if (!exercise) return <p>No exercise is open.</p>;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (place === undefined || cause === undefined) return;
    const wrong = refutation(exercise, { place, cause });
    if (wrong !== undefined) return useDiagnose.getState().refute(wrong);
    onClose();
    void reveal("found");
  };
  const choice = (name: string, value: string, label: string, chosen: boolean, choose: () => void): JSX.Element => (
    <label key={value}>
      <input type="radio" name={name} checked={chosen} onChange={choose} /> {label}
    </label>
  );
  return (
    <form className={styles["answer"]} onSubmit={submit}>
      <fieldset>
        <legend>Where is it broken?</legend>
        {placesFor(exercise).map((one) => choice("place", one, PLACES[one], one === place, () => setPlace(one)))}
      </fieldset>
      <fieldset>
        <legend>What is it?</legend>
        {causesFor(exercise).map((one) => choice("cause", one, one, one === cause, () => setCause(one)))}
      </fieldset>
      <button type="submit" className="button button-primary" disabled={place === undefined || cause === undefined}>
        That is it
      </button>
      <output className={styles["remark"]}>{remark}</output>
    </form>
  );
}
