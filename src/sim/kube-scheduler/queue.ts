// Models kubernetes/pkg/scheduler/backend/queue/{scheduling_queue,active_queue,backoff_queue,unschedulable_pods}.go
import { MINUTE, type Micros, SECOND } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import { backoffDuration } from "./backoff.ts";
import { defaultConfig, defaultProfile, profileFor } from "./config/load.ts";
import type { Profile, SchedulerConfig } from "./config/types.ts";
import type { Listers } from "./listers.ts";
import { podKey } from "./node-info.ts";
import { compareQueued } from "./plugins/priority-sort.ts";
import { pointsOf } from "./plugins/registry.ts";
import { type ClusterEvent, isWorthRequeuing } from "./queueing-hints.ts";

/** Back-off times end on whole seconds, so that Pods of one second are ordered by priority. */
const BACKOFF_WINDOW: Micros = SECOND;
export const UNSCHEDULABLE_FLUSH_PERIOD: Micros = 30 * SECOND;
const MAX_IN_UNSCHEDULABLE: Micros = 5 * MINUTE;

export interface QueuedPod {
  readonly pod: Pod;
  readonly key: string;
  /** When it last entered the queue. */
  readonly timestamp: Micros;
  readonly attempts: number;
  /** Rejections in a row by plugins; sets the back-off. */
  readonly unschedulableCount: number;
  /** Errors in a row (a failed Binding); they count before rejections. */
  readonly errorCount: number;
  readonly unschedulablePlugins: readonly string[];
  /** Why PreEnqueue keeps it out of activeQ; "" if nothing does. */
  readonly gated: string;
}

interface InFlight {
  readonly key: string;
  /** Index into `events` of the first event that came after it was popped. */
  readonly since: number;
}

/** Where every Pod without a node is. Arrays are in the order in which Pods leave. */
export interface SchedulingQueue {
  readonly config: SchedulerConfig;
  readonly activeQ: readonly QueuedPod[];
  readonly podBackoffQ: readonly QueuedPod[];
  readonly podErrorBackoffQ: readonly QueuedPod[];
  readonly unschedulablePods: readonly QueuedPod[];
  readonly inFlight: readonly InFlight[];
  /** Events since the oldest Pod in flight was popped: they may concern Pods whose fate is not known yet. */
  readonly events: readonly ClusterEvent[];
}

export const emptyQueue = (config: SchedulerConfig = defaultConfig): SchedulingQueue => ({ config, activeQ: [], podBackoffQ: [], podErrorBackoffQ: [], unschedulablePods: [], inFlight: [], events: [] });

/** When the Pod's back-off ends, on a whole second. */
export function backoffExpiration({ podInitialBackoffSeconds, podMaxBackoffSeconds }: SchedulerConfig, queued: QueuedPod): Micros {
  const count = queued.errorCount > 0 ? queued.errorCount : queued.unschedulableCount;
  const duration = backoffDuration(count, podInitialBackoffSeconds * SECOND, podMaxBackoffSeconds * SECOND);
  return duration === 0 ? 0 : Math.floor((queued.timestamp + duration) / BACKOFF_WINDOW) * BACKOFF_WINDOW;
}

const isBackingOff = (config: SchedulerConfig, queued: QueuedPod, now: Micros): boolean => backoffExpiration(config, queued) > Math.floor(now / BACKOFF_WINDOW) * BACKOFF_WINDOW;

const byBackoff = (config: SchedulerConfig) => (a: QueuedPod, b: QueuedPod): number => backoffExpiration(config, a) - backoffExpiration(config, b) || compareQueued(a, b);

const profileOf = (queue: SchedulingQueue, pod: Pod): Profile => profileFor(queue.config, pod) ?? defaultProfile;

/** isPodWorthRequeuing by the Pod's own profile. */
const wakes = (queue: SchedulingQueue, { pod, unschedulablePlugins }: QueuedPod, event: ClusterEvent, listers: Listers): boolean => isWorthRequeuing(pod, unschedulablePlugins, event, listers, profileOf(queue, pod).args);

