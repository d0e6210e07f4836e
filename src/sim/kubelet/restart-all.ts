// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod (ContainersToReset) and kubelet.go SyncPod (RestartAllContainersOnContainerExits)
import type { Message } from "../kernel/types.ts";
import { beginKills, killsRunning } from "./kill.ts";
import type { ContainerToReset } from "./pod-actions.ts";
import type { StepResult } from "./step.ts";
import { podRef, RUNTIME_DOWN, type Turn } from "./turn.ts";

const STOP: StepResult = { error: "", cancelled: true };

/** Whether the status that this sync began with says that all containers start anew. */
export const isRestartingAll = (turn: Turn, uid: string): boolean => turn.state.statuses.get(uid)?.status.conditions?.some(({ type, status }) => type === "AllContainersRestarting" && status === "True") ?? false;

/** Kills and removes the Pod's containers one after another; the sandbox, its address and the volumes stay. */
export function resetContainers(turn: Turn, uid: string): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return STOP;
  const [next] = run.toReset;
  if (next === undefined) return "next";
  if (run.toReset === run.actions?.containersToReset) turn.explain(`All containers of ${run.pod.metadata.name ?? ""} start anew: a restart rule asked for it`, run.pod, { level: "basic", why: "The sandbox with its address and the volumes stay; the containers are removed, the init containers run again" });
  if (next.kill) {
    beginKills(turn, uid, [{ id: next.id, name: next.name, message: "killing", reason: "RestartAllContainers" }], 0, false);
    if (killsRunning(turn, uid)) return "wait";
  }
  return remove(turn, uid, next);
}

function remove(turn: Turn, uid: string, { id, name }: ContainerToReset): StepResult {
  const run = turn.worker(uid)?.run;
  if (!run) return STOP;
  turn.run(uid, { results: [...run.results, { action: "RemoveContainer", target: name }] });
  turn.cri({ call: "RemoveContainer", containerId: id }, { for: "run", uid, n: run.n }, podRef(run.pod));
  return "wait";
}

/** A container was killed, or removed: on with it, or with the next. */
export function containerReset(turn: Turn, uid: string, message: Message): StepResult {
  const run = turn.worker(uid)?.run;
  const [current, ...rest] = run?.toReset ?? [];
  if (!run || current === undefined) return STOP;
  if (message.type === "net.error") return { error: RUNTIME_DOWN() };
  if (message.type === "kubelet.killed") return remove(turn, uid, current);
  turn.run(uid, { toReset: rest });
  return resetContainers(turn, uid);
}
