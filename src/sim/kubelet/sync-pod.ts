// Models kubernetes/pkg/kubelet/kubelet.go SyncPod and kuberuntime_manager.go SyncPod
import type { Message, NetErrorMessage } from "../kernel/types.ts";
import { makePodCgroup } from "./cgroups.ts";
import { podCgroupPath } from "./cm.ts";
import { imageVolumeAnswered, pullImageVolumes } from "./image-volumes.ts";
import { beginKills, killsRunning } from "./kill.ts";
import { computePodActions } from "./pod-actions.ts";
import { isTerminalPhase } from "./pod-status.ts";
import { addProbes, armProbes, probeResults } from "./prober.ts";
import { getPullSecrets, pullSecretRead } from "./pull-secrets.ts";
import { completeResize, containerResized, mustRestart, resizeContainers } from "./resize.ts";
import { containerReset, isRestartingAll, resetContainers } from "./restart-all.ts";
import { createSandbox, lookupRuntimeHandler, runtimeClassRead, sandboxAnswered } from "./create-sandbox.ts";
import type { SyncResult, SyncRun } from "./state.ts";
import { nextContainer, resumeContainer } from "./start-container.ts";
import { mirrorReconciled, reconcileMirror } from "./static-pods.ts";
import type { Step, StepResult } from "./step.ts";
import { generateStatus } from "./status-source.ts";
import { setPodStatus } from "./status-manager.ts";
import { RUNTIME_DOWN, secondsToMicros, type Turn } from "./turn.ts";
import { refreshVolumes, waitProblem } from "./volume-manager.ts";
import { allMounted, VOLUME_POLL, VOLUME_TIMEOUT } from "./volume-state.ts";

const runOf = (turn: Turn, uid: string): SyncRun | undefined => turn.worker(uid)?.run;
const STOP: StepResult = { error: "", cancelled: true };
const result = (turn: Turn, uid: string, item: SyncResult): void => turn.run(uid, { results: [...(runOf(turn, uid)?.results ?? []), item] });

function generate(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return STOP;
  if (worker.settled) return "next";
  completeResize(turn, uid, run.runtime);
  const status = generateStatus(turn, uid, run.runtime, false);
  turn.explain(`The kubelet syncs ${run.pod.metadata.name ?? ""}: phase ${status.phase ?? ""}`, run.pod, { level: run.n === 1 ? "basic" : "operator", status: `syncing ${worker.key}` });
  setPodStatus(turn, run.pod, status);
  armProbes(turn, uid);
  armDeadline(turn, uid);
  if (isTerminalPhase(status.phase)) return { error: "", terminal: true };
  const { networkError } = turn.state;
  if (networkError === "" || run.pod.spec.hostNetwork) return "next";
  turn.event(run.pod, "Warning", "NetworkNotReady", `network is not ready: ${networkError}`);
  return { error: `network is not ready: ${networkError}` };
}

function armDeadline(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  const deadline = worker?.pod.spec.activeDeadlineSeconds;
  if (!worker || deadline === undefined || worker.deadlineArmed) return;
  turn.update(uid, { deadlineArmed: true });
  const at = turn.nextTick("sync", 1_000_000, turn.now + secondsToMicros(deadline));
  turn.ctx.after(at - turn.now, { type: "kubelet.deadline", uid } as Message);
}

/** Pod cgroup and directories; only a Pod's first sync has to make them. */
function prepare(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  if (turn.state.cgroups.get(podCgroupPath(run.pod)) === undefined) makePodCgroup(turn, run.pod);
  if ((run.runtime?.sandboxes.length ?? 0) > 0 || run.n > 1) return "next";
  turn.explain(`The kubelet makes the Pod's cgroup and directories for ${run.pod.metadata.name ?? ""}`, run.pod, { why: "The Pod's cgroup bounds all its containers; volumes are mounted under its directory" });
  turn.later(uid, "kubelet.prepare-pod", uid);
  return "wait";
}

