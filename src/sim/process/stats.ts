// Models the kernel's accounting (cgroup v2 cpu.stat and memory.current), as the kubelet's /metrics/resource shows it
import type { Micros } from "../kernel/types.ts";
import type { ServerProgram } from "./images/image.ts";
import type { ContainerStats, ProcessStatsResponse } from "./messages.ts";
import { MIB, type Proc, type Turn } from "./turn.ts";

/** Chosen: what a small request takes, and what a program takes that only waits, as a part of 1000. */
const SMALL_REQUEST: Micros = 300;
const IDLE_PER_MILLE = 1;

/**
 * Charges one HTTP request to its container and says for how long the answer waits: heavy requests are worked off one
 * after another, and a limit stretches them. Simplified: upstream's kernel stops a container for the rest of each 100 ms period.
 */
export function chargeRequest(turn: Turn, proc: Proc, { cpuPerRequest }: ServerProgram): Micros {
  const used = cpuPerRequest ?? SMALL_REQUEST;
  const cpuUsed = (proc.cpuUsed ?? 0) + used;
  if (cpuPerRequest === undefined) {
    turn.put(proc.spec.containerId, { ...proc, cpuUsed });
    return 0;
  }
  const limit = proc.spec.cpuLimit ?? 0;
  const takes = limit > 0 && limit < 1000 ? Math.round((used * 1000) / limit) : used;
  const busyUntil = Math.max(turn.ctx.now, proc.busyUntil ?? 0) + takes;
  turn.put(proc.spec.containerId, { ...proc, cpuUsed, busyUntil });
  return busyUntil - turn.ctx.now;
}

/** Processor time until now: work that is still ahead is not counted. */
export function cpuOf({ spec, startedAt, cpuUsed = 0, busyUntil = 0 }: Proc, now: Micros): Micros {
  const ahead = Math.max(0, busyUntil - now);
  const limit = spec.cpuLimit ?? 0;
  const unspent = limit > 0 && limit < 1000 ? Math.floor((ahead * limit) / 1000) : ahead;
  return Math.max(0, cpuUsed - unspent) + Math.floor(((now - startedAt) * IDLE_PER_MILLE) / 1000);
}

/** Answers what every running container has used. */
export function stats(turn: Turn): void {
  const { ctx } = turn;
  const containers: ContainerStats[] = [];
  for (const [, proc] of turn.state.containers.sorted()) {
    if (proc.state !== "running") continue;
    const { namespace, podName, container } = proc.spec;
    containers.push({ namespace, pod: podName, container, startedAt: proc.startedAt, cpu: cpuOf(proc, ctx.now), memory: proc.memoryMiB * MIB });
  }
  ctx.send(ctx.from, { type: "process.stats.response", request: ctx.mail, at: ctx.now, containers } satisfies ProcessStatsResponse, { protocol: "disk", latency: 300, verb: "read cgroups", level: "source" });
}
