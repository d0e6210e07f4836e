import type { JSX } from "react";
import { MISCONCEPTIONS } from "../../content/misconceptions.ts";
import { ShowButton, Source } from "./links.tsx";
import styles from "./story.module.css";

/** Each with what is true, and where this run shows it. */
export function MisconceptionsView(): JSX.Element {
  return (
    <ul className={styles.cards}>
      {MISCONCEPTIONS.map((one) => (
        <li key={one.id}>
          <h4>“{one.claim}”</h4>
          <p className={styles.prose}>{one.truth}</p>
          <p>
            <Source path={one.source} />
          </p>
          <div className={styles.actions}>
            <ShowButton label={one.label} evidence={one.show} otherwise={one.otherwise} />
          </div>
        </li>
      ))}
    </ul>
  );
}
