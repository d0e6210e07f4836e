import { type JSX, useMemo } from "react";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { Icon } from "../widgets/icons.tsx";
import { comparisonOf, mainPod } from "../../trace/compare.ts";
import { readyText } from "../widgets/compare-text.ts";
import styles from "./fork-banner.module.css";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Says that the run shown is a fork, what was done to it, and where it parts from the other; with the way back. */
export function ForkBanner(): JSX.Element | null {
  const run = useTimeline((state) => state.run);
  const runs = useTimeline((state) => state.runs);
  const a = useTimeline((state) => state.parentIndex);
  const b = useTimeline((state) => state.index);
  const detail = useTimeline((state) => state.detail);
  const { switchRun, dropRun } = useTimeline.getState();
  const forkAt = run?.forkAt;
  const comparison = useMemo(() => (a && b ? comparisonOf(a, b, detail, forkAt ?? Number.POSITIVE_INFINITY) : undefined), [a, b, detail, forkAt]);
  if (!run || (forkAt === undefined && run.parent === undefined)) return null;
  const letter = (id: string | undefined): string => LETTERS[runs.findIndex((one) => one.id === id) % LETTERS.length] ?? "";
  const parent = runs.find((one) => one.id === run.parent);
  const what = run.title.replace(/ at [\d.]+ s$/, "");
  const { parting } = comparison ?? {};
  const pod = comparison && mainPod(comparison);
  return (
    <div className={styles.banner}>
      <Icon name="bolt" size={16} />
      <p className={styles.text}>
        <strong>
          Run {letter(run.id)} {forkAt === undefined ? `varies run ${letter(run.parent)}` : `forked at ${captionTime(forkAt)}`}
          {what !== "fork" && <>: {what}</>}
        </strong>
        {comparison && (
          <span className={styles.difference} title={parting ? `In ${parent?.title ?? "the other run"}: ${parting.inA}. Here: ${parting.inB}.` : undefined}>
            {parting ? `The runs part at ${captionTime(parting.at)}` : "No difference yet"}
            {pod !== undefined && `; ${pod.name} ${readyText(pod)}`}
          </span>
        )}
      </p>
      {comparison && (
        <button type="button" className={`button button-quiet ${styles.action ?? ""} ${styles.go ?? ""}`} onClick={() => openPanel("Story", "compare")}>
          Compare
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