function insert(list: readonly QueuedPod[], queued: QueuedPod, compare: (a: QueuedPod, b: QueuedPod) => number): readonly QueuedPod[] {
  let at = list.length;
  for (let before = list[at - 1]; before && compare(before, queued) > 0; before = list[at - 1]) at -= 1;
  return list.toSpliced(at, 0, queued);
}

const without = (list: readonly QueuedPod[], key: string): readonly QueuedPod[] => (list.some((q) => q.key === key) ? list.filter((q) => q.key !== key) : list);

/** Removes a Pod from wherever it waits; one in flight stays in flight. */
export function remove(queue: SchedulingQueue, key: string): SchedulingQueue {
  const activeQ = without(queue.activeQ, key);
  const podBackoffQ = without(queue.podBackoffQ, key);
  const podErrorBackoffQ = without(queue.podErrorBackoffQ, key);
  const unschedulablePods = without(queue.unschedulablePods, key);
  if (activeQ === queue.activeQ && podBackoffQ === queue.podBackoffQ && podErrorBackoffQ === queue.podErrorBackoffQ && unschedulablePods === queue.unschedulablePods) return queue;
  return { ...queue, activeQ, podBackoffQ, podErrorBackoffQ, unschedulablePods };
}

/** PreEnqueue, then activeQ; a gated Pod goes to unschedulablePods instead. */
function enqueue(queue: SchedulingQueue, queued: QueuedPod): SchedulingQueue {
  const gated = pointsOf(profileOf(queue, queued.pod)).preEnqueue.flatMap((plugin) => plugin.preEnqueue?.(queued.pod).reasons ?? []).join(", ");
  if (gated !== "") return { ...queue, unschedulablePods: [...queue.unschedulablePods, { ...queued, gated }] };
  return { ...queue, activeQ: insert(queue.activeQ, { ...queued, gated: "" }, compareQueued) };
}

/** A new Pod without a node. */
export function add(queue: SchedulingQueue, pod: Pod, now: Micros): SchedulingQueue {
  const key = podKey(pod);
  return enqueue(remove(queue, key), { pod, key, timestamp: now, attempts: 0, unschedulableCount: 0, errorCount: 0, unschedulablePlugins: [], gated: "" });
}

/** The Pod and all that the queue knows of it; undefined if it is not waiting. */
export const find = (queue: SchedulingQueue, key: string): QueuedPod | undefined =>
  [queue.activeQ, queue.podBackoffQ, queue.podErrorBackoffQ, queue.unschedulablePods].flatMap((list) => list.find((q) => q.key === key) ?? [])[0];

/** requeuePodWithQueueingStrategy(queueAfterBackoff). */
function requeue(queue: SchedulingQueue, queued: QueuedPod, now: Micros): SchedulingQueue {
  const rest = remove(queue, queued.key);
  if (!isBackingOff(queue.config, queued, now)) return enqueue(rest, queued);
  if (queued.errorCount > 0) return { ...rest, podErrorBackoffQ: insert(rest.podErrorBackoffQ, queued, byBackoff(queue.config)) };
  return { ...rest, podBackoffQ: insert(rest.podBackoffQ, queued, byBackoff(queue.config)) };
}

/** The Pod's object changed while it waits. Its own change may be what it waited for. */
export function update(queue: SchedulingQueue, old: Pod, pod: Pod, listers: Listers, now: Micros): SchedulingQueue {
  const key = podKey(pod);
  const found = find(queue, key);
  if (!found) return queue.inFlight.some((p) => p.key === key) ? queue : add(queue, pod, now);
  const updated = { ...found, pod };
  if (!queue.unschedulablePods.includes(found)) {
    const swap = (list: readonly QueuedPod[]): readonly QueuedPod[] => list.map((q) => (q === found ? updated : q));
    return { ...queue, activeQ: swap(queue.activeQ), podBackoffQ: swap(queue.podBackoffQ), podErrorBackoffQ: swap(queue.podErrorBackoffQ) };
  }
  if (found.gated !== "") return enqueue(remove(queue, key), updated);
  const event: ClusterEvent = { resource: "OwnPod", change: "update", old, object: pod };
  if (found.unschedulablePlugins.length > 0 && wakes(queue, updated, event, listers)) return requeue(queue, updated, now);
  return { ...queue, unschedulablePods: queue.unschedulablePods.map((q) => (q === found ? updated : q)) };
}

