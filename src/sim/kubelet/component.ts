// Models kubernetes/pkg/kubelet/kubelet.go
import type { HttpResponse, WatchSpec } from "../api/http.ts";
import type { TrafficAccepted } from "../api/traffic.ts";
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { nodeNamed, objectsOf, podsOn, type World, type WorldNode } from "../api/world.ts";
import { newRecorder } from "../client-go/event-recorder.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { CriResponse, RuntimePod } from "../cri/messages.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { ExecRequest, LogsRequest, StreamCancel } from "../kube-apiserver/messages.ts";
import { PMap } from "../kernel/pmap.ts";
import type { Component, MailId, Message, NetClosedMessage, NetErrorMessage, StartMessage } from "../kernel/types.ts";
import type { NodeOutOfMemory, NodeShort, ProcessLogsMore, ProcessLogsResponse, ProcessStatsResponse, SummaryResponse } from "../process/messages.ts";
import { RIGHT_CLOCK, setClock } from "./clock.ts";
import { newBackoff, RESET_AFTER } from "./backoff.ts";
import { type ClaimTimer, onClaimAnswer, onClaimTimer } from "./claims.ts";
import { nodeCgroups, withQosCgroups } from "./cgroups.ts";
import { cleanUp, type ConfigTimer, onConfig, onPodChange } from "./config-loop.ts";
import { podCgroup, podCgroupPath } from "./cm.ts";
import { hardwareOf, onDevicePlugin } from "./device-manager.ts";
import { onDeviceAnswer, onNodeChange, reconcile } from "./devices.ts";
import { armContainerGC, onContainerGCTimer } from "./container-gc.ts";
import { armImageGC, NO_IMAGE_GC, onDiskUsage, onImageGCTimer, onImageRemoved, onImages } from "./image-gc.ts";
import { DEFAULT_CONFIGURATION, kubeletConfiguration, parseThresholds } from "./kubelet-configuration.ts";
import { type LogRotationTimer, onLogRotation } from "./log-rotation.ts";
import { onPrepareForShutdown, onShutdownTimer } from "./node-shutdown.ts";
import { NO_EVICTION, onEvictionTimer, onNodeOutOfMemory, onNodeShort, onReclaimed, onSummary, startEviction, watchNode } from "./eviction-manager.ts";
import { advance, cancelRun } from "./flow.ts";
import { type KillTimer, onKillAnswer, onKillTimer } from "./kill.ts";
import { onAttached, onExecDone, onExecRequest } from "./exec.ts";
import { onLogsMore, onLogsRead, onLogsRequest, onStreamCancel } from "./logs.ts";
import { onLeaseAnswer, onOwnerRead, renewLease } from "./node-lease.ts";
import { nodeShown, nodeStatusChanged, onNodeAnswer, onNodeReport, onNodeStatusTimer, reportNodeStatus, startHeartbeats, volumesInUseChanged } from "./node-status.ts";
import { armRelist, onRelist, relist, relistFailed } from "./pleg.ts";
import { type HeldUpdate, newWorker, type RequeueTimer, requeue, RESYNC, startSync, updatePod, wakeCacheWaiters } from "./pod-workers.ts";
import { onResourceMetrics, onStatsRead } from "./resource-metrics.ts";
import { checkRuntime, onDialled, onRuntimeDown, onRuntimeStatus, onRuntimeTimer, type RuntimeTimer } from "./runtime-state.ts";
import { retryResizes } from "./resize.ts";
import { addProbes, armProbes, armProbeTimeout, onProbeAnswer, onProbeTimer, type ProbeTimeout, type ProbeTimer } from "./prober.ts";
import { type CacheEntry, type KubeletConfig, type KubeletState, type Pending, type Worker } from "./state.ts";
import { settledPods } from "./settled-pods.ts";
import { onHousekeeping, onManifestFile, onMirrorChange, startStaticPods } from "./static-pods.ts";
import { onStatusBatch, onStatusError, onStatusResponse, onStatusTimer, setPodStatus } from "./status-manager.ts";
import type { Engine } from "./step.ts";
import { type StepTimer, Turn, UNAVAILABLE } from "./turn.ts";
import { onRefreshed, onVolumeAnswer, onVolumeTimer, type VolumeTimer } from "./volume-manager.ts";
import { onManyFiles, onOwnershipTimer, type OwnershipTimer } from "./volume-ownership.ts";

