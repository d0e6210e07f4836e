import type { Credential } from "../api/http.ts";
import type { AccessMode, CSIVolumeSource } from "../api/storage.ts";
import type { Pod, PodStatus, KubeObject } from "../api/types.ts";
import type { World, WorldNode } from "../api/world.ts";
import type { ApiClient } from "../client-go/api-client.ts";
import type { EventRecorder } from "../client-go/event-recorder.ts";
import type { Informer } from "../client-go/informer.ts";
import type { CgroupValues, Mount, RuntimePod } from "../cri/messages.ts";
import type { LogsRequest } from "../kube-apiserver/messages.ts";
import type { Draft } from "../kernel/copies.ts";
import type { PMap } from "../kernel/pmap.ts";
import type { MailId, Message, Micros } from "../kernel/types.ts";
import type { ClockStep } from "./clock.ts";
import type { Backoff } from "./backoff.ts";
import type { EvictionState } from "./eviction-manager.ts";
import type { VolumeFiles } from "./container-mounts.ts";
import type { ImageVolumesRun } from "./image-volumes.ts";
import type { NodeVerdict } from "./eviction.ts";
import type { ImageGCState } from "./image-gc.ts";
import type { KubeletConfiguration } from "./kubelet-configuration.ts";
import type { Shutdown } from "./node-shutdown.ts";
import type { Hardware } from "./device-manager.ts";
import type { HostFile } from "./host-path.ts";
import type { PullMemory } from "./image-manager.ts";
import type { ContainerToKill, ContainerToReset, KillReason, PodActions, ProbeResult } from "./pod-actions.ts";
import type { Resize } from "./resize.ts";
import type { StartFailure } from "./pod-status.ts";
import type { ProbeCounter, ProbeType } from "./probe-worker.ts";

/** A Pod worker only moves forward. */
export type WorkerPhase = "syncing" | "terminating" | "terminated" | "finished";
export type FlowName = "syncPod" | "syncTerminatingPod" | "syncTerminatedPod";

/** One container being started: the step is an index into START_CONTAINER. */
export interface StartRun {
  readonly container: string;
  readonly isInit: boolean;
  readonly step: number;
  readonly imageRef: string;
  readonly image: string;
  readonly user: string;
  readonly containerId: string;
  readonly pullStarted: Micros;
  /** What was read of its volumes, by their keys on the node. */
  readonly files?: VolumeFiles;
  readonly mounts?: readonly Mount[];
  /** Why its postStart hook failed. */
  readonly hookError?: string;
}

export interface SyncResult {
  readonly action: "CreatePodSandbox" | "StartContainer" | "KillContainer" | "KillPodSandbox" | "RemoveContainer" | "ResizePodInPlace";
  readonly target: string;
  readonly error?: string;
  readonly message?: string;
  readonly backoffUntil?: Micros;
}

/** One sync of a Pod worker: where it is in its flow and what it has found out. */
export interface SyncRun {
  readonly n: number;
  readonly flow: FlowName;
  readonly step: number;
  readonly pod: Pod;
  /** The runtime's state when the sync began. */
  readonly runtime: RuntimePod | undefined;
  readonly actions: PodActions | undefined;
  readonly sandboxId: string;
  readonly podIP: string;
  readonly toStart: readonly { readonly container: string; readonly isInit: boolean }[];
  readonly start: StartRun | undefined;
  readonly imageVolumes: ImageVolumesRun | undefined;
  readonly toKill: readonly ContainerToKill[];
  readonly toReset: readonly ContainerToReset[];
  readonly sandboxesToStop: readonly string[];
  readonly results: readonly SyncResult[];
  readonly volumesSince: Micros;
  readonly timer: MailId;
}

/** A container on its way out. */
export interface Kill {
  readonly id: string;
  readonly name: string;
  readonly grace: number;
  readonly reason: KillReason;
  readonly step: "begin" | "preStop" | "turn" | "stop";
  readonly since: Micros;
  readonly ordered: boolean;
  /** Seconds spent in the hook and waiting for its turn. */
  readonly spent: number;
  readonly timer: MailId;
}

