import { type JSX, useId } from "react";
import styles from "./faults.module.css";
import type { Choice, Written } from "./moments.ts";

interface Props {
  /** "Begins" or "Ends": also the beginning of the fields' names. */
  readonly legend: "Begins" | "Ends";
  /** What the first choice says. */
  readonly first: string;
  /** Id of the list of examples of conditions. */
  readonly examples: string;
  readonly value: Written;
  readonly onChange: (value: Written) => void;
}

/** One of: now or never, a time, a length, a message, a condition. Writing in a field chooses it. */
export function MomentChoice({ legend, first, examples, value, onChange }: Props): JSX.Element {
  const name = useId();
  const radio = (choice: Choice): JSX.Element => <input type="radio" name={name} checked={value.choice === choice} onChange={() => onChange({ ...value, choice })} />;
  const field = (choice: Choice, key: "at" | "after" | "message" | "condition" | "nth", label: string, placeholder: string, more: JSX.IntrinsicElements["input"] = {}): JSX.Element => (
    <input className="field" aria-label={label} placeholder={placeholder} autoComplete="off" spellCheck={false} value={value[key]} onChange={(event) => onChange({ ...value, choice, [key]: event.target.value })} {...more} />
  );
  return (
    <fieldset className={styles.when}>
      <legend>{legend}</legend>
      <label className={styles.check}>
        {radio("none")} {first}
      </label>
      <div className={styles.check}>
        <label className={styles.check}>{radio("at")} at</label>
        {field("at", "at", `${legend} at`, legend === "Begins" ? "300ms, 2.5s, +1s" : "30s, +10s")}
      </div>
      {legend === "Ends" && (
        <div className={styles.check}>
          <label className={styles.check}>{radio("after")} after</label>
          {field("after", "after", "Ends after", "10s")}
        </div>
      )}
      {legend === "Begins" && (
        <div className={styles.check}>
          <label className={styles.check}>{radio("message")} at message</label>
          {field("message", "message", "Begins at message", "812", { inputMode: "numeric" })}
        </div>
      )}
      <div className={`${styles.check} ${styles.condition}`}>
        <label className={styles.check}>{radio("when")} when</label>
        {field("when", "condition", `${legend} when`, "event FailedScheduling", { list: examples })}
        <label className={styles.check}>
          for time {field("when", "nth", `${legend} when it holds for time`, "1", { inputMode: "numeric" })}
        </label>
      </div>
    </fieldset>
  );
}
