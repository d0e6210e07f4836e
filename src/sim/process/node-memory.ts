// Models the kernel's view of a node's memory: what is left, who is killed when nothing is, and the ramp of a program that takes more and more
import type { Micros } from "../kernel/types.ts";
import type { NodeOutOfMemory } from "./messages.ts";
import { memoryCapacityMiB, memoryLeftMiB } from "./node-use.ts";
import { oomKill } from "./tasks.ts";
import { MIB, type Proc, type TaskTimer, type Turn } from "./turn.ts";

/** Chosen: a program that fills memory gets this much at a time. */
const RAMP_MIB = 256;
const RAMP_PERIOD: Micros = 250_000;
const running = (turn: Turn): readonly Proc[] => turn.state.containers.values().filter((proc) => proc.state === "running");

/** The next piece of memory for a task that wants `wantMiB`; without a limit of its own the node's memory is the limit. */
export function takeMemory(turn: Turn, id: string, name: string, wantMiB: number): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  turn.put(id, { ...proc, memoryMiB: Math.min(wantMiB, proc.memoryMiB + RAMP_MIB) });
  if (memoryLeftMiB(turn) <= 0) return outOfMemory(turn);
  if (proc.memoryMiB + RAMP_MIB < wantMiB) turn.ctx.after(RAMP_PERIOD, { type: "process.timer", containerId: id, task: name } satisfies TaskTimer);
}

/** A program takes so much more. Its cgroup's limit ends it, or else the node's own. */
export function grow(turn: Turn, id: string, mib: number): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const memoryMiB = proc.memoryMiB + mib;
  if (proc.spec.memoryLimit > 0 && memoryMiB * MIB > proc.spec.memoryLimit) return oomKill(turn, id);
  turn.put(id, { ...proc, memoryMiB });
  if (memoryLeftMiB(turn) <= 0) outOfMemory(turn);
}

/** A program gives back what it does not need. */
export function settleMemory(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (proc) turn.put(id, { ...proc, memoryMiB: Math.max(1, ...Object.values(proc.tasks).map(({ server }) => server?.memoryMiB ?? 1)) });
}

/** Global OOM: the kernel kills the worst by size and oom_score_adj, with its whole cgroup. */
export function outOfMemory(turn: Turn): void {
  const total = memoryCapacityMiB(turn);
  const badness = (proc: Proc): number => proc.memoryMiB + ((proc.spec.oomScoreAdj ?? 0) * total) / 1000;
  const [victim] = [...running(turn)].sort((a, b) => badness(b) - badness(a));
  if (victim === undefined) return;
  const program = victim.tasks["main"]?.argv[0]?.replace(/^.*\//, "") ?? victim.spec.container;
  turn.ctx.explain({ text: `The node ${turn.config.node.name} is out of memory: the kernel kills ${victim.spec.podName}`, why: `It has the highest badness: ${victim.memoryMiB} MiB and oom_score_adj ${victim.spec.oomScoreAdj ?? 0}`, level: "basic", subject: `pod/${victim.spec.namespace}/${victim.spec.podName}` });
  turn.ctx.send(`kubelet@${turn.config.node.name}`, { type: "node.oom", process: program, pid: 1000 + victim.spec.attempt * 17 + victim.spec.container.length } satisfies NodeOutOfMemory, { protocol: "syscall", latency: 1000, verb: "kmsg", level: "operator" });
  oomKill(turn, victim.spec.containerId);
}
