// Models kubernetes/pkg/scheduler/backend/queue/{scheduling_queue,active_queue,backoff_queue,unschedulable_pods}.go
import { MINUTE, type Micros, SECOND } from "../api/time.ts";
import type { Pod } from "../api/types.ts";
import { backoffDuration } from "./backoff.ts";
import { defaultConfig, defaultProfile, profileFor } from "./config/load.ts";
import type { Profile, SchedulerConfig } from "./config/types.ts";
import type { Waiting } from "./framework.ts";
import { podKey } from "./node-info.ts";
import { compareQueued } from "./plugins/priority-sort.ts";
import { pointsOf } from "./plugins/registry.ts";
import { type ClusterEvent, isOfInterestToGate, isWorthRequeuing } from "./queueing-hints.ts";

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
  /** The plugins that rejected it, in the last attempt or in PreEnqueue; none after an error. */
  readonly unschedulablePlugins: readonly string[];
  /** Why PreEnqueue keeps it out of activeQ; "" if nothing does. */
  readonly gated: string;
  /** The plugin that says so: only its own events are looked at. */
  readonly gatingPlugin: string;
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

/** What the queue looks at besides its Pods. */
export interface QueueContext extends Waiting {
  readonly now: Micros;
}

export const emptyQueue = (config: SchedulerConfig = defaultConfig): SchedulingQueue => ({ config, activeQ: [], podBackoffQ: [], podErrorBackoffQ: [], unschedulablePods: [], inFlight: [], events: [] });

/** When the Pod's back-off ends, on a whole second; 0 for none. */
export function backoffExpiration({ podInitialBackoffSeconds, podMaxBackoffSeconds }: SchedulerConfig, queued: QueuedPod): Micros {
  const count = queued.errorCount > 0 ? queued.errorCount : queued.unschedulableCount;
  const duration = backoffDuration(count, podInitialBackoffSeconds * SECOND, podMaxBackoffSeconds * SECOND);
  return duration === 0 ? 0 : Math.floor((queued.timestamp + duration) / BACKOFF_WINDOW) * BACKOFF_WINDOW;
}

/** When the queue lets the Pod go: a back-off lasts until the second in which it ends is over. 0 for none. */
export function backoffEnd(config: SchedulerConfig, queued: QueuedPod): Micros {
  const expiration = backoffExpiration(config, queued);
  return expiration === 0 ? 0 : expiration + BACKOFF_WINDOW;
}

export const isBackingOff = (config: SchedulerConfig, queued: QueuedPod, now: Micros): boolean => now < backoffEnd(config, queued);

/** The look at unschedulablePods that takes the Pod along for its age, if no event does before. */
export const flushAt = ({ timestamp }: QueuedPod): Micros => (Math.floor((timestamp + MAX_IN_UNSCHEDULABLE) / UNSCHEDULABLE_FLUSH_PERIOD) + 1) * UNSCHEDULABLE_FLUSH_PERIOD;

const byBackoff = (config: SchedulerConfig) => (a: QueuedPod, b: QueuedPod): number => backoffExpiration(config, a) - backoffExpiration(config, b) || compareQueued(a, b);

const profileOf = (queue: SchedulingQueue, pod: Pod): Profile => profileFor(queue.config, pod) ?? defaultProfile;

/** isPodWorthRequeuing by the Pod's own profile. */
const wakes = (queue: SchedulingQueue, { pod, unschedulablePlugins }: QueuedPod, event: ClusterEvent, { listers }: QueueContext): boolean => isWorthRequeuing(pod, unschedulablePlugins, event, listers, profileOf(queue, pod).args);

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

/** runPreEnqueuePlugins: the first plugin that says no gates the Pod. */
function checked(queue: SchedulingQueue, queued: QueuedPod, at: QueueContext): QueuedPod {
  for (const plugin of pointsOf(profileOf(queue, queued.pod)).preEnqueue) {
    const status = plugin.preEnqueue?.(queued.pod, at);
    if (!status || status.code === "Success") continue;
    const rejectors = queued.unschedulablePlugins.includes(plugin.name) ? queued.unschedulablePlugins : [...queued.unschedulablePlugins, plugin.name];
    return { ...queued, gated: status.reasons.join(", "), gatingPlugin: plugin.name, unschedulablePlugins: rejectors };
  }
  return queued.gated === "" ? queued : { ...queued, gated: "", gatingPlugin: "" };
}

const park = (queue: SchedulingQueue, queued: QueuedPod): SchedulingQueue => ({ ...queue, unschedulablePods: [...queue.unschedulablePods, queued] });

/** moveToActiveQ: a Pod that PreEnqueue gates goes to unschedulablePods instead. */
function toActive(queue: SchedulingQueue, queued: QueuedPod, at: QueueContext, fromBackoff = false): SchedulingQueue {
  const rest = remove(queue, queued.key);
  const now = fromBackoff ? queued : checked(queue, queued, at);
  return now.gated === "" ? { ...rest, activeQ: insert(rest.activeQ, now, compareQueued) } : park(rest, now);
}

/** moveToBackoffQ: PreEnqueue runs on the way in, as the Pod may be popped from there. */
function toBackoff(queue: SchedulingQueue, queued: QueuedPod, at: QueueContext): SchedulingQueue {
  const rest = remove(queue, queued.key);
  const now = checked(queue, queued, at);
  if (now.gated !== "") return park(rest, now);
  if (now.unschedulablePlugins.length === 0) return { ...rest, podErrorBackoffQ: insert(rest.podErrorBackoffQ, now, byBackoff(queue.config)) };
  return { ...rest, podBackoffQ: insert(rest.podBackoffQ, now, byBackoff(queue.config)) };
}

