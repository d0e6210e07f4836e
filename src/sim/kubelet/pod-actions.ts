// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions, kuberuntime_container.go computeInitContainerActions
import { fnv32a } from "../api/go-hash.ts";
import { isRestartableInitContainer } from "../api/pod-resources.ts";
import type { Container, Pod } from "../api/types.ts";
import type { RuntimeContainerStatus, RuntimePod } from "../cri/messages.ts";
import { containerShouldRestart, findContainer, shouldContainerBeRestarted } from "./restart-rules.ts";

export type ProbeResult = "Success" | "Failure" | "Unknown";
export type KillReason = "" | "LivenessProbe" | "StartupProbe" | "Unknown" | "FailedPostStartHook" | "RestartAllContainers";
/** The latest settled probe result of a container, by container id; undefined if its probe has no result. */
export type ProbeResults = (containerId: string, type: "liveness" | "startup") => ProbeResult | undefined;

export interface ContainerToKill {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  readonly reason: KillReason;
}

export interface PodActions {
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  readonly sandboxId: string;
  readonly attempt: number;
  readonly ephemeralContainersToStart: readonly string[];
  readonly initContainersToStart: readonly string[];
  readonly containersToStart: readonly string[];
  readonly containersToKill: readonly ContainerToKill[];
  readonly containersToReset: readonly { readonly id: string; readonly name: string; readonly kill: boolean }[];
}

/** Two containers of equal hash differ in nothing that needs a restart. */
export const containerHash = (container: Container): string => fnv32a(`${container.name}/${container.image ?? ""}`).toString(16);

const changed = (container: Container, status: RuntimeContainerStatus): boolean => status.hash !== "" && status.hash !== containerHash(container);

/** Models runtimeutil.PodSandboxChanged. */
export function podSandboxChanged(pod: Pod, runtime: RuntimePod | undefined): { changed: boolean; attempt: number; sandboxId: string } {
  const [newest] = runtime?.sandboxes ?? [];
  if (newest === undefined) return { changed: true, attempt: 0, sandboxId: "" };
  const ready = (runtime?.sandboxes ?? []).filter((sandbox) => sandbox.state === "READY").length;
  const hostNetwork = pod.spec.hostNetwork ?? false;
  if (ready > 1 || newest.state !== "READY") return { changed: true, attempt: newest.attempt + 1, sandboxId: newest.id };
  if (newest.hostNetwork !== hostNetwork) return { changed: true, attempt: newest.attempt + 1, sandboxId: "" };
  if (!hostNetwork && newest.ip === "") return { changed: true, attempt: newest.attempt + 1, sandboxId: newest.id };
  return { changed: false, attempt: newest.attempt, sandboxId: newest.id };
}

const shouldRestartOnFailure = (pod: Pod): boolean => (pod.spec.restartPolicy ?? "Always") !== "Never";
const succeeded = (container: Container, runtime: RuntimePod | undefined): boolean => {
  const status = findContainer(runtime, container.name);
  return status?.state === "exited" && status.exitCode === 0;
};

interface Draft {
  killPod: boolean;
  initContainersToStart: string[];
  readonly containersToKill: ContainerToKill[];
}

function actionsForNewSandbox(pod: Pod, runtime: RuntimePod | undefined, base: PodActions): PodActions {
  const stop = { ...base, createSandbox: false };
  if (!shouldRestartOnFailure(pod) && base.attempt !== 0 && (runtime?.containers.length ?? 0) > 0) return stop;
  const toStart = pod.spec.containers.filter((container) => {
    const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? "Always";
    return !(policy === "OnFailure" && succeeded(container, runtime));
  });
  if (toStart.length === 0 && pod.spec.containers.some((container) => findContainer(runtime, container.name) !== undefined)) return stop;
  const first = pod.spec.initContainers?.[0];
  if (first) return { ...base, initContainersToStart: [first.name] };
  return { ...base, containersToStart: toStart.map((container) => container.name) };
}

function exitedInit(pod: Pod, container: Container, status: RuntimeContainerStatus, next: string | undefined, draft: Draft, runtime: RuntimePod | undefined): "done" | "initialized" | "terminal" {
  if (isRestartableInitContainer(container)) {
    draft.initContainersToStart.push(container.name);
    return "done";
  }
  if (status.exitCode !== 0) {
    if (!shouldContainerBeRestarted(container, pod, runtime)) return "terminal";
    draft.initContainersToStart.push(container.name);
    return "done";
  }
  if (next === undefined) return "initialized";
  draft.initContainersToStart.push(next);
  return "done";
}

function runningSidecar(container: Container, status: RuntimeContainerStatus, next: string | undefined, previously: boolean, draft: Draft, probes: ProbeResults): boolean {
  const kill = (message: string, reason: KillReason): void => {
    draft.containersToKill.push({ id: status.id, name: container.name, message, reason });
    draft.initContainersToStart.push(container.name);
  };
  if (container.startupProbe) {
    const startup = probes(status.id, "startup");
    if (startup === "Failure") kill(`Init container ${container.name} failed startup probe`, "StartupProbe");
    if (startup !== "Success") return false;
  }
  if (next !== undefined && !previously) draft.initContainersToStart.push(next);
  const initialized = next === undefined;
  if (changed(container, status)) kill(`Init container ${container.name} definition changed`, "");
  else if (container.livenessProbe && probes(status.id, "liveness") === "Failure") kill(`Init container ${container.name} failed liveness probe`, "LivenessProbe");
  return initialized;
}

