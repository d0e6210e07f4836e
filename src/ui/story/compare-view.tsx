import { type JSX, type ReactNode, useMemo } from "react";
import { ALIGNMENTS, type Alignment } from "../../timeline/align.ts";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { comparisonOf, type EventCount, type PodOutcome, type StateDifference } from "../../trace/compare.ts";
import { whatChanged } from "../widgets/compare-text.ts";
import { RadioGroup } from "../widgets/radio-group.tsx";
import styles from "./compare.module.css";

const ALIGN_OPTIONS: Readonly<Record<Alignment, { readonly label: string; readonly hint: string }>> = {
  time: { label: "time", hint: "the same moment stands over the same moment" },
  step: { label: "step", hint: "the n-th step of one stands over the n-th of the other" },
  event: { label: "this event", hint: "both are laid over each other where they say the same as the step shown" },
};

interface Row {
  readonly key: string;
  readonly name: ReactNode;
  readonly a: ReactNode;
  readonly b: ReactNode;
}

function Table({ caption, first, rows }: { readonly caption: string; readonly first: string; readonly rows: readonly Row[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Without</th>
          <th scope="col">With it</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, a, b }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>{a}</td>
            <td>{b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ready = (at: number | undefined): string => (at === undefined ? "never Ready" : `Ready at ${captionTime(at)}`);
const podRow = ({ key, name, readyA, readyB, endA, endB }: PodOutcome): Row => ({
  key, name,
  a: endA === undefined && readyA === undefined ? "not there" : `${ready(readyA)}; in the end ${endA ?? "gone"}`,
  b: endB === undefined && readyB === undefined ? "not there" : `${ready(readyB)}; in the end ${endB ?? "gone"}`,
});
const eventRow = ({ reason, about, a, b, message }: EventCount): Row => ({ key: `${reason} ${about}`, name: <span title={message}>{reason}, {about}</span>, a, b });
const stateRow = ({ name, a, b }: StateDifference): Row => ({ key: name, name, a: a ?? "not there", b: b ?? "not there" });

/** "Compare": the run shown beside the one that it came from: where they part, and what differs in the end. */
export function CompareView(): JSX.Element {
  const run = useTimeline((state) => state.run);
  const parent = useTimeline((state) => state.runs.find(({ id }) => id === state.run?.parent));
  const a = useTimeline((state) => state.parentIndex);
  const b = useTimeline((state) => state.index);
  const detail = useTimeline((state) => state.detail);
  const align = useTimeline((state) => state.align);
  const comparing = useTimeline((state) => state.comparing);
  const { seekNote, setAlign, setComparing } = useTimeline.getState();
  const forkAt = run?.forkAt ?? Number.POSITIVE_INFINITY;
  const comparison = useMemo(() => (a && b ? comparisonOf(a, b, detail, forkAt) : undefined), [a, b, detail, forkAt]);
  if (!run || !parent || !comparison) return <p className={styles.hint}>Two futures are compared here. Break something, apply a change, type a command in the past, or move a slider of the critical path: the run that follows is laid beside the one before.</p>;
  const { parting, pods, events, states } = comparison;
  return (
    <div className={styles.view}>
      <p className={styles.answer}>{whatChanged(comparison, run.title.replace(/ at [\d.]+ s$/, ""))}</p>
      <h4>Where they part</h4>
      {parting ? (
        <dl className={styles.parting}>
          <dt>After {parting.same} equal step{parting.same === 1 ? "" : "s"}</dt>
          <dd>at {captionTime(parting.at)}</dd>
          <dt>“{parent.title}”</dt>
          <dd>{parting.inA}</dd>
          <dt>“{run.title}”</dt>
          <dd>{parting.inB}</dd>
        </dl>
      ) : (
        <p>Nowhere: every step is the same.</p>
      )}
      {parting && parting.noteB >= 0 && (
        <button type="button" className={`button ${styles.go}`} onClick={() => seekNote(parting.noteB)}>
          Go there
        </button>
      )}
      <Table caption="Pods" first="Pod" rows={pods.map(podRow)} />
      <Table caption="Events that came more or less often" first="Event" rows={events.map(eventRow)} />
      <Table caption="What stands differently in the end" first="Object" rows={states.filter(({ name }) => !name.startsWith("pod/")).map(stateRow)} />
      <fieldset className={styles.lanes}>
        <legend>On the timeline</legend>
        <label>
          <input type="checkbox" checked={comparing} onChange={(event) => setComparing(event.target.checked)} /> both runs in each lane
        </label>
        <div className={styles.align}>
          <span>laid over each other by</span>
          <RadioGroup label="Align runs by" options={ALIGNMENTS.map((value) => ({ value, ...ALIGN_OPTIONS[value] }))} value={align} onChange={setAlign} />
        </div>
      </fieldset>
    </div>
  );
}
