import { applyBatch } from "../trace/batch.ts";
import type { Revision } from "../trace/model.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { Trace } from "../trace/trace.ts";
import type { Answers, FromWorker, Request, RunInfo, ToWorker } from "./protocol.ts";

/** While batches keep coming, the index is rebuilt at most this often (ms), and takes at most this share of the time. */
const INDEX_INTERVAL_MS = 120;
const INDEX_SHARE = 0.25;

/** A run as the page holds it. `index` is a new object whenever more of the trace was indexed. */
export interface PageRun {
  readonly info: RunInfo;
  readonly index: TraceIndex;
  readonly done: boolean;
}

export interface ClientListener {
  /** A run was opened, grew or ended. */
  onRun(run: PageRun): void;
  /** The worker is gone, with all runs: their recipes can be replayed in a new one. */
  onDeath(problem: string): void;
}

interface Held {
  info: RunInfo;
  readonly base: readonly Revision[];
  readonly trace: Trace;
  done: boolean;
  /** Wall time at which it may be indexed again. */
  nextIndex: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The page's end of the worker: typed promises for questions, and copies of the traces that grow by batches. */
export class WorkerClient {
  private readonly worker: Worker;
  private readonly listener: ClientListener;
  private readonly waiting = new Map<number, Waiting>();
  private readonly runs = new Map<string, Held>();
  private nextSeq = 1;
  private dead: string | undefined;

  constructor(worker: Worker, listener: ClientListener) {
    this.worker = worker;
    this.listener = listener;
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.receive(event.data));
    worker.addEventListener("error", (event) => this.die(`The simulation stopped: ${event.message || "its worker could not be loaded"}.`));
    worker.addEventListener("messageerror", () => this.die("The simulation sent something that could not be read."));
  }

  call<K extends Request["type"]>(request: Extract<Request, { type: K }>): Promise<Answers[K]> {
    if (this.dead !== undefined) return Promise.reject(new Error(this.dead));
    const seq = this.nextSeq++;
    return new Promise<Answers[K]>((resolve, reject) => {
      this.waiting.set(seq, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage({ seq, request } satisfies ToWorker);
    });
  }

  /** Forgets the page's copy of a run. */
  forget(run: string): void {
    clearTimeout(this.runs.get(run)?.timer);
    this.runs.delete(run);
  }

  /** Ends the worker; pending questions fail. */
  terminate(): void {
    this.worker.terminate();
    this.reject("The simulation was ended.");
    for (const id of this.runs.keys()) this.forget(id);
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case "answer":
        this.take(message.seq)?.resolve(message.value);
        return;
      case "error":
        this.take(message.seq)?.reject(new Error(message.message));
        return;
      case "opened":
        this.runs.set(message.run.id, { info: message.run, base: message.base, trace: new Trace(), done: false, nextIndex: 0, timer: undefined });
        return;
      case "trace": {
        const held = this.runs.get(message.run);
        if (!held) return;
        applyBatch(held.trace, message.batch);
        held.info = { ...held.info, until: message.until };
        held.done = message.done;
        this.announce(held);
      }
    }
  }

  private take(seq: number): Waiting | undefined {
    const waiting = this.waiting.get(seq);
    this.waiting.delete(seq);
    return waiting;
  }

  private announce(held: Held): void {
    const wait = held.nextIndex - performance.now();
    if (!held.done && wait > 0) {
      held.timer ??= setTimeout(() => this.index(held), wait);
      return;
    }
    this.index(held);
  }

  private index(held: Held): void {
    clearTimeout(held.timer);
    held.timer = undefined;
    const start = performance.now();
    this.listener.onRun({ info: held.info, index: new TraceIndex(held.trace, held.base), done: held.done });
    const rest = (): void => {
      const end = performance.now();
      held.nextIndex = end + Math.max(INDEX_INTERVAL_MS, (end - start) / INDEX_SHARE);
    };
    rest();
    // What the page draws of it takes longer than the index: counted once it is drawn.
    if (!document.hidden) requestAnimationFrame(() => setTimeout(rest));
  }

  private die(problem: string): void {
    if (this.dead !== undefined) return;
    this.dead = problem;
    this.worker.terminate();
    this.reject(problem);
    this.listener.onDeath(problem);
  }

  private reject(problem: string): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Error(problem));
    this.waiting.clear();
  }
}

/** Starts the simulation's worker. */
export function startWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "millipod-simulation" });
}