function waitForVolumes(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  if (run.volumesSince === 0) turn.run(uid, { volumesSince: turn.now });
  if (allMounted(turn, uid)) {
    refreshVolumes(turn, uid);
    return "next";
  }
  const problem = waitProblem(turn, uid);
  if (problem !== undefined) return cannotMount(turn, run, problem);
  turn.explain(`The kubelet waits until the volumes of ${run.pod.metadata.name ?? ""} are mounted`, run.pod, { level: "basic", why: "It looks again every 300 ms, for at most 2m3s: before that no sandbox is made", status: "waiting for volumes" });
  turn.sleep(uid, VOLUME_TIMEOUT);
  return "wait";
}

function cannotMount(turn: Turn, run: SyncRun, problem: string): StepResult {
  turn.ctx.cancel(run.timer);
  turn.event(run.pod, "Warning", "FailedMount", `Unable to attach or mount volumes: ${problem}`);
  return { error: problem };
}

/** The volume manager wakes this step at the poll after the last mount; otherwise the time is up. */
function volumesPolled(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  if (allMounted(turn, uid)) {
    turn.ctx.cancel(run.timer);
    turn.explain(`All volumes of ${run.pod.metadata.name ?? ""} are mounted`, run.pod, { level: "basic", why: `Noticed at the ${VOLUME_POLL / 1000} ms poll` });
    return "next";
  }
  const problem = waitProblem(turn, uid);
  if (problem !== undefined) return cannotMount(turn, run, problem);
  return turn.now - run.volumesSince >= VOLUME_TIMEOUT ? { error: "timed out waiting for the condition" } : "wait";
}

function actions(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!run) return STOP;
  const computed = computePodActions(run.pod, run.runtime, probeResults(turn, uid), isRestartingAll(turn, uid), (name) => mustRestart(run.pod, worker.resize, name));
  if (computed.createSandbox && computed.sandboxId !== "") turn.event(run.pod, "Normal", "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.");
  const running = (run.runtime?.containers ?? []).filter((container) => container.state === "running");
  const toKill = computed.killPod ? running.map((container) => ({ id: container.id, name: container.name, message: "", reason: "" as const })) : computed.containersToKill;
  const sandboxes = computed.killPod ? (run.runtime?.sandboxes ?? []).map((sandbox) => sandbox.id) : [];
  const isInit = new Set((run.pod.spec.initContainers ?? []).map((container) => container.name));
  const toStart = [...computed.ephemeralContainersToStart, ...computed.initContainersToStart, ...computed.containersToStart].map((container) => ({ container, isInit: isInit.has(container) }));
  turn.run(uid, { actions: computed, toKill, toReset: computed.containersToReset, sandboxesToStop: sandboxes, toStart, ...(computed.createSandbox ? { sandboxId: "" } : { sandboxId: computed.sandboxId }) });
  return "next";
}

function killContainers(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  if (run.toKill.length === 0) return "next";
  for (const item of run.toKill) result(turn, uid, { action: "KillContainer", target: item.name });
  beginKills(turn, uid, run.toKill, undefined, run.actions?.killPod ?? false);
  return killsRunning(turn, uid) ? "wait" : "next";
}

const killsDone = (turn: Turn, uid: string): StepResult => (killsRunning(turn, uid) ? "wait" : "next");

/** Stops the listed sandboxes one after another. */
export function stopSandboxes(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run || run.sandboxesToStop.length === 0) return run ? "next" : STOP;
  if (run.flow === "syncPod") result(turn, uid, { action: "KillPodSandbox", target: run.pod.metadata.name ?? "" });
  turn.later(uid, "kubelet.kill-sandbox", `${uid}/${run.n}`);
  return "wait";
}

export function sandboxStopped(turn: Turn, uid: string, message: Message): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  const rest = message.type === "kubelet.step" ? run.sandboxesToStop : run.sandboxesToStop.slice(1);
  turn.run(uid, { sandboxesToStop: rest });
  const [sandboxId] = rest;
  if (sandboxId === undefined) return "next";
  turn.cri({ call: "StopPodSandbox", sandboxId }, { for: "run", uid, n: run.n }, `pod/${turn.worker(uid)?.key ?? ""}`, "basic");
  return "wait";
}