export interface VolumeState {
  readonly kind: string;
  /** A claim's volume is first resolved; "publishing" is its mounting for the Pod. */
  readonly state: "desired" | "mounting" | "mounted" | "failed" | "unsupported" | "resolving" | "unresolved" | "publishing";
  readonly pending: number;
  readonly error: string;
  readonly failures: number;
  readonly mountedAt: Micros;
  readonly objects: readonly string[];
  /** Of a claim: the PersistentVolume, its device ("" for a mere directory), where it is on the node and in the Pod's directory. */
  readonly claim?: { readonly volume: string; readonly device: string; readonly path: string; readonly target: string; readonly readOnly: boolean; readonly handle?: string };
  /** Of a projected volume: tokens by their paths, and when the kubelet will ask for others. */
  readonly tokens?: Readonly<Record<string, { readonly text: string; readonly refreshAt: Micros }>>;
  /** What was last written, to tell whether anything has changed. */
  readonly shown?: Readonly<Record<string, string>>;
}

/** A disk that Pods of this node need, by its name in node.status. */
export interface Device {
  readonly name: string;
  readonly volume: string;
  readonly driver: string;
  readonly handle: string;
  readonly fsType: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly mode: AccessMode;
  readonly attachRequired: boolean;
  /** The global mount. */
  readonly path: string;
  readonly state: "wanted" | "checking" | "attached" | "staging" | "staged" | "unstaging";
  /** "uid/volume" of Pods. */
  readonly users: readonly string[];
  readonly failures: number;
  readonly retryAt: Micros;
  /** The Pod that first needed it, for readers. */
  readonly subject: string;
}

export interface Worker {
  readonly uid: string;
  readonly key: string;
  /** The newest the API server said of it. */
  readonly pod: Pod;
  /** Still in the API server's list. */
  readonly inConfig: boolean;
  readonly phase: WorkerPhase;
  readonly pending: boolean;
  readonly working: boolean;
  /** An update that was taken up and waits for the runtime cache to be newer than the last sync. Later updates are separate. */
  readonly waiting: { readonly pod: Pod; readonly flow: FlowName } | undefined;
  readonly lastSync: Micros;
  readonly grace: number;
  readonly verdict: NodeVerdict | undefined;
  readonly run: SyncRun | undefined;
  readonly runs: number;
  readonly failures: Readonly<Record<string, StartFailure>>;
  readonly kills: Readonly<Record<string, Kill>>;
  readonly volumes: Readonly<Record<string, VolumeState>>;
  readonly volumesPopulated: boolean;
  readonly requeueTimer: MailId;
  readonly podIP: string;
  /** Running since before time 0: its status is the world's until the runtime shows something new. */
  readonly settled: boolean;
  readonly deadlineArmed: boolean;
  /** Absent for a Pod that was never resized. */
  readonly resize?: Resize;
}

export interface StatusEntry {
  readonly status: PodStatus;
  readonly version: number;
  readonly sent: number;
  readonly finished: boolean;
  readonly heldBack: boolean;
}

export interface StatusSync {
  readonly uid: string;
  readonly version: number;
  readonly step: "delay" | "GET" | "merge" | "PATCH" | "DELETE";
  readonly request: MailId;
  /** The status as it was when this write was begun: later ones wait for the next. */
  readonly status: PodStatus;
  readonly pod?: Pod;
}

export interface ProbeWorker {
  readonly key: string;
  readonly uid: string;
  readonly container: string;
  readonly type: ProbeType;
  readonly containerId: string;
  readonly counter: ProbeCounter;
  /** The stored result for `containerId`. */
  readonly result?: ProbeResult;
  /** Ticks come at base + k * period. */
  readonly base: Micros;
  readonly timer: MailId;
  readonly inFlight: MailId;
  /** What came while it was probing, and is done right after: a manual run, or the tick. */
  readonly queued?: "kick" | "tick";
}

export interface CacheEntry {
  readonly pod: RuntimePod | undefined;
  /** When it was last seen to be so. */
  readonly at: Micros;
}

/** The two gRPC connections to the runtime: images have their own. */
export type ChannelName = "runtime" | "image";

export interface Channel {
  readonly up: boolean;
  /** Dials that failed in a row. */
  readonly attempts: number;
}

export interface Pleg {
  readonly synced: boolean;
  /** Since when the relists have failed. */
  readonly failingSince: Micros | undefined;
  readonly records: PMap<RuntimePod>;
  readonly timer: MailId;
  readonly inFlight: MailId;
  readonly inFlightAt: Micros;
}

