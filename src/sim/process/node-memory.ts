// Models the kernel's view of a node's memory: what is left, who is killed when nothing is, and the ramp of a program that takes more and more
import { value } from "../api/quantity.ts";
import type { Node } from "../api/types.ts";
import { objectsOf } from "../api/world.ts";
import type { Micros } from "../kernel/types.ts";
import type { NodeMemory, NodeOutOfMemory } from "./messages.ts";
import { oomKill } from "./tasks.ts";
import { MIB, type Proc, type ProcessConfig, type TaskTimer, type Turn } from "./turn.ts";

/** Chosen: what the system, the kubelet and the runtime use themselves. */
const SYSTEM_MIB = 500;
/** Chosen: a program that fills memory gets this much at a time. */
const RAMP_MIB = 256;
const RAMP_PERIOD: Micros = 250_000;
/** Below this the kubelet is told of every change, and once when it is over: its threshold is 100Mi. */
const TELL_BELOW_MIB = 1024;

const capacityMiB = (config: ProcessConfig): number => {
  const node = objectsOf<Node>(config.world, "Node").find(({ metadata }) => metadata.name === config.node.name);
  return Math.floor((value(node?.status?.capacity?.["memory"]) || 8_000_000_000) / MIB);
};

const running = (turn: Turn): readonly Proc[] => turn.state.containers.values().filter((proc) => proc.state === "running");

/** memory.available of the node in MiB. */
function available(turn: Turn): number {
  return capacityMiB(turn.config) - SYSTEM_MIB - running(turn).reduce((sum, proc) => sum + proc.memoryMiB, 0);
}

/** The next piece of memory for a task that wants `wantMiB`; without a limit of its own the node's memory is the limit. */
export function takeMemory(turn: Turn, id: string, name: string, wantMiB: number): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  turn.put(id, { ...proc, memoryMiB: Math.min(wantMiB, proc.memoryMiB + RAMP_MIB) });
  if (available(turn) <= 0) return outOfMemory(turn);
  if (proc.memoryMiB + RAMP_MIB < wantMiB) turn.ctx.after(RAMP_PERIOD, { type: "process.timer", containerId: id, task: name } satisfies TaskTimer);
}

/** A program takes so much more. Its cgroup's limit ends it, or else the node's own. */
export function grow(turn: Turn, id: string, mib: number): void {
  const proc = turn.state.containers.get(id);
  if (!proc || proc.state !== "running") return;
  const memoryMiB = proc.memoryMiB + mib;
  if (proc.spec.memoryLimit > 0 && memoryMiB * MIB > proc.spec.memoryLimit) return oomKill(turn, id);
  turn.put(id, { ...proc, memoryMiB });
  if (available(turn) <= 0) outOfMemory(turn);
}

/** A program gives back what it does not need. */
export function settleMemory(turn: Turn, id: string): void {
  const proc = turn.state.containers.get(id);
  if (proc) turn.put(id, { ...proc, memoryMiB: Math.max(1, ...Object.values(proc.tasks).map(({ server }) => server?.memoryMiB ?? 1)) });
}

/** Global OOM: the kernel kills the worst by size and oom_score_adj, with its whole cgroup. */
function outOfMemory(turn: Turn): void {
  const total = capacityMiB(turn.config);
  const badness = (proc: Proc): number => proc.memoryMiB + ((proc.spec.oomScoreAdj ?? 0) * total) / 1000;
  const [victim] = [...running(turn)].sort((a, b) => badness(b) - badness(a));
  if (victim === undefined) return;
  const program = victim.tasks["main"]?.argv[0]?.replace(/^.*\//, "") ?? victim.spec.container;
  turn.ctx.explain({ text: `The node ${turn.config.node.name} is out of memory: the kernel kills ${victim.spec.podName}`, why: `It has the highest badness: ${victim.memoryMiB} MiB and oom_score_adj ${victim.spec.oomScoreAdj ?? 0}`, level: "basic", subject: `pod/${victim.spec.namespace}/${victim.spec.podName}` });
  turn.ctx.send(`kubelet@${turn.config.node.name}`, { type: "node.oom", process: program, pid: 1000 + victim.spec.attempt * 17 + victim.spec.container.length } satisfies NodeOutOfMemory, { protocol: "syscall", latency: 1000, verb: "kmsg", level: "operator" });
  oomKill(turn, victim.spec.containerId);
}

/** Tells the kubelet how much is left, when it is little or has just been. */
export function tellMemory(turn: Turn, before: Turn["state"]["containers"]): void {
  if (turn.state.containers === before) return;
  const left = available(turn);
  const low = left < TELL_BELOW_MIB;
  if (!low && !turn.state.memoryLow) return;
  if (low !== turn.state.memoryLow) turn.state = { ...turn.state, memoryLow: low };
  else if (left === turn.state.memoryTold) return;
  turn.state = { ...turn.state, memoryTold: left };
  const containers = running(turn).map(({ spec, memoryMiB }) => ({ uid: spec.podUid, container: spec.container, bytes: memoryMiB * MIB }));
  turn.ctx.send(`kubelet@${turn.config.node.name}`, { type: "node.memory", available: left * MIB, containers } satisfies NodeMemory, { protocol: "disk", latency: 300, verb: "memory.available", level: "source" });
}
