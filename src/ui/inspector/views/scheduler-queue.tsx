import type { JSX } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import styles from "../inspector.module.css";
import { Table } from "./parts.tsx";
import { at, items, nameOf, numberAt, text } from "./view.ts";
import { WAKES } from "./wakes.ts";

const QUEUES = [
  ["activeQ", "ready to be tried, the highest priority first"],
  ["podBackoffQ", "waits out a back-off after a rejection; taken earlier if nothing else is left to do"],
  ["podErrorBackoffQ", "waits out a back-off after an error"],
  ["unschedulablePods", "waits for something to change; tried again after five minutes at the latest"],
] as const;

const SECOND = 1_000_000;

/** backoffExpiration of the scheduler's queue: on a whole second. */
export function backoffEnd(queued: unknown, initialSeconds: number, maxSeconds: number): number {
  const errors = numberAt(queued, "errorCount") ?? 0;
  const count = errors > 0 ? errors : (numberAt(queued, "unschedulableCount") ?? 0);
  if (count === 0 || maxSeconds === 0) return 0;
  const duration = Math.min(maxSeconds, initialSeconds * 2 ** (count - 1));
  return Math.floor(((numberAt(queued, "timestamp") ?? 0) + duration * SECOND) / SECOND) * SECOND;
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
  if (name === "activeQ") return <>its turn</>;
  if (name !== "unschedulablePods") return <>the end of its back-off</>;
  if (text(at(queued, "gated")) !== "") return <>its own gates are removed</>;
  const plugins = items(at(queued, "unschedulablePlugins")).map(text);
  const known = plugins.filter((plugin) => WAKES[plugin] !== undefined);
  if (known.length === 0) return <>only the five minutes</>;
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

/** Every waiting Pod: in which queue, why, until when, and what would wake it. */
export function QueueTable({ state, now }: { readonly state: unknown; readonly now: number }): JSX.Element {
  const initial = numberAt(state, "queue.config.podInitialBackoffSeconds") ?? 1;
  const max = numberAt(state, "queue.config.podMaxBackoffSeconds") ?? 10;
  const rows = QUEUES.flatMap(([name, what]) =>
    items(at(state, `queue.${name}`)).map((queued) => {
      const end = backoffEnd(queued, initial, max);
      return [
        nameOf(at(queued, "pod")),
        <span key="queue" title={what}>
          {name}
        </span>,
        `${text(at(queued, "attempts"))}`,
        shortTime(Math.max(0, now - (numberAt(queued, "timestamp") ?? now))),
        reason(queued),
        end > now ? `until ${captionTime(end)}` : end > 0 ? "over" : "none",
        <Wakes key="wakes" queued={queued} name={name} />,
      ];
    }),
  );
  return <Table title="Queue" columns={["Pod", "queue", "tries", "waits for", "because", "back-off", "woken by"]} rows={rows} none="No Pod waits." />;
}