/** requeuePodWithQueueingStrategy(queueAfterBackoff). */
const requeue = (queue: SchedulingQueue, queued: QueuedPod, at: QueueContext): SchedulingQueue => (isBackingOff(queue.config, queued, at.now) ? toBackoff : toActive)(queue, queued, at);

/** A new Pod without a node. */
export function add(queue: SchedulingQueue, pod: Pod, at: QueueContext): SchedulingQueue {
  const key = podKey(pod);
  return toActive(queue, { pod, key, timestamp: at.now, attempts: 0, unschedulableCount: 0, errorCount: 0, unschedulablePlugins: [], gated: "", gatingPlugin: "" }, at);
}

/** The Pod and all that the queue knows of it; undefined if it is not waiting. */
export const find = (queue: SchedulingQueue, key: string): QueuedPod | undefined =>
  [queue.activeQ, queue.podBackoffQ, queue.podErrorBackoffQ, queue.unschedulablePods].flatMap((list) => list.find((q) => q.key === key) ?? [])[0];

const isInFlight = (queue: SchedulingQueue, key: string): boolean => queue.inFlight.some((p) => p.key === key);

/** The Pod's object changed while it waits or is being scheduled. Its own change may be what it waited for. */
export function update(queue: SchedulingQueue, old: Pod, pod: Pod, at: QueueContext): SchedulingQueue {
  const key = podKey(pod);
  const event: ClusterEvent = { resource: "OwnPod", change: "update", old, object: pod };
  if (isInFlight(queue, key)) return { ...queue, events: [...queue.events, event] };
  const found = find(queue, key);
  if (!found) return add(queue, pod, at);
  const updated = { ...found, pod };
  if (!queue.unschedulablePods.includes(found)) {
    const swap = (list: readonly QueuedPod[]): readonly QueuedPod[] => list.map((q) => (q === found ? updated : q));
    return { ...queue, activeQ: swap(queue.activeQ), podBackoffQ: swap(queue.podBackoffQ), podErrorBackoffQ: swap(queue.podErrorBackoffQ) };
  }
  if (wakes(queue, updated, event, at)) return requeue(queue, updated, at);
  // It stays; only the words of its gate follow the object.
  const stays = found.gated === "" ? updated : checked(queue, updated, at);
  return { ...queue, unschedulablePods: queue.unschedulablePods.map((q) => (q === found ? { ...updated, gated: stays.gated || found.gated } : q)) };
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
  if (!isInFlight(queue, key)) return queue;
  const inFlight = queue.inFlight.filter((p) => p.key !== key);
  return { ...queue, inFlight, events: inFlight.length === 0 ? [] : queue.events };
}

/** addUnschedulableIfNotPresent: back after a failed attempt; events that came meanwhile are looked at now. */
export function addUnschedulable(queue: SchedulingQueue, queued: QueuedPod, pod: Pod, plugins: readonly string[], at: QueueContext): SchedulingQueue {
  if (find(queue, queued.key)) return done(queue, queued.key);
  const since = queue.inFlight.find((p) => p.key === queued.key)?.since ?? queue.events.length;
  const missed = queue.events.slice(since);
  // What no plugin rejected came back because of an error; having no nodes at all counts as one.
  const error = plugins.length === 0;
  const back: QueuedPod = {
    ...queued,
    pod,
    timestamp: at.now,
    unschedulablePlugins: plugins,
    unschedulableCount: error ? queued.unschedulableCount : queued.unschedulableCount + 1,
    errorCount: error ? queued.errorCount + 1 : 0,
  };
  const rest = done(queue, queued.key);
  return error || missed.some((event) => wakes(queue, back, event, at)) ? requeue(rest, back, at) : park(rest, back);
}

/** Straight to activeQ, whatever it waits for; one in flight is tried again when it comes back. */
export function activate(queue: SchedulingQueue, pod: Pod, at: QueueContext): SchedulingQueue {
  const queued = find(queue, podKey(pod));
  if (!queued) return isInFlight(queue, podKey(pod)) ? { ...queue, events: [...queue.events, { resource: "ForceActivate", change: "update", object: pod }] } : queue;
  if (queue.activeQ.includes(queued)) return queue;
  return toActive(queue, queued, at, !queue.unschedulablePods.includes(queued));
}

/** MoveAllToActiveOrBackoffQueue: an event wakes the Pods that it may help, of those that `which` is true for. */
export function move(queue: SchedulingQueue, event: ClusterEvent, at: QueueContext, which?: (pod: Pod) => boolean): SchedulingQueue {
  let next = queue.inFlight.length === 0 ? queue : { ...queue, events: [...queue.events, event] };
  for (const queued of queue.unschedulablePods) {
    if (which && !which(queued.pod)) continue;
    if (queued.gated !== "" && !isOfInterestToGate(queued.gatingPlugin, event)) continue;
    if (wakes(queue, queued, event, at)) next = requeue(next, queued, at);
  }
  return next;
}

/** Pods whose back-off is over go to activeQ. */
export function flushBackoff(queue: SchedulingQueue, at: QueueContext): SchedulingQueue {
  let next = queue;
  for (const queued of [...queue.podBackoffQ, ...queue.podErrorBackoffQ]) if (!isBackingOff(queue.config, queued, at.now)) next = toActive(next, queued, at, true);
  return next;
}

/** Pods that no event has woken for five minutes are tried again all the same. */
export function flushUnschedulable(queue: SchedulingQueue, at: QueueContext): SchedulingQueue {
  let next = queue;
  for (const queued of queue.unschedulablePods) if (queued.gated === "" && at.now - queued.timestamp > MAX_IN_UNSCHEDULABLE) next = requeue(next, queued, at);
  return next;
}
