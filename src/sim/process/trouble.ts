// What goes wrong in the programs themselves: they end, hang, leak, answer late or start slowly
import { activeFaults } from "../api/active-faults.ts";
import type { FaultMessage } from "../faults/messages.ts";
import type { Micros } from "../kernel/types.ts";
import { grow, settleMemory } from "./node-memory.ts";
import { takeFromNode } from "./summary.ts";
import { exit, oomKill } from "./tasks.ts";
import { type ActingFault, faultOf, type ListenTimer, matchesFault, type Proc, subjectOf, type Turn } from "./turn.ts";

const SECOND: Micros = 1_000_000;
/** How much a program takes at a time that wants all memory there is, and how often. */
const GREED_MIB = 256;
const GREED_PERIOD: Micros = 250_000;

/** Faults that strike some time after a container's start, and the timer that does it. */
const STRIKES: Readonly<Record<string, FaultTimer["type"]>> = { "app.crash": "process.crash", "app.hang": "process.hang", "app.oom": "process.leak", "app.memory-leak": "process.leak" };

export interface FaultTimer {
  readonly type: "process.crash" | "process.hang" | "process.leak";
  readonly containerId: string;
  /** The acting fault: its id, and since when it acts. */
  readonly fault: string;
  readonly since: Micros;
}

/** A container has started, or runs while a fault begins: what will befall it is armed. */
export function armFaults(turn: Turn, id: string, only?: ActingFault): void {
  const proc = turn.state.containers.get(id);
  if (!proc) return;
  for (const fault of only === undefined ? turn.state.faults : [only]) {
    const type = STRIKES[fault.id];
    if (type === undefined || !matchesFault(fault, proc)) continue;
    const key = `${fault.id} since ${fault.since}/${proc.spec.podUid}/${proc.spec.container}`;
    const times = Number(fault.params["times"] ?? 0);
    const count = turn.state.crashes[key] ?? 0;
    if (times > 0 && count >= times) continue;
    turn.state = { ...turn.state, crashes: { ...turn.state.crashes, [key]: count + 1 } };
    turn.ctx.after(Math.round(Number(fault.params["afterSeconds"] ?? 0) * SECOND), { type, containerId: id, fault: fault.id, since: fault.since } satisfies FaultTimer);
  }
}

/** The fault that armed a timer, if it acts still. */
const armedBy = (turn: Turn, proc: Proc | undefined, { fault, since }: FaultTimer): ActingFault | undefined => proc && turn.state.faults.find((candidate) => candidate.id === fault && candidate.since === since && matchesFault(candidate, proc));

export function onFaultTimer(turn: Turn, timer: FaultTimer): void {
  const proc = turn.state.containers.get(timer.containerId);
  const fault = armedBy(turn, proc, timer);
  if (!proc || proc.state !== "running" || !fault) return;
  if (timer.type === "process.crash") exit(turn, timer.containerId, Number(fault.params["exitCode"] ?? 1));
  else if (timer.type === "process.hang") hang(turn, proc, fault);
  else leak(turn, proc, fault, timer);
}

/** Simplified: upstream's program stops altogether; here what it answers to the network and to signals, while a script goes on. */
function hang(turn: Turn, proc: Proc, fault: ActingFault): void {
  turn.put(proc.spec.containerId, { ...proc, hung: fault.params["deaf"] === false ? "listening" : "deaf" });
  turn.ctx.explain({ text: `${proc.spec.container} hangs: it takes connections and answers none`, why: "The kernel still completes connections for it: only who waits for an answer notices", level: "basic", subject: subjectOf(turn, proc.spec.containerId) });
}

function leak(turn: Turn, proc: Proc, fault: ActingFault, timer: FaultTimer): void {
  const greedy = fault.id === "app.oom";
  grow(turn, proc.spec.containerId, greedy ? GREED_MIB : Number(fault.params["mibPerSecond"] ?? 0));
  if (turn.state.containers.get(proc.spec.containerId)?.state === "running") turn.ctx.after(greedy ? GREED_PERIOD : SECOND, timer);
}

/** Out of the endpoints in every second half of a period, counted from its begin. */
function flaps(turn: Turn, proc: Proc): boolean {
  const fault = faultOf(turn, proc, "app.flapping");
  if (!fault) return false;
  const half = Math.max(1, Math.round((Number(fault.params["periodSeconds"]) * SECOND) / 2));
  return Math.floor((turn.ctx.now - fault.since) / half) % 2 === 0;
}

/** Whether the application says that it is not ready. */
export const isNotReady = (turn: Turn, proc: Proc): boolean => turn.state.faults.length > 0 && (faultOf(turn, proc, "app.not-ready") !== undefined || flaps(turn, proc));

/** How much later than usual an HTTP request of this path is answered. */
export function lateness(turn: Turn, proc: Proc, path: string): Micros {
  const fault = faultOf(turn, proc, "app.slow-answers");
  const only = String(fault?.params["path"] ?? "");
  return fault === undefined || (only !== "" && only !== path.split("?")[0]) ? 0 : Math.round(Number(fault.params["milliseconds"]) * 1000);
}

/** A fault begins or ends in every container that it names. */
export function onFault(turn: Turn, message: FaultMessage): void {
  const fault: ActingFault = { ...message, since: turn.ctx.now };
  turn.state = { ...turn.state, faults: activeFaults(turn.state.faults, fault) };
  if (fault.id.startsWith("node.")) return takeFromNode(turn, message);
  for (const [id, proc] of turn.state.containers.sorted()) {
    if (proc.state !== "running" || !matchesFault(fault, proc)) continue;
    if (fault.on) armFaults(turn, id, fault);
    else heal(turn, id, proc, fault.id);
  }
}

function heal(turn: Turn, id: string, proc: Proc, fault: string): void {
  if (fault === "app.hang" && proc.hung !== undefined) {
    const { hung: _, ...well } = proc;
    turn.put(id, well);
  }
  if (fault === "app.oom" || fault === "app.memory-leak") settleMemory(turn, id);
  // What is still starting is up at once.
  if (fault === "app.slow-start") for (const [task, { server, listening }] of Object.entries(proc.tasks)) if (server && !listening) turn.ctx.after(0, { type: "process.listen", containerId: id, task } satisfies ListenTimer);
}

/** The kernel ends a container that took more than its limit a moment ago. */
export function onOverLimit(turn: Turn, id: string): void {
  if (turn.state.containers.get(id)?.state === "running") oomKill(turn, id);
}
