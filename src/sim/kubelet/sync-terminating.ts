// Models kubernetes/pkg/kubelet/kubelet.go SyncTerminatingPod, SyncTerminatedPod
import { rfc3339 } from "../api/time.ts";
import type { PodStatus } from "../api/types.ts";
import type { CriResponse } from "../cri/messages.ts";
import type { Message } from "../kernel/types.ts";
import type { VolumesRemove } from "../process/messages.ts";
import type { NodeVerdict } from "./eviction.ts";
import { removePodCgroup } from "./cgroups.ts";
import { beginKills, killsRunning } from "./kill.ts";
import { removeProbes, stopLivenessAndStartup } from "./prober.ts";
import { sandboxStopped, stopSandboxes } from "./sync-pod.ts";
import type { Step, StepResult } from "./step.ts";
import { generateStatus } from "./status-source.ts";
import { setPodStatus, terminatePod } from "./status-manager.ts";
import { RUNTIME_DOWN, type Turn } from "./turn.ts";
import { unpublishVolumes, volumesUnpublished } from "./unpublish.ts";

const STOP: StepResult = { error: "", cancelled: true };

/** The status of a Pod that the node itself ends. */
function judged(turn: Turn, status: PodStatus, { reason, message, disrupts, keepsSuccess }: NodeVerdict): PodStatus {
  const ended = { ...status, phase: keepsSuccess && status.phase === "Succeeded" ? "Succeeded" : "Failed", reason, message };
  if (!disrupts) return ended;
  const condition = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message, lastTransitionTime: rfc3339(turn.wall()) };
  return { ...ended, conditions: [...(status.conditions ?? []).filter(({ type }) => type !== condition.type), condition] };
}

function begin(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return STOP;
  let status = worker.settled && run.pod.status ? run.pod.status : generateStatus(turn, uid, run.runtime, false);
  if (worker.verdict) status = judged(turn, status, worker.verdict);
  turn.explain(`The kubelet ends ${run.pod.metadata.name ?? ""}: liveness and startup probes stop, readiness goes on`, run.pod, { status: `stopping ${worker.key}` });
  setPodStatus(turn, run.pod, status);
  stopLivenessAndStartup(turn, uid);
  return "next";
}

function kill(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return STOP;
  const running = (run.runtime?.containers ?? []).filter((container) => container.state === "running").map(({ id, name }) => ({ id, name, message: "", reason: "" as const }));
  turn.run(uid, { sandboxesToStop: (run.runtime?.sandboxes ?? []).map((sandbox) => sandbox.id) });
  if (running.length === 0) return "next";
  beginKills(turn, uid, running, worker.grace, true);
  return killsRunning(turn, uid) ? "wait" : "next";
}

/** A sandbox that cannot be stopped keeps its Pod: the worker comes back. */
function stopAnswered(turn: Turn, uid: string, message: Message): StepResult {
  const worker = turn.worker(uid);
  const why = message.type === "net.error" ? RUNTIME_DOWN() : (message as Partial<CriResponse>).error;
  if (why === undefined || !worker) return sandboxStopped(turn, uid, message);
  const error = `failed to "KillPodSandbox" for ${JSON.stringify(uid)} with KillPodSandboxError: ${JSON.stringify(why)}`;
  turn.event(worker.pod, "Warning", "FailedKillPod", `error killing pod: ${error}`);
  return { error };
}

function readBack(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return STOP;
  removeProbes(turn, uid);
  turn.cri({ call: "ListPodSandbox", podUid: uid }, { for: "run", uid, n: run.n }, `pod/${turn.worker(uid)?.key ?? ""}`, "source");
  return "wait";
}

function stopped(turn: Turn, uid: string, message: Message): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return STOP;
  if (message.type === "net.error") return { error: RUNTIME_DOWN() };
  const runtime = (message as CriResponse).pods?.[0];
  turn.run(uid, { runtime });
  setPodStatus(turn, run.pod, generateStatus(turn, uid, runtime, true));
  turn.explain(`No container of ${run.pod.metadata.name ?? ""} runs any more`, run.pod, { level: "basic", why: "Its worker now waits for the next PLEG relist before it cleans up" });
  return "next";
}

function terminated(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  const run = worker?.run;
  if (!worker || !run) return STOP;
  if (worker.inConfig) setPodStatus(turn, run.pod, generateStatus(turn, uid, run.runtime, true));
  turn.ctx.send(`process@${turn.config.node.name}`, { type: "volumes.remove", podUid: uid } satisfies VolumesRemove, { protocol: "disk", latency: 200, verb: "unmount", subject: `pod/${worker.key}`, level: "operator" });
  turn.update(uid, { volumes: {} });
  turn.later(uid, "kubelet.terminated", uid);
  return "wait";
}

function cleanUp(turn: Turn, uid: string): StepResult {
  const worker = turn.worker(uid);
  if (!worker?.run) return STOP;
  turn.explain(`The kubelet has unmounted the volumes and removed the cgroup of ${worker.pod.metadata.name ?? ""}`, worker.pod, { status: "idle" });
  removePodCgroup(turn, worker.pod);
  if (worker.inConfig) terminatePod(turn, worker.pod);
  return "next";
}

export const SYNC_TERMINATING_POD: readonly Step[] = [
  { name: "generateAPIPodStatus", enter: begin },
  { name: "killContainers", enter: kill, resume: (turn, uid) => (killsRunning(turn, uid) ? "wait" : "next") },
  { name: "stopPodSandbox", enter: stopSandboxes, resume: stopAnswered },
  { name: "readBack", enter: readBack, resume: stopped },
];

export const SYNC_TERMINATED_POD: readonly Step[] = [
  { name: "unpublishVolumes", enter: unpublishVolumes, resume: volumesUnpublished },
  { name: "unmountVolumes", enter: terminated, resume: () => "next" },
  { name: "removeCgroupAndTerminate", enter: cleanUp },
];