const SECOND = 1_000_000;
const ENGINE: Engine = { reportNodeStatus, advance, cancelRun, updatePod, wakeCacheWaiters, volumesInUseChanged, nodeStatusChanged, mirrorChanged: onMirrorChange };

/** What a kubelet watches: its Pods, its Node, all Services. */
export function kubeletWatches(_world: World, node: WorldNode): WatchSpec[] {
  const component = `kubelet@${node.name}`;
  return [
    { component, resource: "pods", path: "/api/v1/pods", fieldSelector: `spec.nodeName=${node.name}` },
    { component, resource: "nodes", path: "/api/v1/nodes", fieldSelector: `metadata.name=${node.name}` },
    { component, resource: "services", path: "/api/v1/services" },
  ];
}

function emptyState(config: KubeletConfig, informer: (watch: WatchSpec) => Informer): KubeletState {
  const [pods, node, services] = kubeletWatches(config.world, config.node).map(informer);
  return {
    pods: pods as Informer, node: node as Informer, services: services as Informer,
    workers: PMap.empty<Worker>(), statuses: PMap.empty(), statusQueue: [], statusSync: undefined, cache: PMap.empty<CacheEntry>(), cacheWaiters: [],
    pleg: { synced: false, records: PMap.empty<RuntimePod>(), timer: -1, inFlight: -1, inFlightAt: 0, failingSince: undefined }, probes: PMap.empty(), pending: PMap.empty(), pulls: { active: [], waiting: [] },
    crashLoop: newBackoff(10 * SECOND, 300 * SECOND, RESET_AFTER), pullMemory: { backoff: newBackoff(10 * SECOND, 300 * SECOND), errors: {} }, recorder: newRecorder("kubelet", config.node.name), clock: RIGHT_CLOCK,
    objects: PMap.empty(), devices: PMap.empty(), reconcileAt: 0, volumesReportAt: 0, lease: undefined, leaseCount: 0, runtimeDownSince: undefined, channels: { runtime: { up: true, attempts: 0 }, image: { up: true, attempts: 0 } }, runtimeCheckAt: 0, networkError: "", heldBySyncLoop: [], nodeReady: true, unschedulable: false, startedAt: 0, staticPods: PMap.empty<Pod>(), mirrorDeleted: "", housekeepingAt: 0, cgroups: PMap.empty(), qosCgroupsAt: 0, hostFiles: PMap.empty(), eviction: NO_EVICTION, imageGC: NO_IMAGE_GC, containerGCAt: 0, shutdown: undefined, reconfigured: undefined, hardware: hardwareOf(undefined),
  };
}

function settledState(config: KubeletConfig): KubeletState {
  const { world, node } = config;
  const mine = podsOn(world, node.name);
  const self = nodeNamed(world, node.name);
  const objects = (watch: WatchSpec): readonly KubeObject[] => (watch.resource === "pods" ? mine : watch.resource === "nodes" ? (self === undefined ? [] : [self]) : objectsOf(world, "Service"));
  const state = emptyState(config, (watch) => syncedInformer(watch, objects(watch), world.resourceVersion));
  const lease = objectsOf(world, "Lease").find((object) => object.metadata.name === node.name && object.metadata.namespace === "kube-node-lease");
  const ready = self?.status?.conditions?.find((entry) => entry.type === "Ready");
  let workers = state.workers;
  let cache = state.cache;
  let records = state.pleg.records;
  let cgroups = nodeCgroups(state.node.store.get(node.name) as Node | undefined);
  for (const { pod, runtime } of settledPods(config)) {
    const { uid } = runtime;
    cgroups = cgroups.set(podCgroupPath(pod), podCgroup(pod));
    const volumes = Object.fromEntries((pod.spec.volumes ?? []).map((volume) => [volume.name, { kind: "settled", state: "mounted" as const, pending: 0, error: "", failures: 0, mountedAt: 0, objects: [] }]));
    const finished = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
    workers = workers.set(uid, { ...newWorker(pod), lastSync: -1, settled: true, volumes, volumesPopulated: true, phase: finished ? "finished" : "syncing" });
    cache = cache.set(uid, { pod: runtime, at: -1 });
    records = records.set(uid, runtime);
  }
  return { ...state, hardware: hardwareOf(self), workers, cache, pleg: { ...state.pleg, records, synced: true }, nodeReady: ready?.status !== "False", unschedulable: self?.spec?.unschedulable ?? false, startedAt: -3_600 * SECOND, lease, cgroups: withQosCgroups(cgroups, workers), eviction: { ...NO_EVICTION, given: (self?.status?.conditions ?? []).filter(({ type, status }) => type.endsWith("Pressure") && status === "True").map(({ type }) => type) } };
}