export interface Popped {
  readonly queue: SchedulingQueue;
  readonly next: QueuedPod;
}

/** The next Pod to try; if activeQ is empty one is taken from podBackoffQ before its time (never after an error). */
export function pop(queue: SchedulingQueue): Popped | undefined {
  const next = queue.activeQ[0] ?? queue.podBackoffQ[0];
  if (!next) return undefined;
  const inFlight = [...queue.inFlight, { key: next.key, since: queue.events.length }];
  return { next: { ...next, attempts: next.attempts + 1 }, queue: { ...remove(queue, next.key), inFlight } };
}

/** The Pod's fate is known: it is bound, gone, or back in the queue. */
export function done(queue: SchedulingQueue, key: string): SchedulingQueue {
  if (!queue.inFlight.some((p) => p.key === key)) return queue;
  const inFlight = queue.inFlight.filter((p) => p.key !== key);
  return { ...queue, inFlight, events: inFlight.length === 0 ? [] : queue.events };
}

export interface Failure {
  readonly pod: Pod;
  readonly plugins: readonly string[];
  readonly error: boolean;
}

/** addUnschedulableIfNotPresent: back after a failed attempt; events that came meanwhile are looked at now. */
export function addUnschedulable(queue: SchedulingQueue, queued: QueuedPod, failure: Failure, listers: Listers, now: Micros): SchedulingQueue {
  const since = queue.inFlight.find((p) => p.key === queued.key)?.since ?? queue.events.length;
  const missed = queue.events.slice(since);
  const back: QueuedPod = {
    ...queued,
    pod: failure.pod,
    timestamp: now,
    unschedulablePlugins: failure.plugins,
    unschedulableCount: failure.error ? queued.unschedulableCount : queued.unschedulableCount + 1,
    errorCount: failure.error ? queued.errorCount + 1 : 0,
  };
  const rest = done(remove(queue, queued.key), queued.key);
  if (failure.plugins.length === 0 || missed.some((event) => wakes(queue, back, event, listers))) return requeue(rest, back, now);
  return { ...rest, unschedulablePods: [...rest.unschedulablePods, back] };
}

/** Straight to activeQ, whatever it waits for. */
export function activate(queue: SchedulingQueue, key: string): SchedulingQueue {
  const queued = find(queue, key);
  return queued ? enqueue(remove(queue, key), queued) : queue;
}

/** MoveAllToActiveOrBackoffQueue: an event wakes the Pods that it may help; not those that are preempting others just now. */
export function move(queue: SchedulingQueue, event: ClusterEvent, listers: Listers, now: Micros, preempting: readonly string[] = []): SchedulingQueue {
  let next = queue.inFlight.length === 0 ? queue : { ...queue, events: [...queue.events, event] };
  for (const queued of queue.unschedulablePods) {
    if (queued.gated !== "" || preempting.includes(queued.key)) continue;
    if (wakes(queue, queued, event, listers)) next = requeue(next, queued, now);
  }
  return next;
}

/** Pods whose back-off is over go to activeQ. */
export function flushBackoff(queue: SchedulingQueue, now: Micros): SchedulingQueue {
  let next = queue;
  for (const queued of [...queue.podBackoffQ, ...queue.podErrorBackoffQ]) if (!isBackingOff(queue.config, queued, now)) next = enqueue(remove(next, queued.key), queued);
  return next;
}

/** Pods that no event has woken for five minutes are tried again all the same. */
export function flushUnschedulable(queue: SchedulingQueue, now: Micros): SchedulingQueue {
  let next = queue;
  for (const queued of queue.unschedulablePods) if (queued.gated === "" && now - queued.timestamp > MAX_IN_UNSCHEDULABLE) next = requeue(next, queued, now);
  return next;
}
