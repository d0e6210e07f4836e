import { type JSX, useMemo } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { comparisonOf, readyText } from "./compare.ts";
import styles from "./faults.module.css";

/** "Spot the difference": the run shown, against the one it was forked from. */
function Difference(): JSX.Element | null {
  const run = useTimeline((state) => state.run);
  const parent = useTimeline((state) => state.runs.find((one) => one.id === state.run?.parent));
  const a = useTimeline((state) => state.parentIndex);
  const b = useTimeline((state) => state.index);
  const detail = useTimeline((state) => state.detail);
  const seekNote = useTimeline((state) => state.seekNote);
  const forkAt = run?.forkAt ?? 0;
  const comparison = useMemo(() => (a && b ? comparisonOf(a, b, detail, forkAt) : undefined), [a, b, detail, forkAt]);
  if (!run || !parent || !comparison) return null;
  const { parting, pod, eventsOnlyB } = comparison;
  return (
    <div className={styles.difference}>
      <h3>Spot the difference</h3>
      <dl>
        <dt>They part</dt>
        <dd>
          {parting ? (
            <>
              at {captionTime(parting.at)}. In “{parent.title}”: {parting.inA.replace(/\.$/, "")}. In this run: {parting.inB.replace(/\.$/, "")}.{" "}
              {parting.noteB >= 0 && (
                <button type="button" className={styles.link} onClick={() => seekNote(parting.noteB)}>
                  Go there
                </button>
              )}
            </>
          ) : (
            "nowhere: every step is the same"
          )}
        </dd>
        {pod !== undefined && (
          <>
            <dt>Pod {pod}</dt>
            <dd>
              {readyText(comparison)}
            </dd>
          </>
        )}
        {eventsOnlyB.length > 0 && (
          <>
            <dt>Events only in this run</dt>
            <dd>{eventsOnlyB.join(", ")}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

/** All runs that are held: none is ever changed, each change made a new one. */
export function RunsList(): JSX.Element {
  const runs = useTimeline((state) => state.runs);
  const current = useTimeline((state) => state.run?.id);
  const switchRun = useTimeline((state) => state.switchRun);
  const dropRun = useTimeline((state) => state.dropRun);
  return (
    <div className={styles.runs}>
      <h3>Runs</h3>
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
      <Difference />
    </div>
  );
}