export interface PullQueueItem {
  readonly uid: string;
  readonly image: string;
}

export interface CachedObject {
  readonly object?: KubeObject;
  readonly at: Micros;
}

/** Who waits for the answer to a request. */
export type Pending =
  | { readonly for: "run"; readonly uid: string; readonly n: number }
  | { readonly for: "kill"; readonly uid: string; readonly id: string; readonly step: Kill["step"] }
  | { readonly for: "volume"; readonly uid: string; readonly volume: string; readonly object: string }
  | { readonly for: "claim"; readonly uid: string; readonly volume: string; readonly what: "claim" }
  | { readonly for: "claim"; readonly uid: string; readonly volume: string; readonly what: "volume" | "driver"; readonly expect: string; readonly uidOfClaim: string; readonly source?: { readonly volume: string; readonly csi: CSIVolumeSource; readonly mode: AccessMode } }
  | { readonly for: "device"; readonly device: string; readonly what: "node" | "attachment" | "stage" | "unstage" | "publish"; readonly user?: string }
  | { readonly for: "object"; readonly uid: string; readonly n: number; readonly object: string }
  | { readonly for: "relist"; readonly uid: string; readonly at: Micros }
  | { readonly for: "probe"; readonly key: string }
  | { readonly for: "status" }
  | { readonly for: "lease"; readonly of: "Lease" | "Node" }
  | { readonly for: "node"; readonly read?: true }
  | { readonly for: "summary"; readonly why: "pass" | "reclaimed" | "imageGC" }
  | { readonly for: "images"; readonly why: "space" | "eviction" }
  | { readonly for: "imageRemoved" }
  | { readonly for: "reclaim" }
  | { readonly for: "logs"; readonly to: string; readonly request: MailId; readonly containerId: string; readonly asked: LogsRequest }
  | { readonly for: "attach"; readonly to: string; readonly request: MailId }
  | { readonly for: "exec"; readonly to: string; readonly request: MailId }
  | { readonly for: "stats"; readonly to: string; readonly request: MailId }
  | { readonly for: "dial"; readonly channel: ChannelName }
  | { readonly for: "runtimeStatus" }
  | { readonly for: "remove" };

export interface KubeletState {
  readonly pods: Informer;
  readonly node: Informer;
  readonly services: Informer;
  readonly workers: PMap<Worker>;
  readonly statuses: PMap<StatusEntry>;
  readonly statusQueue: readonly string[];
  readonly statusSync: StatusSync | undefined;
  readonly cache: PMap<CacheEntry>;
  readonly cacheWaiters: readonly string[];
  readonly pleg: Pleg;
  readonly probes: PMap<ProbeWorker>;
  readonly pending: PMap<Pending>;
  readonly pulls: { readonly active: readonly PullQueueItem[]; readonly waiting: readonly PullQueueItem[] };
  readonly crashLoop: Backoff;
  readonly pullMemory: PullMemory;
  readonly recorder: EventRecorder;
  readonly clock: readonly ClockStep[];
  readonly objects: PMap<CachedObject>;
  readonly devices: PMap<Device>;
  /** The armed round of the volume reconciler; 0 for none. */
  readonly reconcileAt: Micros;
  /** The status tick armed because volumesInUse changed. */
  readonly volumesReportAt: Micros;
  readonly lease: KubeObject | undefined;
  readonly leaseCount: number;
  /** The last good status check before the runtime went away. */
  readonly runtimeDownSince: Micros | undefined;
  readonly channels: Readonly<Record<ChannelName, Channel>>;
  /** The armed round of updateRuntimeUp; 0 for none. */
  readonly runtimeCheckAt: Micros;
  /** What the runtime says is wrong with its network; "" for nothing. */
  readonly networkError: string;
  /** What the sync loop will take up when the runtime is back. */
  readonly heldBySyncLoop: readonly Message[];
  readonly nodeReady: boolean;
  /** Whether the Node was cordoned when its status was last computed. */
  readonly unschedulable: boolean;
  readonly startedAt: Micros;
  /** Manifests of staticPodPath by file. */
  readonly staticPods: PMap<Pod>;
  /** Whose mirror is being replaced: its uid, or "". */
  readonly mirrorDeleted: string;
  /** The armed round of housekeeping. */
  readonly housekeepingAt: Micros;
  /** Of the node's Pods together, the QoS classes and each Pod; the runtime makes those of containers below. */
  readonly cgroups: PMap<CgroupValues>;
  readonly qosCgroupsAt: Micros;
  /** Files and directories that hostPath volumes have made on the node. */
  readonly hostFiles: PMap<HostFile>;
  readonly eviction: EvictionState;
  readonly imageGC: ImageGCState;
  /** The armed round of container GC; 0 for none. */
  readonly containerGCAt: Micros;
  /** The machine is to go off. */
  readonly shutdown: Shutdown | undefined;
  /** What an administrator has changed of the node's KubeletConfiguration. */
  readonly reconfigured: Partial<KubeletConfiguration> | undefined;
  readonly hardware: Hardware;
}

