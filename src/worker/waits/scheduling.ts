import { SECOND } from "../../sim/api/time.ts";
import { backoffDuration } from "../../sim/kube-scheduler/backoff.ts";
import { backoffEnd, flushAt, isBackingOff, type QueuedPod } from "../../sim/kube-scheduler/queue.ts";
import { nameOf, type SchedulerState } from "../../sim/kube-scheduler/scheduler-state.ts";
import type { WaitView } from "../protocol-waits.ts";
import { type Asked, podKey, rungOf, rungs, running } from "./asked.ts";

const because = ({ unschedulablePlugins, gated }: QueuedPod): string => (unschedulablePlugins.length > 0 ? `rejected by ${unschedulablePlugins.join(", ")}` : gated !== "" ? gated : "an error");

/** A Pod's back-off runs wherever it is parked: an event that would wake it earlier sends it to a back-off queue. */
function backoff(component: string, { queue }: SchedulerState, queued: QueuedPod, where: string, asked: Asked): WaitView[] {
  if (!isBackingOff(queue.config, queued, asked.at)) return [];
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = queue.config;
  const wait = (count: number): number => backoffDuration(count, initial * SECOND, max * SECOND);
  const ladder = rungs((n) => wait(n + 1));
  const count = queued.errorCount > 0 ? queued.errorCount : queued.unschedulableCount;
  const until = backoffEnd(queue.config, queued);
  const facts: WaitView["facts"] = [["Parked in", where], ["Why", because(queued)], ["Attempts", String(queued.attempts)]];
  return [{ id: `scheduler-backoff/${queued.key}/${queued.timestamp}`, kind: "scheduler-backoff", about: podKey(nameOf(queued.pod)), name: nameOf(queued.pod), part: queued.errorCount > 0 ? "after an error" : "after a rejection", component, since: queued.timestamp, until, ladder, ...rungOf(ladder, wait(count)), facts, weight: 50 }];
}

function parked(component: string, queued: QueuedPod): WaitView {
  const base = { about: podKey(nameOf(queued.pod)), name: nameOf(queued.pod), component, since: queued.timestamp, ladder: [] };
  if (queued.gated !== "") return { ...base, id: `gate/${queued.key}`, kind: "gate", part: queued.gatingPlugin, openBecause: "no timer ends it: the gate has to open", facts: [["Says", queued.gated]], weight: 5 };
  return { ...base, id: `unschedulable/${queued.key}/${queued.timestamp}`, kind: "unschedulable", part: "no node fits", until: flushAt(queued), facts: [["Why", because(queued)], ["Attempts", String(queued.attempts)]], weight: 10 };
}

/** Pods that the leading scheduler does not try just now. */
export const schedulingWaits = (asked: Asked): WaitView[] =>
  running<SchedulerState>("kube-scheduler", asked).flatMap(([component, state]) => {
    if (state.standby) return [];
    const { podBackoffQ, podErrorBackoffQ, unschedulablePods } = state.queue;
    return [
      ...podBackoffQ.flatMap((queued) => backoff(component, state, queued, "podBackoffQ", asked)),
      ...podErrorBackoffQ.flatMap((queued) => backoff(component, state, queued, "podErrorBackoffQ", asked)),
      ...unschedulablePods.flatMap((queued) => [...(queued.gated === "" ? backoff(component, state, queued, "unschedulablePods", asked) : []), parked(component, queued)]),
    ];
  });
