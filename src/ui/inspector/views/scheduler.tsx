import { type JSX, useState } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { DecisionView } from "../decision-view.tsx";
import { type Decision, isDecision } from "../../../trace/decision.ts";
import styles from "../inspector.module.css";
import { FactList, Table } from "./parts.tsx";
import { at, type ComponentViewSpec, items, nameOf, numberAt, text, type ViewProps } from "./view.ts";

const QUEUES = [
  ["activeQ", "Ready to be tried, highest priority first"],
  ["podBackoffQ", "Waiting out a back-off after a rejection"],
  ["podErrorBackoffQ", "Waiting out a back-off after an error"],
  ["unschedulablePods", "Waiting for something to change"],
] as const;

interface Attempt {
  readonly at: number;
  readonly decision: Decision;
}

function attemptsOf(state: unknown): Attempt[] {
  const attempts = items(at(state, "attempts")).flatMap((attempt) => {
    const decision = at(attempt, "decision");
    return isDecision(decision) ? [{ at: numberAt(attempt, "at") ?? 0, decision }] : [];
  });
  const current = at(state, "cycle.decision");
  return isDecision(current) ? [...attempts, { at: numberAt(at(state, "cycle"), "startedAt") ?? 0, decision: current }] : attempts;
}

function Scheduler({ state, now }: ViewProps): JSX.Element {
  const [chosen, setChosen] = useState<number>();
  const attempts = attemptsOf(state);
  const attempt = attempts.find((one) => one.at === chosen) ?? attempts.at(-1);
  const queues = QUEUES.map(([name, what]) => ({ name, what, pods: items(at(state, `queue.${name}`)) }));
  const bindings = items(at(state, "bindings"));
  const waiting = queues.flatMap(({ name, pods }) =>
    pods.map((queued) => [name, nameOf(at(queued, "pod")), text(at(queued, "attempts")), items(at(queued, "unschedulablePlugins")).map(text).join(", ") || text(at(queued, "gated")), shortTime(Math.max(0, now - (numberAt(queued, "timestamp") ?? now)))]),
  );
  return (
    <>
      <FactList
        facts={[
          ["Queues", queues.map(({ name, what, pods }) => <span key={name} title={what}>{`${name} ${pods.length}  `}</span>)],
          ["Cycle", text(at(state, "cycle.step")) === "" ? "none under way" : `${text(at(state, "cycle.step"))} ${nameOf(at(state, "cycle.queued.pod"))}`],
        ]}
      />
      {waiting.length > 0 && <Table title="Pods in the queues" columns={["queue", "Pod", "tries", "held by", "for"]} rows={waiting} none="" />}
      {bindings.length > 0 && <Table title="Bindings under way" columns={["Pod", "node", "step"]} none="" rows={bindings.map((binding) => [nameOf(at(binding, "queued.pod")), text(at(binding, "node")), text(at(binding, "step"))])} />}
      <h4>Latest decisions</h4>
      {attempt === undefined ? (
        <p className={styles.hint}>None yet at this time.</p>
      ) : (
        <>
          <fieldset className={styles.choices} aria-label="Decision">
            {attempts.slice(-6).map((one) => (
              <button key={`${one.at}/${nameOf(one.decision.pod)}`} type="button" className={styles.small} aria-pressed={one === attempt} onClick={() => setChosen(one.at)}>
                {captionTime(one.at)} {nameOf(one.decision.pod)}
              </button>
            ))}
          </fieldset>
          <DecisionView decision={attempt.decision} />
        </>
      )}
    </>
  );
}

export const schedulerView: ComponentViewSpec = { title: "Queues and decision", matches: (component) => component === "kube-scheduler", View: Scheduler };