// Changed copies of the three that change with nearly every message (kernel/copies.ts says why not by a spread).

export const copyKubelet = (s: KubeletState): Draft<KubeletState> => ({
  pods: s.pods, node: s.node, services: s.services, workers: s.workers, statuses: s.statuses, statusQueue: s.statusQueue, statusSync: s.statusSync, cache: s.cache, cacheWaiters: s.cacheWaiters, pleg: s.pleg, probes: s.probes,
  pending: s.pending, pulls: s.pulls, crashLoop: s.crashLoop, pullMemory: s.pullMemory, recorder: s.recorder, clock: s.clock, objects: s.objects, devices: s.devices, reconcileAt: s.reconcileAt, volumesReportAt: s.volumesReportAt, lease: s.lease, leaseCount: s.leaseCount, runtimeDownSince: s.runtimeDownSince, channels: s.channels, runtimeCheckAt: s.runtimeCheckAt, networkError: s.networkError, heldBySyncLoop: s.heldBySyncLoop, nodeReady: s.nodeReady, unschedulable: s.unschedulable, startedAt: s.startedAt, staticPods: s.staticPods, mirrorDeleted: s.mirrorDeleted, housekeepingAt: s.housekeepingAt, cgroups: s.cgroups, qosCgroupsAt: s.qosCgroupsAt, hostFiles: s.hostFiles, eviction: s.eviction, imageGC: s.imageGC, containerGCAt: s.containerGCAt, shutdown: s.shutdown, reconfigured: s.reconfigured, hardware: s.hardware,
});

const copyWorker = (w: Worker): Worker => ({
  uid: w.uid, key: w.key, pod: w.pod, inConfig: w.inConfig, phase: w.phase, pending: w.pending, working: w.working, waiting: w.waiting, lastSync: w.lastSync, grace: w.grace, verdict: w.verdict, run: w.run, runs: w.runs,
  failures: w.failures, kills: w.kills, volumes: w.volumes, volumesPopulated: w.volumesPopulated, requeueTimer: w.requeueTimer, podIP: w.podIP, settled: w.settled, deadlineArmed: w.deadlineArmed, ...(w.resize === undefined ? {} : { resize: w.resize }),
});

export const withWorker = (worker: Worker, change: Partial<Worker>): Worker => Object.assign(copyWorker(worker), change);

const copyRun = (r: SyncRun): SyncRun => ({
  n: r.n, flow: r.flow, step: r.step, pod: r.pod, runtime: r.runtime, actions: r.actions, sandboxId: r.sandboxId, podIP: r.podIP, toStart: r.toStart, start: r.start, imageVolumes: r.imageVolumes, toKill: r.toKill, toReset: r.toReset, sandboxesToStop: r.sandboxesToStop,
  results: r.results, volumesSince: r.volumesSince, timer: r.timer,
});

export const withRun = (run: SyncRun, change: Partial<SyncRun>): SyncRun => Object.assign(copyRun(run), change);

export interface KubeletNode {
  readonly world: World;
  readonly node: WorldNode;
}

export interface KubeletConfig extends KubeletNode {
  readonly kubelet: KubeletConfiguration;
}

/** system:node:NAME, group system:nodes: the Node authorizer and NodeRestriction hold it to its own Pods. */
export function kubeletClient(node: string): ApiClient {
  const credential: Credential = { kind: "client-certificate", name: `system:node:${node}`, groups: ["system:nodes"] };
  return { userAgent: "kubelet/v1.36.2 (linux/amd64)", credential };
}
