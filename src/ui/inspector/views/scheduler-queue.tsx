import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import { client } from "../../../timeline/client.ts";
import { useTimeline } from "../../../timeline/store.ts";
import { useAsked } from "../../widgets/use-asked.ts";
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

/** What the scheduler counts against a Pod: without any there is no back-off. */
const isCounted = (queued: unknown): boolean => (numberAt(queued, "errorCount") ?? 0) > 0 || (numberAt(queued, "unschedulableCount") ?? 0) > 0;

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
/** Enough to be told of scheduler back-offs. */
const BACKOFF_WEIGHT = 2;

function WaitingPod({ waiting: { queue, what, queued }, end, now, open }: { readonly waiting: Waiting; readonly end: number | undefined; readonly now: number; readonly open: boolean }): JSX.Element {
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
          ["Back-off", end !== undefined ? `until ${captionTime(end)}` : isCounted(queued) ? "over: it can be tried as soon as it is woken" : "none"],
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
  const run = useTimeline((timeline) => timeline.run?.id ?? "");
  const asked = useAsked(`${run}/${now}`, () => client.waits(now, BACKOFF_WEIGHT));
  const ends = new Map((asked.value ?? []).flatMap(({ kind, name, until }) => (kind === "scheduler-backoff" && until !== undefined ? [[name, until]] : [])));
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
            <WaitingPod key={text(at(waiting.queued, "key"))} waiting={waiting} end={ends.get(nameOf(at(waiting.queued, "pod")))} now={now} open={pods.length <= FEW} />
          ))}
        </ul>
      )}
    </div>
  );
}
