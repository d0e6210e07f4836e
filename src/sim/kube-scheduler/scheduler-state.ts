// Models kubernetes/pkg/scheduler/scheduler.go (Scheduler) and backend/cache
import type { Pod } from "../api/types.ts";
import type { ApiClient } from "../client-go/api-client.ts";
import type { Informer } from "../client-go/informer.ts";
import type { Ctx, MailId, Micros } from "../kernel/types.ts";
import type { Batch } from "./batch.ts";
import type { ClaimWork } from "./claim-binder.ts";
import { SCHEDULER_NAME } from "./config/load.ts";
import type { Decision } from "./decision.ts";
import type { EventSeries } from "./events.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "./listers.ts";
import { namespaceOf, podKey } from "./node-info.ts";
import type { QueuedPod, SchedulingQueue } from "./queue.ts";
import type { Snapshot } from "./snapshot.ts";

/** The scheduling cycle in progress: strictly one Pod at a time. */
export interface ActiveCycle {
  readonly queued: QueuedPod;
  readonly step: "filter" | "score" | "reserve";
  readonly startedAt: Micros;
  readonly decision: Decision;
}

/** What VolumeBinding's PreBind does for a Pod: writes the objects one after the other, then waits for the claims. */
export interface VolumeWork {
  /** Volumes as they are to be written, or as the API server gave them back, each with its claim. */
  readonly bindings: readonly { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim }[];
  /** Claims that a provisioner is to make a volume for. */
  readonly provisions: readonly PersistentVolumeClaim[];
  /** How many of them all are written. */
  readonly written: number;
}

/** A binding cycle: upstream gives each Pod a goroutine, so many may run at once. */
// Permit has no step of its own: the one plugin that lets Pods wait there (GangScheduling) is alpha and off.
export interface BindingCycle {
  readonly queued: QueuedPod;
  readonly node: string;
  readonly step: "writing volumes" | "waiting for volumes" | "writing claims" | "bind";
  /** When the step began. */
  readonly startedAt: Micros;
  readonly decision: Decision;
  readonly volumes: VolumeWork | null;
  readonly claims: ClaimWork | null;
  /** The request for a volume or claim, or the Binding POST, that is under way; -1 if none is. */
  readonly request: MailId;
}

/** Until PreBind is over a binding cycle can be called back. */
export const isCancellable = ({ step }: BindingCycle): boolean => step !== "bind";

/** One victim: first its condition is written, then it is deleted. */
export interface Eviction {
  readonly victim: Pod;
  readonly step: "condition" | "delete";
  readonly request: MailId;
}

/** Victims being asked to leave: all at once but for the last, whose deletion is what wakes the preemptor. */
export interface Preemption {
  readonly preemptor: Pod;
  readonly node: string;
  readonly evictions: readonly Eviction[];
  readonly last: Pod | null;
}

export interface Attempt {
  readonly at: Micros;
  readonly attempt: number;
  readonly decision: Decision;
}

export interface SchedulerState {
  readonly informers: readonly Informer[];
  /** The cache: nodes with bound and assumed Pods, and the listers. */
  readonly snapshot: Snapshot;
  /** Pods counted on their node though the API server has not confirmed the Binding, by key. */
  readonly assumed: readonly Pod[];
  readonly queue: SchedulingQueue;
  readonly cycle: ActiveCycle | null;
  readonly bindings: readonly BindingCycle[];
  readonly preemptions: readonly Preemption[];
  readonly nextStartNodeIndex: number;
  /** Scheduling cycles so far. */
  readonly cycles: number;
  /** By scheduler name. */
  readonly batches: Readonly<Record<string, Batch | undefined>>;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  readonly events: readonly EventSeries[];
  /** An attempt is about to begin. */
  readonly awake: boolean;
  /** Another replica leads: the cache is kept warm and nothing is scheduled. */
  readonly standby: boolean;
  /** The next tick that looks at back-offs, or at Pods left for too long; -1 if none is set. */
  readonly backoffTick: Micros;
  readonly unschedulableTick: Micros;
  /** The next look at event series. */
  readonly seriesTick: Micros;
}

export type SchedulerMessage =
  | { readonly type: "scheduler.attempt" }
  | { readonly type: "scheduler.step"; readonly pod: string }
  | { readonly type: "scheduler.bind"; readonly pod: string }
  | { readonly type: "scheduler.volumes"; readonly pod: string }
  | { readonly type: "scheduler.cancel"; readonly pod: string }
  | { readonly type: "scheduler.series" }
  | { readonly type: "scheduler.flush-backoff" }
  | { readonly type: "scheduler.flush-unschedulable" };

export const client: ApiClient = {
  userAgent: "kube-scheduler/v1.36.2 (linux/amd64) kubernetes/$Format/scheduler",
  credential: { kind: "client-certificate", name: "system:kube-scheduler" },
};

// Chosen for memory: enough to look back over a Deployment's Pods; fewer in clusters where each one tells of many nodes.
const MAX_ATTEMPTS = 128;
const MIN_ATTEMPTS = 8;
const MAX_NODES_REMEMBERED = 5_000;

export function remember(attempts: readonly Attempt[], attempt: Attempt): readonly Attempt[] {
  const limit = Math.max(MIN_ATTEMPTS, Math.min(MAX_ATTEMPTS, Math.floor(MAX_NODES_REMEMBERED / Math.max(1, attempt.decision.numNodes))));
  return [...attempts.slice(Math.max(0, attempts.length + 1 - limit)), attempt];
}

export const after = (ctx: Ctx, segment: string, key: string, message: SchedulerMessage): void => void ctx.after(ctx.latency(segment, `${key} ${ctx.now}`), message);

export const nameOf = (pod: Pod): string => `${namespaceOf(pod)}/${pod.metadata.name ?? ""}`;
export const subjectOf = (pod: Pod): string => `pod/${nameOf(pod)}`;
/** Which profile's name stands for the scheduler in what is written about the Pod. */
export const schedulerNameOf = (pod: Pod): string => pod.spec.schedulerName || SCHEDULER_NAME;
export const podPath = (pod: Pod): string => `/api/v1/namespaces/${namespaceOf(pod)}/pods/${pod.metadata.name ?? ""}`;

/** The Pod as the informer knows it now, if it is still the same one. */
export function currentPod(state: SchedulerState, pod: Pod): Pod | undefined {
  const found = state.informers[0]?.store.get(nameOf(pod)) as Pod | undefined;
  return found && podKey(found) === podKey(pod) ? found : undefined;
}

/** "idle", or what the scheduler is at: its line in the overview. */
export function statusLine(state: SchedulerState): string {
  if (state.cycle) return `scheduling ${nameOf(state.cycle.queued.pod)}`;
  const waiting = state.queue.unschedulablePods.length + state.queue.podBackoffQ.length + state.queue.podErrorBackoffQ.length;
  return waiting > 0 ? `idle, ${waiting} unschedulable` : "idle";
}

/** Executor.IsPodRunningPreemption: Pods that wait until their last victim is on its way, whatever else happens. */
export const preempting = (state: SchedulerState): readonly string[] =>
  state.preemptions.flatMap(({ preemptor, evictions, last }) => {
    const [only] = evictions;
    const victim = last === null && only ? currentPod(state, only.victim) : undefined;
    const leaving = last === null && (victim === undefined || victim.metadata.deletionTimestamp !== undefined);
    return leaving ? [] : [podKey(preemptor)];
  });