function onStart(turn: Turn, cold: boolean): void {
  if (cold) {
    turn.set({ ...emptyState(turn.config, emptyInformer), startedAt: turn.now, staticPods: turn.state.staticPods, reconfigured: turn.state.reconfigured, hardware: turn.state.hardware, hostFiles: turn.state.hostFiles, eviction: { ...NO_EVICTION, given: turn.state.eviction.given } });
    turn.explain("The kubelet starts with an empty memory: it will list its Pods and ask the runtime what runs", undefined, { level: "basic", status: "starting" });
    turn.ctx.after(turn.ctx.latency("kubelet.start", turn.config.node.name), { type: "kubelet.started" });
    return;
  }
  startHeartbeats(turn, false);
  if (turn.kubelet.imageMaximumGCAge > 0) armImageGC(turn);
  if (turn.kubelet !== DEFAULT_CONFIGURATION) watchNode(turn);
  for (const [uid, worker] of turn.state.workers.sorted()) {
    if (worker.phase === "finished") continue;
    requeue(turn, uid, (turn.ctx.rand(`settled/${uid}`, 0) % RESYNC) + SECOND);
    addProbes(turn, uid);
    armProbes(turn, uid);
  }
  // A Pod that was bound but not yet started when the world was settled.
  for (const [key, object] of turn.state.pods.store.sorted()) if (!turn.worker(object.metadata.uid ?? "")) turn.ctx.after(0, { type: "kubelet.config", key, uid: object.metadata.uid ?? "" } satisfies ConfigTimer);
}

/** Its flags are read, its managers made: the loops run. The source of Pods waits until the Node has been read, and looks once a second. */
function onStarted(turn: Turn): void {
  const { name } = turn.config.node;
  turn.event({ apiVersion: "v1", kind: "Node", metadata: { name, uid: name } }, "Normal", "Starting", "Starting kubelet.");
  turn.set({ node: startInformer(turn.ctx, turn.client, turn.state.node), services: startInformer(turn.ctx, turn.client, turn.state.services) });
  relist(turn);
  startStaticPods(turn);
  startEviction(turn);
  armContainerGC(turn);
  startHeartbeats(turn, true);
  turn.ctx.after(SECOND, { type: "kubelet.podSource" });
}

function informers(turn: Turn, message: Message): boolean {
  for (const name of ["pods", "node", "services"] as const) {
    const result = stepInformer(turn.ctx, turn.client, turn.state[name], message);
    if (!result) continue;
    if (name === "pods" && turn.state.pods.phase !== "synced" && result.informer.phase === "synced") armRelist(turn);
    turn.set({ [name]: result.informer });
    if (name === "node") {
      onNodeChange(turn);
      nodeShown(turn);
    }
    if (name === "pods") for (const change of result.changes) onPodChange(turn, change);
    // A closed connection concerns all three.
    if (message.type !== "net.closed") return true;
  }
  return message.type === "net.closed";
}

/** Hands an answer to whoever waits for it. */
function answered(turn: Turn, mail: MailId, message: Message): void {
  const pending = turn.take(mail);
  if (!pending) return;
  deliver(turn, pending, message);
}

