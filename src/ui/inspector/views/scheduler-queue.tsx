import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { useTimeline } from "../../../timeline/store.ts";
import styles from "../inspector.module.css";
import { FactList } from "./parts.tsx";
import { at, items, nameOf, numberAt, text } from "./view.ts";
import { WAKES } from "./wakes.ts";

const QUEUES = [
  ["activeQ", "ready to be tried, the highest priority first"],
  ["podBackoffQ", "waits out a back-off after a rejection; taken earlier if nothing else is left to do"],
  ["podErrorBackoffQ", "waits out a back-off after an error"],
  ["unschedulablePods", "waits for something to change; tried again after five minutes at the latest"],
] as const;

const SECOND = 1_000_000;

/** When the scheduler lets the Pod go: the second in which its back-off ends is over. 0 for no back-off. */
export function backoffEnd(queued: unknown, initialSeconds: number, maxSeconds: number): number {
  const errors = numberAt(queued, "errorCount") ?? 0;
  const count = errors > 0 ? errors : (numberAt(queued, "unschedulableCount") ?? 0);
  if (count === 0 || maxSeconds === 0) return 0;
  const duration = Math.min(maxSeconds, initialSeconds * 2 ** (count - 1));
  return (Math.floor(((numberAt(queued, "timestamp") ?? 0) + duration * SECOND) / SECOND) + 1) * SECOND;
}

function reason(queued: unknown): string {
  const gated = text(at(queued, "gated"));
  if (gated !== "") return gated;
  const plugins = items(at(queued, "unschedulablePlugins")).map(text);
  if (plugins.length > 0) return `rejected by ${plugins.join(", ")}`;
  return (numberAt(queued, "errorCount") ?? 0) > 0 ? "an error" : "";
}

/** Which events make the plugins that rejected the Pod look again. */
function Wakes({ queued, name }: { readonly queued: unknown; readonly name: string }): JSX.Element {
  if (name === "activeQ") return <p>Nothing needs to: it is its turn next.</p>;
  if (name !== "unschedulablePods") return <p>The end of its back-off.</p>;
  if (text(at(queued, "gated")) !== "") return <p>{text(at(queued, "gatingPlugin")) === "SchedulingGates" ? "All its own gates are removed." : (WAKES[text(at(queued, "gatingPlugin"))] ?? "Its gate opens.")}</p>;
  const plugins = items(at(queued, "unschedulablePlugins")).map(text);
  const known = plugins.filter((plugin) => WAKES[plugin] !== undefined);
  if (known.length === 0) return <p>Only the five minutes.</p>;
  return (
    <ul className={styles.wakes}>
      {known.map((plugin) => (
        <li key={plugin}>
          {plugin}: {WAKES[plugin]}
        </li>
      ))}
    </ul>
  );
}

interface Waiting {
  readonly queue: string;
  readonly what: string;
  readonly queued: unknown;
}

/** With more Pods than this the list keeps to the facts. */
const FEW = 3;

function WaitingPod({ waiting: { queue, what, queued }, end, now, open }: { readonly waiting: Waiting; readonly end: number; readonly now: number; readonly open: boolean }): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const name = nameOf(at(queued, "pod"));
  const why = reason(queued);
  const since = Math.max(0, now - (numberAt(queued, "timestamp") ?? now));
  return (
    <li>
      <div>
        <button type="button" className={styles.linkButton} onClick={() => pin({ kind: "object", key: `/registry/pods/${name}` })}>
          {name}
        </button>{" "}
        <strong>{queue}</strong> <span className={styles.dim}>{what}</span>
      </div>
      <FactList
        facts={[
          ["Because", why],
          ["Waits for", `${shortTime(since)} after ${numberAt(queued, "attempts") ?? 0} ${numberAt(queued, "attempts") === 1 ? "try" : "tries"}`],
          ["Back-off", end === 0 ? "none" : end > now ? `until ${captionTime(end)}` : "over: it can be tried as soon as it is woken"],
        ]}
      />
      <details open={open}>
        <summary>What would wake it</summary>
        <Wakes queued={queued} name={queue} />
      </details>
    </li>
  );
}

/** Every waiting Pod: in which queue, why, until when, and what would wake it. */
export function QueueList({ state, now }: { readonly state: unknown; readonly now: number }): JSX.Element {
  const initial = numberAt(state, "queue.config.podInitialBackoffSeconds") ?? 1;
  const max = numberAt(state, "queue.config.podMaxBackoffSeconds") ?? 10;
  const pods = QUEUES.flatMap(([queue, what]) => items(at(state, `queue.${queue}`)).map((queued): Waiting => ({ queue, what, queued })));
  return (
    <div className={styles.part}>
      <h4>
        Queue {pods.length > 0 && <span className={styles.dim}>{pods.length}</span>}
      </h4>
      {pods.length === 0 ? (
        <p className={styles.hint}>No Pod waits.</p>
      ) : (
        <ul className={styles.waiting}>
          {pods.map((waiting) => (
            <WaitingPod key={text(at(waiting.queued, "key"))} waiting={waiting} end={backoffEnd(waiting.queued, initial, max)} now={now} open={pods.length <= FEW} />
          ))}
        </ul>
      )}
    </div>
  );
}