function sandboxCreated(turn: Turn, uid: string): StepResult {
  const run = runOf(turn, uid);
  if (!run?.actions?.createSandbox) return run ? "next" : STOP;
  turn.later(uid, "kubelet.sandbox-created", `${uid}/${run.n}`);
  return "wait";
}

/** The reason cache: why each container's last start did not come about. */
function updateReasons(turn: Turn, uid: string): void {
  const worker = turn.worker(uid);
  if (!worker?.run) return;
  let failures = worker.failures;
  for (const item of worker.run.results) {
    if (item.action !== "StartContainer") continue;
    if (item.error !== undefined) failures = { ...failures, [item.target]: { reason: item.error, message: item.message ?? "" } };
    else if (failures[item.target] !== undefined) failures = Object.fromEntries(Object.entries(failures).filter(([name]) => name !== item.target));
  }
  if (failures !== worker.failures) turn.update(uid, { failures });
}

function finish(turn: Turn, uid: string, exited: boolean): StepResult {
  const run = runOf(turn, uid);
  if (!run) return STOP;
  if (!exited && run.results.length > 0) {
    updateReasons(turn, uid);
    turn.later(uid, "kubelet.sync-exit", `${uid}/${run.n}`);
    return "wait";
  }
  const failed = run.results.filter((item) => item.error !== undefined);
  if (failed.length === 0) {
    // What was removed is to start at once, without a word from PLEG.
    if (run.results.some(({ action }) => action === "RemoveContainer")) turn.engine.updatePod(turn, uid);
    return { error: "" };
  }
  const until = failed.map((item) => item.backoffUntil).filter((at) => at !== undefined);
  const error = failed.map((item) => `failed to "${item.action}" for "${item.target}" with ${item.error ?? ""}: "${item.message ?? ""}"`).join(", ");
  return { error, ...(until.length === 0 ? {} : { backoffUntil: Math.min(...until) }) };
}

const net = (message: Message): message is NetErrorMessage => message.type === "net.error";
const step = (name: string, enter: Step["enter"], resume?: Step["resume"]): Step => ({ name, enter, ...(resume === undefined ? {} : { resume }) });

/** Kubelet.SyncPod from its top to its end, the runtime manager's SyncPod inlined from "computePodActions" on. */
export const SYNC_POD: readonly Step[] = [
  step("generateAPIPodStatus", generate),
  step("podCgroupAndDataDirs", prepare, () => "next"),
  step("reconcileMirrorPod", reconcileMirror, mirrorReconciled),
  step("waitForVolumes", waitForVolumes, volumesPolled),
  step("getPullSecrets", getPullSecrets, pullSecretRead),
  step("addProbes", (turn, uid) => {
    addProbes(turn, uid);
    // Containers that ran before this kubelet did are probed at once; others when the next sync sees them run.
    if ((runOf(turn, uid)?.runtime?.containers.length ?? 0) > 0) armProbes(turn, uid);
    return "next";
  }),
  step("computePodActions", actions),
  step("killContainers", killContainers, killsDone),
  step("resetContainers", resetContainers, containerReset),
  step("stopPodSandbox", stopSandboxes, (turn, uid, message) => (net(message) ? { error: RUNTIME_DOWN() } : sandboxStopped(turn, uid, message))),
  step("lookupRuntimeHandler", lookupRuntimeHandler, runtimeClassRead),
  step("createPodSandbox", createSandbox, sandboxAnswered),
  step("podSandboxStatus", sandboxCreated, () => "next"),
  step("resizeContainers", resizeContainers, containerResized),
  step("getImageVolumes", pullImageVolumes, imageVolumeAnswered),
  step("startContainers", nextContainer, resumeContainer),
  step("updateReasonCache", (turn, uid) => finish(turn, uid, false), (turn, uid) => finish(turn, uid, true)),
];
