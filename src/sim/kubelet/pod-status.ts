// Models kubernetes/pkg/kubelet/kubelet_pods.go generateAPIPodStatus, getPhase, convertToAPIContainerStatuses
import type { Micros } from "../kernel/types.ts";
import { isRestartableInitContainer } from "../api/pod-resources.ts";
import { computePodQOS } from "../api/qos.ts";
import { rfc3339 } from "../api/time.ts";
import type { Condition, Container, ContainerState, ContainerStatus, Pod, PodStatus, ResourceRequirements } from "../api/types.ts";
import type { RuntimeContainerStatus, RuntimePod } from "../cri/messages.ts";
import { containerShouldRestart, couldAllRestart, findContainer, shouldAllContainersRestart, shouldContainerBeRestarted } from "./restart-rules.ts";
import { condition, containersReady, isKubeletCondition, podInitialized, podReady, podReadyToStartContainers } from "./conditions.ts";

/** Why a container's last start did not come about: shown as its waiting reason. */
export interface StartFailure {
  readonly reason: string;
  readonly message: string;
}

/** What the prober contributes to a container's status. */
export interface ProbeView {
  started(status: ContainerStatus): boolean;
  /** Result of a running, started container; asking may trigger a probe at once. */
  ready(status: ContainerStatus): boolean;
}

export interface StatusInput {
  readonly pod: Pod;
  readonly runtime: RuntimePod | undefined;
  /** What the status manager holds, else what the API says. */
  readonly old: PodStatus | undefined;
  readonly podIsTerminal: boolean;
  readonly failures: Readonly<Record<string, StartFailure>>;
  readonly probes: ProbeView;
  readonly hostIP: string;
  /** What the node's clock showed at an instant; default the right time. */
  readonly wall?: (at: Micros) => Micros;
  readonly podIP: string;
  /** A module of the kubelet ends the Pod: its reason and message are the status' own. */
  readonly evicted?: { readonly reason: string; readonly message: string };
  readonly resizeConditions?: readonly Condition[];
  /** Resources of running containers that are not what their spec says. */
  readonly actuated?: Readonly<Record<string, ResourceRequirements>>;
}

const UNKNOWN_CODE = 137;
const LOST = "The container could not be located when the pod was deleted.  The container used to be Running";

const RIGHT = (at: Micros): Micros => at;

function stateOf(status: RuntimeContainerStatus, wall: (at: Micros) => Micros = RIGHT): ContainerState {
  switch (status.state) {
    case "running":
      return { running: { startedAt: rfc3339(wall(status.startedAt)) } };
    case "exited":
      return {
        terminated: {
          exitCode: status.exitCode,
          ...(status.reason === "" ? {} : { reason: status.reason }),
          ...(status.message === "" ? {} : { message: status.message }),
          startedAt: rfc3339(wall(status.startedAt)), finishedAt: rfc3339(wall(status.finishedAt)), containerID: `containerd://${status.id}`,
        },
      };
    default:
      return { waiting: {} };
  }
}

type MutableStatus = { -readonly [K in keyof ContainerStatus]: ContainerStatus[K] };

function convert(container: Container, runtime: RuntimeContainerStatus, old: ContainerStatus | undefined, actuated: ResourceRequirements | undefined, wall: StatusInput["wall"]): MutableStatus {
  const status: MutableStatus = { name: container.name, state: stateOf(runtime, wall), lastState: {}, ready: false, restartCount: runtime.attempt, image: runtime.image, imageID: runtime.imageRef, containerID: `containerd://${runtime.id}` };
  if (container.resources && Object.keys(container.resources).length > 0) {
    status.resources = runtime.state === "running" && actuated !== undefined ? actuated : container.resources;
    if (container.resources.requests) status.allocatedResources = container.resources.requests;
  }
  if (old) {
    if (old.restartCount > status.restartCount) status.restartCount = old.restartCount;
    if (old.containerID !== status.containerID && old.state?.terminated) status.lastState = { terminated: old.state.terminated };
    else if (old.lastState?.terminated) status.lastState = { terminated: old.lastState.terminated };
    if (runtime.state === "running" && old.started !== undefined) status.started = old.started;
    if (runtime.state === "running" && old.state?.terminated && old.restartCount >= runtime.attempt && old.containerID !== status.containerID) status.restartCount = old.restartCount + 1;
  }
  return status;
}

