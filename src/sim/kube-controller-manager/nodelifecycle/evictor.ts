// Models kubernetes/pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go
import type { Micros } from "../../kernel/types.ts";

/** Nodes of one zone that wait for a NoExecute taint, and the token bucket (of one token) that lets them through. */
export interface Evictor {
  readonly queue: readonly { readonly name: string; readonly at: Micros }[];
  /** Nodes that were queued, also those that have had their turn: they are not queued again before they are removed. */
  readonly known: readonly string[];
  /** Microseconds between two tokens; undefined: there are none. */
  readonly interval: Micros | undefined;
  /** When the next token is there. */
  readonly free: Micros;
}

export const newEvictor = (interval: Micros): Evictor => ({ queue: [], known: [], interval, free: 0 });

export const addNode = (evictor: Evictor, name: string, now: Micros): Evictor => (evictor.known.includes(name) ? evictor : { ...evictor, queue: [...evictor.queue, { name, at: now }], known: [...evictor.known, name] });

export function removeNode(evictor: Evictor, name: string): Evictor {
  if (!evictor.known.includes(name)) return evictor;
  return { ...evictor, queue: evictor.queue.filter((entry) => entry.name !== name), known: evictor.known.filter((entry) => entry !== name) };
}

/** The node has had its turn. */
export const doneNode = (evictor: Evictor, name: string): Evictor => ({ ...evictor, queue: evictor.queue.filter((entry) => entry.name !== name) });

/** Its turn failed: it comes again, not before `at`. */
export const retryNode = (evictor: Evictor, name: string, at: Micros): Evictor => ({ ...evictor, queue: evictor.queue.map((entry) => (entry.name === name ? { name, at } : entry)).sort((a, b) => a.at - b.at) });

/** When the first node of the queue can have its turn; undefined for never. */
export const dueAt = ({ queue, interval, free }: Evictor): Micros | undefined => (queue[0] === undefined || interval === undefined ? undefined : Math.max(free, queue[0].at));

export const takeToken = (evictor: Evictor, now: Micros): Evictor => ({ ...evictor, free: now + (evictor.interval ?? 0) });

/** SwapLimiter: who had to wait before waits a whole interval again. */
export function setRate(evictor: Evictor, interval: Micros | undefined, now: Micros): Evictor {
  if (evictor.interval === interval) return evictor;
  const waited = evictor.interval === undefined || now < evictor.free;
  return { ...evictor, interval, free: waited && interval !== undefined ? now + interval : now };
}