/** Walks init containers from the last to the first: the last that has a state decides. Returns whether initialization is over. */
function computeInitContainerActions(pod: Pod, runtime: RuntimePod | undefined, draft: Draft, probes: ProbeResults): boolean {
  const inits = pod.spec.initContainers ?? [];
  if (inits.length === 0) return true;
  let initialized = pod.spec.containers.some((container) => ["created", "running"].includes(findContainer(runtime, container.name)?.state ?? ""));
  let previously = initialized;
  for (let i = inits.length - 1; i >= 0; i--) {
    const container = inits[i];
    if (!container) continue;
    const status = findContainer(runtime, container.name);
    if (status === undefined) {
      if (previously && isRestartableInitContainer(container)) draft.initContainersToStart.push(container.name);
      continue;
    }
    if (previously && !isRestartableInitContainer(container)) continue;
    const next = inits[i + 1]?.name;
    if (status.state === "created") draft.initContainersToStart.push(container.name);
    else if (status.state === "running") {
      if (isRestartableInitContainer(container) && runningSidecar(container, status, next, previously, draft, probes)) initialized = true;
    } else if (status.state === "exited") {
      const outcome = exitedInit(pod, container, status, next, draft, runtime);
      if (outcome === "terminal") {
        draft.killPod = true;
        draft.initContainersToStart = [];
        return false;
      }
      if (outcome === "initialized") initialized = true;
    } else {
      const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? "Always";
      if (policy === "Never") {
        draft.killPod = true;
        draft.initContainersToStart = [];
        return false;
      }
      draft.containersToKill.push({ id: status.id, name: container.name, message: `Init container is in "unknown" state, try killing it before restart`, reason: "Unknown" });
      draft.initContainersToStart.push(container.name);
    }
    previously = true;
  }
  const first = inits[0];
  if (!previously && first) draft.initContainersToStart.push(first.name);
  draft.initContainersToStart.reverse();
  return initialized;
}

function resetActions(pod: Pod, runtime: RuntimePod | undefined, base: PodActions): PodActions {
  const of = (containers: readonly Container[], source: boolean) =>
    containers.flatMap((container) => {
      const status = findContainer(runtime, container.name);
      if (!status) return [];
      const isSource = status.state === "exited" && container.restartPolicy !== undefined && containerShouldRestart(container, pod.spec, status.exitCode) && (container.restartPolicyRules ?? []).some((rule) => rule.action === "RestartAllContainers");
      return isSource === source ? [{ id: status.id, name: container.name, kill: status.state === "running" }] : [];
    });
  const inits = pod.spec.initContainers ?? [];
  return { ...base, containersToReset: [...of(pod.spec.containers, false), ...of(inits, false), ...of(pod.spec.containers, true), ...of(inits, true)] };
}

/** What has to be killed, made and started so that the runtime becomes what the Pod asks for. Pure. */
export function computePodActions(pod: Pod, runtime: RuntimePod | undefined, probes: ProbeResults, restartAll = false, resizeRestarts: (name: string) => boolean = () => false): PodActions {
  const sandbox = podSandboxChanged(pod, runtime);
  const base: PodActions = { killPod: sandbox.changed, createSandbox: sandbox.changed, sandboxId: sandbox.sandboxId, attempt: sandbox.attempt, ephemeralContainersToStart: [], initContainersToStart: [], containersToStart: [], containersToKill: [], containersToReset: [] };
  if (restartAll) return resetActions(pod, runtime, base);
  if (sandbox.changed) return actionsForNewSandbox(pod, runtime, base);
  const draft: Draft = { killPod: false, initContainersToStart: [], containersToKill: [] };
  const initialized = computeInitContainerActions(pod, runtime, draft, probes);
  // They are started once, whatever state the others are in.
  const ephemeralContainersToStart = (pod.spec.ephemeralContainers ?? []).filter(({ name }) => findContainer(runtime, name) === undefined).map(({ name }) => name);
  if (draft.killPod || !initialized) return { ...base, ...draft, ephemeralContainersToStart };
  let keep = 0;
  const containersToStart: string[] = [];
  for (const container of pod.spec.containers) {
    const status = findContainer(runtime, container.name);
    if (status?.state !== "running") {
      if (!shouldContainerBeRestarted(container, pod, runtime)) continue;
      containersToStart.push(container.name);
      if (status?.state === "unknown") draft.containersToKill.push({ id: status.id, name: container.name, message: `Container is in "unknown" state, try killing it before restart`, reason: "Unknown" });
      continue;
    }
    let restart = container.restartPolicy === undefined ? shouldRestartOnFailure(pod) : container.restartPolicy !== "Never";
    let message: string;
    let reason: KillReason = "";
    if (changed(container, status)) {
      message = `Container ${container.name} definition changed`;
      restart = true;
    } else if (probes(status.id, "liveness") === "Failure") {
      message = `Container ${container.name} failed liveness probe`;
      reason = "LivenessProbe";
    } else if (probes(status.id, "startup") === "Failure") {
      message = `Container ${container.name} failed startup probe`;
      reason = "StartupProbe";
    } else if (resizeRestarts(container.name)) {
      containersToStart.push(container.name);
      draft.containersToKill.push({ id: status.id, name: container.name, message: `Container ${container.name} resize requires restart`, reason: "" });
      continue;
    } else {
      keep++;
      continue;
    }
    if (restart) containersToStart.push(container.name);
    draft.containersToKill.push({ id: status.id, name: container.name, message: restart ? `${message}, will be restarted` : message, reason });
  }
  const killPod = keep === 0 && containersToStart.length === 0;
  return { ...base, ...draft, killPod, ephemeralContainersToStart: killPod ? [] : ephemeralContainersToStart, containersToStart, initContainersToStart: killPod ? [] : draft.initContainersToStart };
}