function deliver(turn: Turn, pending: Pending, message: Message): void {
  switch (pending.for) {
    case "run":
      if (turn.worker(pending.uid)?.run?.n === pending.n) advance(turn, pending.uid, message);
      return;
    case "object":
      if (turn.worker(pending.uid)?.run?.n === pending.n) advance(turn, pending.uid, { type: "kubelet.object", object: pending.object, answer: message } as Message);
      return;
    case "kill": return onKillAnswer(turn, pending.uid, pending.id, pending.step, message);
    case "volume":
      if (!onRefreshed(turn, pending.uid, pending.volume, pending.object, message)) onVolumeAnswer(turn, pending.uid, pending.volume, pending.object, message);
      return;
    case "claim": return onClaimAnswer(turn, pending, message);
    case "device": return onDeviceAnswer(turn, pending, message);
    case "relist":
      if (message.type === "net.error") return pending.uid === "" ? relistFailed(turn) : undefined;
      return onRelist(turn, message as CriResponse, pending);
    case "probe": return onProbeAnswer(turn, pending.key, message);
    case "status": return message.type === "net.error" ? onStatusError(turn) : onStatusResponse(turn, message as HttpResponse);
    case "lease": return pending.of === "Node" ? onOwnerRead(turn, message) : onLeaseAnswer(turn, message);
    case "exec": return message.type === "net.error" ? undefined : onExecDone(turn, message as CriResponse, pending);
    case "logs": return onLogsRead(turn, message as ProcessLogsResponse, pending);
    case "attach": return onAttached(turn, message as ProcessLogsResponse, pending);
    case "stats": return onStatsRead(turn, message as ProcessStatsResponse, pending);
    case "dial": return onDialled(turn, pending.channel, message);
    case "runtimeStatus": return onRuntimeStatus(turn, message);
    case "summary": {
      if (message.type === "net.error") return;
      const summary = message as SummaryResponse;
      return pending.why === "imageGC" ? onDiskUsage(turn, summary) : onSummary(turn, summary, pending.why);
    }
    case "images": {
      const more = onImages(turn, (message as Partial<CriResponse>).images, pending.why);
      return pending.why === "eviction" ? onReclaimed(turn, more) : undefined;
    }
    case "imageRemoved": {
      const more = onImageRemoved(turn, message.type === "net.error" ? "unavailable" : (message as CriResponse).error);
      return more === undefined ? undefined : onReclaimed(turn, more);
    }
    case "reclaim": return onReclaimed(turn);
    case "node": return onNodeAnswer(turn, message, pending.read === true);
    case "remove": return;
  }
}

/** OnPodSandboxReady: the condition is pushed before any image is pulled. */
function onSandboxReady(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  const status = turn.state.statuses.get(uid)?.status ?? worker.pod.status ?? {};
  const conditions = (status.conditions ?? []).map((entry) => (entry.type === "PodReadyToStartContainers" ? { ...entry, status: "True" } : entry));
  setPodStatus(turn, worker.pod, { ...status, conditions });
}

/** What a fault does to the node's agent itself. */
function onFault(turn: Turn, fault: FaultMessage): void {
  if (fault.id === "node.shutdown") return onPrepareForShutdown(turn, fault);
  if (fault.id === "clock.skew") return setClock(turn, fault);
  if (fault.id === "device.unhealthy") {
    onDevicePlugin(turn, fault);
    return nodeStatusChanged(turn);
  }
  if (fault.id === "csi.many-files") return onManyFiles(turn, fault);
  if (fault.id === "node.pid-pressure") {
    turn.set({ reconfigured: fault.on ? { thresholds: [...turn.config.kubelet.thresholds, ...parseThresholds({ evictionHard: { "pid.available": String(fault.params["evictionHard"] ?? "0%") } })] } : undefined });
    return watchNode(turn);
  }
  onManifestFile(turn, fault);
}

