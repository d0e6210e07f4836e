// Programs that take more and more memory: faults app.memory-leak and app.oom
import type { FaultMessage } from "../faults/messages.ts";
import type { Micros } from "../kernel/types.ts";
import { outOfMemory } from "./node-memory.ts";
import { memoryLeftMiB } from "./node-use.ts";
import { oomKill } from "./tasks.ts";
import { matchesFault, MIB, type Turn } from "./turn.ts";
import type { Message } from "../kernel/types.ts";

/** The program asks for memory again. */
export interface LeakTimer extends Message {
  readonly type: "process.leak";
  readonly containerId: string;
  readonly fault: string;
}

const SECOND: Micros = 1_000_000;
/** Chosen: a program that needs too much takes it in steps. */
const OOM_STEP: Micros = 100_000;
const OOM_STEP_MIB = 64;
const FAULTS = ["app.memory-leak", "app.oom"];

/** Of a container that has just started, or that a fault has just struck. */
export function armLeaks(turn: Turn, containerId: string, only?: string): void {
  const proc = turn.state.containers.get(containerId);
  for (const fault of turn.state.faults) {
    if (!proc || !FAULTS.includes(fault.id) || (only !== undefined && fault.id !== only) || !matchesFault(fault, proc)) continue;
    const delay = fault.id === "app.oom" ? Math.round(Number(fault.params["afterSeconds"] ?? 0) * SECOND) : SECOND;
    turn.ctx.after(delay, { type: "process.leak", containerId, fault: fault.id } satisfies LeakTimer);
  }
}

/** A memory fault begins: programs that run already are struck as well. */
export function strikeRunning(turn: Turn, fault: FaultMessage): void {
  if (!FAULTS.includes(fault.id)) return;
  for (const [id, proc] of turn.state.containers.sorted()) if (proc.state === "running") armLeaks(turn, id, fault.id);
}

export function onLeak(turn: Turn, { containerId, fault: id }: LeakTimer): void {
  const proc = turn.state.containers.get(containerId);
  const fault = turn.state.faults.find((candidate) => candidate.id === id && proc !== undefined && matchesFault(candidate, proc));
  if (!proc || !fault || proc.state !== "running") return;
  const step = id === "app.oom" ? OOM_STEP_MIB : Number(fault.params["mibPerSecond"] ?? 0);
  const memoryMiB = proc.memoryMiB + step;
  turn.put(containerId, { ...proc, memoryMiB });
  const limit = proc.spec.memoryLimit;
  if (limit > 0 && memoryMiB * MIB > limit) return oomKill(turn, containerId);
  if (memoryLeftMiB(turn) <= 0) outOfMemory(turn);
  if (turn.state.containers.get(containerId)?.state === "running") turn.ctx.after(id === "app.oom" ? OOM_STEP : SECOND, { type: "process.leak", containerId, fault: id } satisfies LeakTimer);
}
