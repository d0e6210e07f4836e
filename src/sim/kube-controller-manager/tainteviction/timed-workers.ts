// Models kubernetes/pkg/controller/tainteviction/timed_workers.go
import type { PMap } from "../../kernel/pmap.ts";
import type { Micros } from "../../kernel/types.ts";

/** A deletion that will come, or is under way. */
export interface TimedWorker {
  readonly created: Micros;
  readonly at: Micros;
  readonly running: boolean;
}

/** By Pod. */
export type TimedWorkers = PMap<TimedWorker>;

/** One that began at once has no timer that could be stopped. */
const hasTimer = (worker: TimedWorker): boolean => worker.at > worker.created;

/** AddWork: what is there already stays. */
export const addWork = (workers: TimedWorkers, key: string, created: Micros, at: Micros): TimedWorkers => (workers.has(key) ? workers : workers.set(key, { created, at, running: false }));

/** The scheduled deletion, if it has a timer. */
export function timerOf(workers: TimedWorkers, key: string): TimedWorker | undefined {
  const worker = workers.get(key);
  return worker !== undefined && hasTimer(worker) ? worker : undefined;
}

/** CancelWork: `told` says that a timer was stopped (or thought to be: it may have fired), so that an event is due. */
export function cancelWork(workers: TimedWorkers, key: string): { readonly workers: TimedWorkers; readonly told: boolean } {
  const worker = workers.get(key);
  return worker === undefined ? { workers, told: false } : { workers: workers.delete(key), told: hasTimer(worker) };
}
