// Models kubernetes/pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
import type { Message } from "../kernel/types.ts";
import { containerGracePeriod, stopTimeout, terminationPrerequisites } from "./grace.ts";
import { hookFailed, runHandler } from "./lifecycle.ts";
import type { ContainerToKill } from "./pod-actions.ts";
import type { Kill } from "./state.ts";
import { containerNamed, secondsToMicros, type Turn } from "./turn.ts";

export interface KillTimer extends Message {
  readonly type: "kubelet.kill";
  readonly uid: string;
  readonly id: string;
  readonly what: "begin" | "hook timeout" | "hook slept" | "turn timeout";
}

export const killsRunning = (turn: Turn, uid: string): boolean => Object.keys(turn.worker(uid)?.kills ?? {}).length > 0;

/** Starts killing containers side by side. `override`: seconds granted by the Pod worker. `ordered`: sidecars wait their turn. */
export function beginKills(turn: Turn, uid: string, containers: readonly ContainerToKill[], override: number | undefined, ordered: boolean): void {
  const worker = turn.worker(uid);
  if (!worker) return;
  const { pod } = worker;
  for (const item of containers) {
    const container = containerNamed(pod, item.name);
    if (!container) continue;
    turn.event(pod, "Normal", "Killing", item.message === "" ? `Stopping container ${item.name}` : item.message, container);
    turn.explain(`The kubelet stops container ${item.name}${item.message === "" ? "" : `: ${item.message}`}`, pod, { level: "basic" });
    const kill: Kill = { id: item.id, name: item.name, grace: override ?? containerGracePeriod(pod, container, item.reason), reason: item.reason, step: "begin", since: turn.now, ordered, spent: 0, timer: -1 };
    put(turn, uid, kill);
    timer(turn, uid, kill.id, turn.ctx.latency("kubelet.kill", `${item.id}`), "begin");
  }
}

function put(turn: Turn, uid: string, kill: Kill): void {
  const kills = turn.worker(uid)?.kills ?? {};
  turn.update(uid, { kills: { ...kills, [kill.id]: kill } });
}

const get = (turn: Turn, uid: string, id: string): Kill | undefined => turn.worker(uid)?.kills[id];

function timer(turn: Turn, uid: string, id: string, delay: number, what: KillTimer["what"]): void {
  const kill = get(turn, uid, id);
  if (kill) put(turn, uid, { ...kill, timer: turn.ctx.after(delay, { type: "kubelet.kill", uid, id, what } satisfies KillTimer) });
}

export function onKillTimer(turn: Turn, message: KillTimer): void {
  const { uid, id } = message;
  const kill = get(turn, uid, id);
  if (!kill) return;
  switch (message.what) {
    case "begin": return preStop(turn, uid, kill);
    case "hook slept": return hookDone(turn, uid, kill, false);
    case "hook timeout": return hookDone(turn, uid, kill, true);
    case "turn timeout": return stop(turn, uid, kill);
  }
}

function preStop(turn: Turn, uid: string, kill: Kill): void {
  const pod = turn.worker(uid)?.pod;
  const hook = pod && containerNamed(pod, kill.name)?.lifecycle?.preStop;
  if (!pod || !hook || kill.grace <= 0) return waitForTurn(turn, uid, kill);
  put(turn, uid, { ...kill, step: "preStop", since: turn.now });
  turn.explain(`The preStop hook of ${kill.name} runs first; its time counts against the grace of ${kill.grace} s`, pod, { level: "basic" });
  if (hook.sleep) {
    timer(turn, uid, kill.id, secondsToMicros(Math.min(hook.sleep.seconds, kill.grace)), "hook slept");
    return;
  }
  const sent = runHandler(turn, pod, kill.name, kill.id, hook, { for: "kill", uid, id: kill.id, step: "preStop" }, kill.grace);
  if (!sent) return hookDone(turn, uid, kill, true);
  timer(turn, uid, kill.id, secondsToMicros(kill.grace), "hook timeout");
}

function hookDone(turn: Turn, uid: string, before: Kill, failed: boolean): void {
  const kill = get(turn, uid, before.id);
  const pod = turn.worker(uid)?.pod;
  if (!kill || !pod || kill.step !== "preStop") return;
  turn.ctx.cancel(kill.timer);
  const container = containerNamed(pod, kill.name);
  if (failed && container) turn.event(pod, "Warning", "FailedPreStopHook", "PreStopHook failed", container);
  waitForTurn(turn, uid, { ...kill, spent: kill.spent + (turn.now - kill.since) });
}

function waitForTurn(turn: Turn, uid: string, kill: Kill): void {
  put(turn, uid, { ...kill, step: "turn", since: turn.now });
  if (!mustWait(turn, uid, kill)) return stop(turn, uid, kill);
  const left = secondsToMicros(kill.grace) - Math.floor(kill.spent / 1_000_000) * 1_000_000;
  if (left <= 0) return stop(turn, uid, kill);
  turn.explain(`Sidecar ${kill.name} waits until the containers it serves have ended`, turn.worker(uid)?.pod);
  timer(turn, uid, kill.id, left, "turn timeout");
}

function mustWait(turn: Turn, uid: string, kill: Kill): boolean {
  const worker = turn.worker(uid);
  if (!worker || !kill.ordered) return false;
  const running = Object.values(worker.kills).map((other) => other.name);
  return terminationPrerequisites(worker.pod, kill.name, running).length > 0;
}

function stop(turn: Turn, uid: string, before: Kill): void {
  const kill = get(turn, uid, before.id);
  if (!kill || kill.step === "stop") return;
  turn.ctx.cancel(kill.timer);
  const waited = kill.step === "turn" ? turn.now - kill.since : 0;
  put(turn, uid, { ...kill, step: "stop" });
  const timeoutSeconds = stopTimeout(kill.grace, before.spent / 1_000_000, waited / 1_000_000);
  turn.cri({ call: "StopContainer", containerId: kill.id, timeoutSeconds }, { for: "kill", uid, id: kill.id, step: "stop" }, `pod/${turn.worker(uid)?.key ?? ""}`, "basic");
}

/** An answer for a kill: from its hook or from StopContainer. */
export function onKillAnswer(turn: Turn, uid: string, id: string, asked: Kill["step"], message: Message): void {
  const kill = get(turn, uid, id);
  // A hook that was given up may still answer.
  if (!kill || kill.step !== asked) return;
  if (kill.step === "preStop") {
    return hookDone(turn, uid, kill, hookFailed(message));
  }
  if (kill.step !== "stop") return;
  const rest = Object.fromEntries(Object.entries(turn.worker(uid)?.kills ?? {}).filter(([other]) => other !== id));
  turn.update(uid, { kills: rest });
  for (const other of Object.values(rest)) if (other.step === "turn" && !mustWait(turn, uid, other)) stop(turn, uid, other);
  if (!killsRunning(turn, uid)) turn.engine.advance(turn, uid, { type: "kubelet.killed" });
}
