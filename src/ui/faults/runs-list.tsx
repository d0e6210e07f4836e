import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./faults.module.css";

/** All runs that are held: none is ever changed, each change made a new one. */
export function RunsList(): JSX.Element {
  const runs = useTimeline((state) => state.runs);
  const current = useTimeline((state) => state.run?.id);
  const switchRun = useTimeline((state) => state.switchRun);
  const dropRun = useTimeline((state) => state.dropRun);
  const undo = useTimeline((state) => state.undo);
  return (
    <div className={styles.runs}>
      <h3>Runs</h3>
      <button type="button" className="button button-quiet" onClick={() => void undo()}>
        Undo the last change
      </button>
      <ul>
        {runs.map((run) => (
          <li key={run.id} aria-current={run.id === current || undefined}>
            <button type="button" className={styles.run} aria-pressed={run.id === current} onClick={() => switchRun(run.id)}>
              {run.title}
              {run.forkAt !== undefined && <span className={styles.symptom}> from {runs.find((one) => one.id === run.parent)?.title ?? "a run that is gone"}</span>}
            </button>
            {runs.length > 1 && (
              <button type="button" className="button button-quiet" aria-label={`Remove the run ${run.title}`} onClick={() => dropRun(run.id)}>
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
