import { type JSX, useState } from "react";
import { isDecision } from "../../../trace/decision.ts";
import { client } from "../../../timeline/client.ts";
import { captionTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import { DecisionView } from "../decision-view.tsx";
import styles from "../inspector.module.css";
import { useAsked } from "../../widgets/use-asked.ts";
import { attemptsIn, type PodAttempts } from "./attempts.ts";
import { FactList, Table } from "./parts.tsx";
import { QueueList } from "./scheduler-queue.tsx";
import { SchedulerConfig } from "./scheduler-config.tsx";
import { at, type ComponentViewSpec, items, nameOf, text, type ViewProps } from "./view.ts";

const MARKS = { scheduled: "✓", failed: "✕", "under way": "…" } as const;

function Attempt({ note }: { readonly note: number }): JSX.Element {
  const run = useTimeline((state) => state.run?.id ?? "");
  const asked = useAsked(`${run}/${note}`, () => client.noteData(note));
  if (asked.problem !== undefined) return <p className={styles.bad}>{asked.problem}</p>;
  return isDecision(asked.value) ? <DecisionView decision={asked.value} /> : <p className={styles.hint}>Reading…</p>;
}

/** Every attempt of every Pod: first the Pod, then which of its attempts. */
function Attempts({ pods }: { readonly pods: readonly PodAttempts[] }): JSX.Element {
  const [chosen, setChosen] = useState<{ readonly subject: string; readonly note: number | undefined }>();
  const pod = pods.find((one) => one.subject === chosen?.subject) ?? pods[0];
  if (!pod) return <p className={styles.hint}>It has tried no Pod yet at this time.</p>;
  const attempt = pod.attempts.find((one) => one.note === chosen?.note) ?? pod.attempts.at(-1);
  return (
    <>
      <div className={styles.choices}>
        <select className="field" aria-label="Pod" value={pod.subject} onChange={(event) => setChosen({ subject: event.target.value, note: undefined })}>
          {pods.map((one) => (
            <option key={one.subject} value={one.subject}>
              {one.subject.replace(/^pod\//, "")} ({one.attempts.length})
            </option>
          ))}
        </select>
      </div>
      <fieldset className={styles.choices} aria-label="Attempt">
        {pod.attempts.map((one, i) => (
          <button key={one.note} type="button" className={styles.small} aria-pressed={one === attempt} title={one.text} onClick={() => setChosen({ subject: pod.subject, note: one.note })}>
            <span aria-hidden="true">{MARKS[one.outcome]} </span>
            {i + 1}
            <span className={styles.srOnly}>, {one.outcome}</span> <span className={styles.dim}>{captionTime(one.at)}</span>
          </button>
        ))}
      </fieldset>
      {attempt && <Attempt key={attempt.note} note={attempt.note} />}
    </>
  );
}

function Scheduler({ state, now, index, component }: ViewProps): JSX.Element {
  const bindings = items(at(state, "bindings"));
  const cycle = text(at(state, "cycle.step"));
  return (
    <>
      <FactList
        facts={[
          ["Scheduling", cycle === "" ? "no Pod just now" : `${nameOf(at(state, "cycle.queued.pod"))}, step ${cycle}`],
          ["Profiles", items(at(state, "queue.config.profiles")).map((profile) => text(at(profile, "schedulerName"))).join(", ")],
        ]}
      />
      <QueueList state={state} now={now} />
      {bindings.length > 0 && <Table title="Bindings under way" columns={["Pod", "node", "step"]} none="" rows={bindings.map((binding) => [nameOf(at(binding, "queued.pod")), text(at(binding, "node")), text(at(binding, "step"))])} />}
      <h4>Decisions</h4>
      <Attempts pods={attemptsIn(index, component, now)} />
    </>
  );
}

export const schedulerView: ComponentViewSpec = { title: "Queue and decisions", matches: (component) => /^kube-scheduler(@|$)/.test(component), View: Scheduler, more: [{ title: "Configuration", View: SchedulerConfig }] };
