import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import styles from "./header.module.css";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** All runs that are held, the one shown, and a fork at the playhead. */
export function Runs(): JSX.Element {
  const runs = useTimeline((state) => state.runs);
  const current = useTimeline((state) => state.run?.id);
  const { switchRun, dropRun, forkHere } = useTimeline.getState();
  return (
    <div className={styles["runs"]}>
      <select className="field" aria-label="Run" value={current ?? ""} onChange={(event) => switchRun(event.target.value)}>
        {runs.map((run, i) => (
          <option key={run.id} value={run.id}>
            {LETTERS[i % LETTERS.length]} · {run.title}
          </option>
        ))}
      </select>
      {runs.length > 1 && current !== undefined && (
        <button type="button" className="button button-quiet" aria-label="Drop this run" title="Drop this run" onClick={() => dropRun(current)}>
          <Icon name="close" size={16} />
        </button>
      )}
      <button type="button" className={`button ${styles["fork"] ?? ""}`} onClick={() => void forkHere()} title="Keep this run and go on in another from here">
        <Icon name="fork" />
        <span>Fork here</span>
      </button>
    </div>
  );
}