const volumeMounts = (container: Container): ContainerStatus["volumeMounts"] =>
  container.volumeMounts?.map((mount) => ({ name: mount.name, mountPath: mount.mountPath, ...(mount.readOnly ? { readOnly: true, recursiveReadOnly: "Disabled" } : {}) }));

function missing(input: StatusInput, status: MutableStatus, old: ContainerStatus | undefined, defaultReason: string): void {
  if (old?.state && !old.state.waiting && shouldAllContainersRestart(input.pod, input.runtime, input.old)) {
    status.state = { waiting: { reason: "RestartingAllContainers", message: "The container is removed because RestartAllContainers in place" } };
    status.lastState = { terminated: { exitCode: UNKNOWN_CODE, reason: "RestartingAllContainers", message: "The container is removed because RestartAllContainers in place" } };
    status.restartCount = old.restartCount + 1;
    return;
  }
  if (!old?.state?.running) return;
  if (status.state?.waiting?.reason !== defaultReason || status.lastState?.terminated) return;
  status.lastState = { terminated: { exitCode: UNKNOWN_CODE, reason: "ContainerStatusUnknown", message: LOST } };
  if (input.pod.metadata.deletionTimestamp === undefined) status.restartCount += 1;
}

/** Statuses of one group of containers, in the order they go on the wire. */
export function containerStatuses(input: StatusInput, containers: readonly Container[], isInit: boolean): ContainerStatus[] {
  const { pod, runtime } = input;
  const hasInit = (pod.spec.initContainers?.length ?? 0) > 0;
  const defaultReason = hasInit ? "PodInitializing" : "ContainerCreating";
  const olds = isInit ? input.old?.initContainerStatuses : input.old?.containerStatuses;
  const statuses = containers.map((container): ContainerStatus => {
    const old = olds?.find((candidate) => candidate.name === container.name);
    let status: MutableStatus = { name: container.name, state: { waiting: { reason: defaultReason } }, lastState: old?.lastState ?? {}, ready: false, restartCount: old?.restartCount ?? 0, image: container.image ?? "", imageID: "" };
    if (old?.state?.terminated) status = { ...old };
    const found = (runtime?.containers ?? []).filter((candidate) => candidate.name === container.name);
    const [newest, before] = found;
    if (newest === undefined) missing(input, status, old, defaultReason);
    else {
      status = convert(container, newest, old, input.actuated?.[container.name], input.wall);
      if (before) status.lastState = stateOf(before, input.wall);
    }
    const mounts = volumeMounts(container);
    if (mounts) status.volumeMounts = mounts;
    return failedToStart(input, container, status, isInit);
  });
  return isInit ? statuses : statuses.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** A container that the next sync will start again is shown waiting, with the reason the last sync found. */
function failedToStart(input: StatusInput, container: Container, status: MutableStatus, isInit: boolean): ContainerStatus {
  const runtime = findContainer(input.runtime, container.name);
  if (isInit && runtime?.state === "exited" && runtime.exitCode === 0) return status;
  if (!shouldContainerBeRestarted(container, input.pod, input.runtime)) return status;
  const failure = input.failures[container.name];
  if (failure === undefined) return status;
  if (status.state?.terminated) status.lastState = status.state;
  status.state = { waiting: { reason: failure.reason, ...(failure.message === "" ? {} : { message: failure.message }) } };
  return status;
}

interface Tally {
  pendingInit: number;
  failedInit: number;
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  final: number;
  succeeded: number;
  pendingSidecars: number;
}

function tallyInit(pod: Pod, container: Container, status: ContainerStatus | undefined, t: Tally): void {
  const ended = status?.state?.terminated ?? (status?.state?.waiting ? status.lastState?.terminated : undefined);
  if (ended) {
    if (ended.exitCode !== 0 && !containerShouldRestart(container, pod.spec, ended.exitCode) && ended.reason !== "RestartingAllContainers") t.failedInit++;
  } else t.pendingInit++;
}

function tallySidecar(status: ContainerStatus | undefined, t: Tally): void {
  if (status === undefined) t.unknown++;
  else if (status.state?.running) {
    if (!status.started) t.pendingSidecars++;
    t.running++;
  } else if (status.state?.waiting) {
    if (!status.lastState?.terminated) {
      t.pendingSidecars++;
      t.waiting++;
    }
  } else if (!status.state?.terminated) {
    t.pendingSidecars++;
    t.unknown++;
  }
}

function tallyRegular(pod: Pod, container: Container, status: ContainerStatus | undefined, t: Tally): void {
  if (status?.state?.running) {
    t.running++;
    return;
  }
  const ended = status?.state?.terminated ?? (status?.state?.waiting ? status.lastState?.terminated : undefined);
  if (ended) {
    t.stopped++;
    if (!containerShouldRestart(container, pod.spec, ended.exitCode) && ended.reason !== "RestartingAllContainers") t.final++;
    if (status?.state?.terminated && ended.exitCode === 0) t.succeeded++;
  } else if (status?.state?.waiting) t.waiting++;
  else t.unknown++;
}

/** The Pod's phase from its container statuses. `podHasInitialized`: some regular container has started in this sandbox. */
export function getPhase(pod: Pod, statuses: readonly ContainerStatus[], podIsTerminal: boolean, podHasInitialized: boolean): string {
  const t: Tally = { pendingInit: 0, failedInit: 0, unknown: 0, running: 0, waiting: 0, stopped: 0, final: 0, succeeded: 0, pendingSidecars: 0 };
  const of = (container: Container): ContainerStatus | undefined => statuses.find((status) => status.name === container.name);
  for (const container of pod.spec.initContainers ?? []) {
    if (isRestartableInitContainer(container)) tallySidecar(of(container), t);
    else tallyInit(pod, container, of(container), t);
  }
  for (const container of pod.spec.containers) tallyRegular(pod, container, of(container), t);
  if (t.failedInit > 0) return "Failed";
  if (t.pendingInit > 0 || (!podHasInitialized && t.pendingSidecars > 0) || t.waiting > 0) return "Pending";
  if (t.running > 0 && t.unknown === 0) return "Running";
  if (t.running === 0 && t.stopped > 0 && t.unknown === 0) {
    const isStatic = (pod.metadata.annotations?.["kubernetes.io/config.source"] ?? "api") !== "api";
    if (podIsTerminal && !isStatic) return t.stopped === t.succeeded ? "Succeeded" : "Failed";
    if (t.stopped !== t.final) return "Running";
    return t.stopped === t.succeeded ? "Succeeded" : "Failed";
  }
  return "Pending";
}

/** Whether a regular container of the current sandbox runs, ran, or is being made. */
export function hasActiveRegularContainerStarted(pod: Pod, runtime: RuntimePod | undefined): boolean {
  const sandbox = runtime?.sandboxes[0];
  if (!sandbox) return false;
  return pod.spec.containers.some((container) => {
    const status = findContainer(runtime, container.name);
    return status !== undefined && status.sandboxId === sandbox.id && (status.state === "running" || status.state === "exited");
  });
}

const TERMINAL = new Set(["Failed", "Succeeded"]);
export const isTerminalPhase = (phase: string | undefined): boolean => phase !== undefined && TERMINAL.has(phase);

function withProbes(input: StatusInput, status: ContainerStatus, container: Container | undefined, isInit: boolean): ContainerStatus {
  const started = status.state?.running !== undefined && input.probes.started(status);
  if (isInit && container && !isRestartableInitContainer(container)) return { ...status, started, ready: status.state?.terminated?.exitCode === 0 };
  if (!started) return { ...status, started };
  return { ...status, started, ready: input.probes.ready(status) };
}

/** The status the kubelet would write now. lastTransitionTime and startTime are added by the status manager. */
export function generateAPIPodStatus(input: StatusInput): PodStatus {
  const { pod, runtime, old } = input;
  const inits = pod.spec.initContainers ?? [];
  let containers = containerStatuses(input, pod.spec.containers, false);
  let initStatuses = containerStatuses(input, inits, true);
  const ephemeral = containerStatuses({ ...input, old: { containerStatuses: old?.ephemeralContainerStatuses ?? [] } }, pod.spec.ephemeralContainers ?? [], false);
  let phase = getPhase(pod, [...containers, ...initStatuses], input.podIsTerminal, hasActiveRegularContainerStarted(pod, runtime));
  if (!isTerminalPhase(phase)) {
    if (isTerminalPhase(old?.phase)) phase = old?.phase ?? phase;
    else if (isTerminalPhase(pod.status?.phase)) phase = pod.status?.phase ?? phase;
  }
  const reason = input.evicted?.reason ?? (phase === old?.phase ? (old.reason ?? pod.status?.reason) : undefined);
  const message = input.evicted?.message ?? (phase === old?.phase ? (old.message ?? pod.status?.message) : undefined);
  if (input.evicted) phase = "Failed";
  if (isTerminalPhase(pod.status?.phase)) phase = pod.status?.phase ?? phase;
  containers = containers.map((status) => withProbes(input, status, undefined, false));
  initStatuses = initStatuses.map((status) => withProbes(input, status, inits.find((container) => container.name === status.name), true));
  const conditions: Condition[] = (pod.status?.conditions ?? []).filter((existing) => !isKubeletCondition(existing.type));
  const disruption = old?.conditions?.find((existing) => existing.type === "DisruptionTarget");
  conditions.push(...(input.resizeConditions ?? []));
  if (disruption && !conditions.some((existing) => existing.type === "DisruptionTarget")) conditions.push(disruption);
  const all = [...initStatuses, ...containers];
  conditions.push(condition(pod, "PodReadyToStartContainers", podReadyToStartContainers(pod, runtime)));
  conditions.push(condition(pod, "Initialized", podInitialized(pod, old, all, phase)));
  conditions.push(condition(pod, "Ready", podReady(pod, conditions, all, phase)));
  conditions.push(condition(pod, "ContainersReady", containersReady(pod, all, phase)));
  conditions.push(condition(pod, "PodScheduled", { status: "True" }));
  if (couldAllRestart(pod)) conditions.push(condition(pod, "AllContainersRestarting", restartingAll(input, phase)));
  const podIP = pod.spec.hostNetwork ? (old?.podIP ?? input.hostIP) : input.podIP;
  return {
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    conditions,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    hostIP: input.hostIP,
    hostIPs: [{ ip: input.hostIP }],
    ...(podIP === "" ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
    containerStatuses: containers,
    ...(ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: ephemeral }),
    qosClass: computePodQOS(pod.spec),
  };
}

function restartingAll(input: StatusInput, phase: string): Pick<Condition, "status" | "reason" | "message"> {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const names = new Set([...(input.pod.spec.initContainers ?? []), ...input.pod.spec.containers].map(({ name }) => name));
  const cleanedUp = !(input.runtime?.containers ?? []).some(({ name }) => names.has(name));
  if (cleanedUp || !shouldAllContainersRestart(input.pod, input.runtime, input.old)) return { status: "False" };
  return { status: "True", reason: "RestartAllContainersStarted", message: "container exited with restart policy rule" };
}
