import { type JSX, useMemo } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import { comparisonOf, readyText } from "./compare.ts";
import styles from "./fork-banner.module.css";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Says that the run shown is a fork, what was done to it, and where it parts from the other; with the way back. */
export function ForkBanner(): JSX.Element | null {
  const run = useTimeline((state) => state.run);
  const runs = useTimeline((state) => state.runs);
  const a = useTimeline((state) => state.parentIndex);
  const b = useTimeline((state) => state.index);
  const detail = useTimeline((state) => state.detail);
  const { switchRun, dropRun, seekNote } = useTimeline.getState();
  const forkAt = run?.forkAt;
  const comparison = useMemo(() => (a && b && forkAt !== undefined ? comparisonOf(a, b, detail, forkAt) : undefined), [a, b, detail, forkAt]);
  if (!run || forkAt === undefined) return null;
  const letter = (id: string | undefined): string => LETTERS[runs.findIndex((one) => one.id === id) % LETTERS.length] ?? "";
  const parent = runs.find((one) => one.id === run.parent);
  const what = run.title.replace(/ at [\d.]+ s$/, "");
  const { parting, pod } = comparison ?? {};
  return (
    <div className={styles.banner}>
      <Icon name="bolt" size={16} />
      <p className={styles.text}>
        <strong>
          Run {letter(run.id)} forked at {captionTime(forkAt)}
          {what !== "fork" && <>: {what}</>}
        </strong>
        {comparison && (
          <span className={styles.difference} title={parting ? `In ${parent?.title ?? "the other run"}: ${parting.inA}. Here: ${parting.inB}.` : undefined}>
            {parting ? `The runs part at ${captionTime(parting.at)}` : "No difference yet"}
            {pod !== undefined && `; ${pod.slice(pod.indexOf("/") + 1)} ${readyText(comparison)}`}
          </span>
        )}
      </p>
      {parting && parting.noteB >= 0 && (
        <button type="button" className={`button button-quiet ${styles.action ?? ""} ${styles.go ?? ""}`} onClick={() => seekNote(parting.noteB)}>
          Go there
        </button>
      )}
      {parent && (
        <button type="button" className={`button button-quiet ${styles.action ?? ""}`} title={parent.title} onClick={() => switchRun(parent.id)}>
          Show run {letter(parent.id)}
        </button>
      )}
      {runs.length > 1 && (
        <button type="button" className={`button button-quiet ${styles.action ?? ""}`} onClick={() => dropRun(run.id)}>
          Remove
        </button>
      )}
    </div>
  );
}
