import { type JSX, useMemo, useState } from "react";
import { BUDGET_WORDS } from "../../content/budgets.ts";
import { captionTime, shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { type Budget, budgets, criticalPath, type Goal, goalOf, podsMade, type Segment, type Stretch, stretches } from "../../trace/critical-path.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { bestNote, hopSentence } from "../widgets/trace-text.ts";
import styles from "./critical-path.module.css";
import { VariantSliders } from "./variant-sliders.tsx";

/** Stretches below this part of the whole are folded. */
const WORTH = 0.01;

/** "web", or "team/web" outside the default namespace. */
const nameOf = (key: string): string => key.replace("/registry/pods/", "").replace(/^default\//, "");

function headline(goal: Goal, name: string, micros: number, cause: string): string {
  const after = `${shortTime(micros)} after ${cause === "" ? "what began it" : cause}`;
  if (goal.kind === "Ready") return `${name} is Ready ${after}.`;
  return goal.kind === "failed" ? `${name} says ${goal.reason} ${after}.` : `${name} is still ${goal.reason}, ${after}.`;
}

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;

function Bar({ list, total }: { readonly list: readonly (readonly [Budget, number])[]; readonly total: number }): JSX.Element {
  return (
    <table className={styles.budgets}>
      <caption>Where the time went</caption>
      <tbody>
        {list.map(([budget, micros]) => (
          <tr key={budget}>
            <th scope="row" title={BUDGET_WORDS[budget].what}>
              {BUDGET_WORDS[budget].title}
            </th>
            <td className={styles.number}>{shortTime(micros)}</td>
            <td className={styles.number}>{percent(micros, total)}</td>
            <td className={styles.track} aria-hidden="true">
              <span style={{ width: `${Math.max(1, (100 * micros) / Math.max(1, total))}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the longest link of a stretch led to, or what it was. */
function sentenceOf(index: TraceIndex, { segments }: Stretch): { readonly text: string; readonly mail: number } {
  const longest = segments.reduce((best: Segment, one) => (one.to - one.from > best.to - best.from ? one : best));
  return { text: bestNote(index.trace, longest.mail)?.text ?? hopSentence(index.trace.hop(longest.mail)), mail: longest.mail };
}

function Row({ index, stretch }: { readonly index: TraceIndex; readonly stretch: Stretch }): JSX.Element {
  const seek = useTimeline((state) => state.seek);
  const pin = useTimeline((state) => state.pin);
  const { text, mail } = sentenceOf(index, stretch);
  return (
    <li>
      <button
        type="button"
        onClick={() => {
          pin({ kind: "hop", id: mail });
          seek(stretch.to);
        }}
      >
        <span className={styles.took}>{shortTime(stretch.to - stretch.from)}</span>
        <span>
          <strong>{BUDGET_WORDS[stretch.budget].title}</strong> from {captionTime(stretch.from)}: {text}
        </span>
      </button>
    </li>
  );
}

/** "Critical path": which waits and which work made up the time from the user's action to Ready, or to the failure; and what would change it. */
export function CriticalPathView(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const pinned = useTimeline((state) => state.pinned);
  const [chosen, choose] = useState<string>();
  const [all, showAll] = useState(false);
  const pods = useMemo(() => (index ? podsMade(index) : []), [index]);
  const pod = [chosen, pinned?.kind === "object" ? pinned.key : undefined, pods[0]].find((key) => key !== undefined && pods.includes(key));
  const goal = useMemo(() => (index && pod !== undefined ? goalOf(index, pod) : undefined), [index, pod]);
  const path = useMemo(() => (index && goal ? criticalPath(index, goal.mail) : []), [index, goal]);
  if (!index || pod === undefined || !goal || path.length === 0) return <p className={styles.hint}>No Pod of this run is there to be explained. Press Apply.</p>;
  const total = goal.at - (path[0]?.from ?? 0);
  const cause = index.trace.hop(path[1]?.mail ?? path[0]?.mail ?? 0).verb;
  const parts = stretches(path);
  const shown = all ? parts : parts.filter(({ from, to }) => to - from >= total * WORTH);
  return (
    <div className={styles.view}>
      {pods.length > 1 && (
        <label className={styles.choice}>
          Pod
          <select className="field" value={pod} onChange={(event) => choose(event.target.value)}>
            {pods.map((key) => (
              <option key={key} value={key}>
                {nameOf(key)}
              </option>
            ))}
          </select>
        </label>
      )}
      <p className={styles.headline}>{headline(goal, nameOf(pod), total, cause)}</p>
      <Bar list={budgets(path)} total={total} />
      <VariantSliders />
      <h4>One after the other</h4>
      <ol className={styles.stretches}>
        {shown.map((stretch) => (
          <Row key={`${stretch.from} ${stretch.budget}`} index={index} stretch={stretch} />
        ))}
      </ol>
      {shown.length < parts.length || all ? (
        <button type="button" className={`button ${styles.more}`} aria-expanded={all} onClick={() => showAll(!all)}>
          {all ? "Only the long ones" : `Show all ${parts.length} (the others took ${shortTime(total - shown.reduce((sum, { from, to }) => sum + to - from, 0))} together)`}
        </button>
      ) : null}
      <p className={styles.hint}>Each link began when the one before it was handled: together they are the whole time. What happened beside them could have been slower without any effect.</p>
    </div>
  );
}
