// How far two runs of the same cluster may lie apart, and why. Milliseconds.

/** genericPlegRelistPeriod: a start or an end is noticed at the next relist, and nobody knows where in its second a scenario began. */
const RELIST = 1_000;
/** The sync loop looks at its work queue once a second (syncTicker); the job controller gathers a second of Pod changes (syncJobBatchPeriod). */
const TICK = 1_000;
/** Two cores, up to eight scenarios at once: API hops, the volume manager's 300 ms poll, a container's start. */
export const MACHINE = 600;
/** workerBackOffPeriodJitterFactor and workerResyncIntervalJitterFactor stretch every wait of a Pod worker by up to a half. */
const JITTER = 1.5;
/** A lease is renewed every 10 s, the node's status computed every 10 s: both in phases of their own. */
const HEARTBEAT = 10_000;
/** maxBackoffDelay of the kubelet's connections to the runtime, stretched by gRPC's jitter of 0.2. */
export const DIAL = 3_600;
/** The status manager writes one Pod at a time, and up to eight scenarios began together: what follows so soon is often written with it. */
export const MERGED = 500;
/** housekeepingPeriod: a mirror Pod without its static Pod goes at the next round. */
export const HOUSEKEEPING = 2_000;
/** The recorder looked at the STATUS column twice a second. */
export const POLL = 500;

/** Steps that follow at once on what is seen before them. */
const STEPS = new Set(["Created", "Started", "ScalingReplicaSet", "ResizeStarted", "ResizeCompleted"]);
/** What a Pod worker says when it wakes: its waits are the jittered ones. */
const SYNCS = new Set(["Pulled", "Pulling", "BackOff", "Failed", "ErrImageNeverPull", "InspectFailed", "InvalidImageName", "FailedCreatePodSandBox", "SandboxChanged", "FailedMount", "NetworkNotReady", "FailedKillPod"]);
const HEARTBEATS = new Set(["NodeNotReady", "NodeReady", "NodeNotSchedulable", "NodeSchedulable", "TaintManagerEviction"]);

export interface Waits {
  /** The longest probe period of the scenario's Pods: a probe's phase against a container's start is chance. */
  readonly probePeriod: number;
  /** The runtime was stopped: its connections come back within their back-off. */
  readonly runtimeStopped: boolean;
}

/** Whether a wait of `got` ms can be what took `want` ms in the recording. `reason`: of the Event that ended it; "" for a change of status. */
export function sameWait(reason: string, want: number, got: number, { probePeriod, runtimeStopped }: Waits): boolean {
  const slack = runtimeStopped ? DIAL : 0;
  const within = (by: number, factor = 1): boolean => got <= want * factor + by + slack && want <= got * factor + by + slack;
  if (STEPS.has(reason)) return within(MACHINE);
  if (HEARTBEATS.has(reason)) return within(HEARTBEAT);
  if (reason === "Unhealthy" || reason === "Killing") return within(RELIST + MACHINE + probePeriod);
  return SYNCS.has(reason) || reason === "" ? within(RELIST + TICK + MACHINE + (reason === "" ? probePeriod : 0), JITTER) : within(RELIST + TICK + MACHINE);
}