function step(turn: Turn, message: Message): void {
  switch (message.type) {
    case "start": return onStart(turn, (message as StartMessage).cold);
    case "kubelet.config": return onConfig(turn, message as ConfigTimer);
    case "kubelet.worker": return startSync(turn, (message as RequeueTimer).uid);
    case "kubelet.started": return onStarted(turn);
    case "kubelet.podSource": return turn.set({ pods: startInformer(turn.ctx, turn.client, turn.state.pods) });
    case "kubelet.update": return updatePod(turn, (message as HeldUpdate).uid, (message as HeldUpdate).options);
    case "kubelet.step": {
      const { uid, n } = message as StepTimer;
      if (turn.worker(uid)?.run?.n === n) advance(turn, uid, message);
      return;
    }
    case "kubelet.requeue": {
      const { uid } = message as RequeueTimer;
      turn.update(uid, { requeueTimer: -1 });
      return updatePod(turn, uid);
    }
    case "kubelet.dial": case "kubelet.runtimeUp": case "kubelet.syncLoop": return onRuntimeTimer(turn, message as RuntimeTimer);
    case UNAVAILABLE: return answered(turn, turn.ctx.mail, { type: "net.error" });
    case "kubelet.deadline": return updatePod(turn, (message as RequeueTimer).uid);
    case "kubelet.sandboxReady": return onSandboxReady(turn, (message as RequeueTimer).uid);
    case "kubelet.kill": return onKillTimer(turn, message as KillTimer);
    case "kubelet.volume": return onVolumeTimer(turn, message as VolumeTimer);
    case "kubelet.ownership": return onOwnershipTimer(turn, message as OwnershipTimer);
    case "kubelet.claim": return onClaimTimer(turn, message as ClaimTimer);
    case "kubelet.reconcile": return reconcile(turn);
    case "traffic.accepted": return armProbeTimeout(turn, (message as TrafficAccepted).request);
    case "kubelet.probeTimeout": return answered(turn, (message as ProbeTimeout).mail, message);
    case "kubelet.probe": return onProbeTimer(turn, message as ProbeTimer);
    case "kubelet.status": return onStatusTimer(turn);
    case "kubelet.relist": return relist(turn);
    case "kubelet.lease": return renewLease(turn);
    case "kubelet.nodeReport": return onNodeReport(turn);
    case "kubelet.nodeStatus": return onNodeStatusTimer(turn);
    case "kubelet.retryResizes": return retryResizes(turn);
    case "kubelet.housekeeping": return onHousekeeping(turn);
    case "kubelet.statusBatch": return onStatusBatch(turn);
    case "fault": return onFault(turn, message as FaultMessage);
    case "cri.statusChanged": return checkRuntime(turn);
    case "cri.dirty": return turn.state.pleg.timer === -1 ? dirty(turn) : undefined;
    case "exec.request": return onExecRequest(turn, message as ExecRequest);
    case "resource-metrics.request": return onResourceMetrics(turn);
    case "logs.request": return onLogsRequest(turn, message as LogsRequest);
    case "node.short": return onNodeShort(turn, message as NodeShort);
    case "kubelet.imageGC": return onImageGCTimer(turn);
    case "kubelet.containerGC": return onContainerGCTimer(turn);
    case "kubelet.logRotation": return onLogRotation(turn, message as LogRotationTimer);
    case "kubelet.shutdown": return onShutdownTimer(turn);
    case "node.oom": return onNodeOutOfMemory(turn, message as NodeOutOfMemory);
    case "kubelet.eviction": return onEvictionTimer(turn);
    case "process.logs.more": return onLogsMore(turn, message as ProcessLogsMore);
    case "stream.cancel": return onStreamCancel(turn, message as StreamCancel);
    case "cri.response": case "csi.response": case "http.response": case "traffic.response": case "process.logs.response": case "process.stats.response": case "process.summary.response": case "volume.read.response": return answered(turn, (message as HttpResponse).request, message);
    case "net.error":
      if ((message as NetErrorMessage).peer.startsWith("containerd@")) onRuntimeDown(turn);
      return answered(turn, (message as NetErrorMessage).hop, message);
    case "net.closed":
      if ((message as NetClosedMessage).peer.startsWith("containerd@")) onRuntimeDown(turn);
      dirty(turn);
  }
}

function dirty(turn: Turn): void {
  armRelist(turn);
}

/** A worker that has finished and whose object is gone leaves nothing behind. */
function housekeeping(turn: Turn): void {
  for (const worker of turn.state.workers.values()) if (worker.phase === "finished" && !worker.inConfig) cleanUp(turn, worker.uid);
}

const HOUSEKEEPING = new Set(["kubelet.step", "watch.event"]);

/** Component kubelet@NODE. */
export function createKubelet({ world, node }: { readonly world: World; readonly node: WorldNode }): Component<KubeletState> {
  const config: KubeletConfig = { world, node, kubelet: kubeletConfiguration(world) };
  return {
    id: `kubelet@${node.name}`,
    machine: node.name,
    connections: ["kube-apiserver", `containerd@${node.name}`],
    // Of its state only the manifests are files.
    init: (disk) => (disk ? { ...settledState(config), staticPods: disk.staticPods, clock: disk.clock } : settledState(config)),
    step(state, message, ctx) {
      const turn = new Turn(state, ctx, config, ENGINE);
      if (!informers(turn, message) || message.type === "net.closed") step(turn, message);
      if (HOUSEKEEPING.has(message.type)) housekeeping(turn);
      return turn.state;
    },
  };
}

