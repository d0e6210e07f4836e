import type { Backend, StateOf } from "./backend.ts";
import { payloadWithoutSecrets, secretsOf, stateWithoutSecrets } from "./hidden.ts";
import { toPlain } from "./plain.ts";
import type { FromWorker, Request, ToWorker } from "./protocol.ts";
import { Run } from "./run.ts";

const API_SERVER = "kube-apiserver";
/** Events between two looks at the clock. */
const SLICE_EVENTS = 400;
/** Milliseconds of work before the page gets a batch: short at first, so that the stage fills at once. */
const FIRST_SLICE_MS = 16;
const MAX_SLICE_MS = 200;

interface Job {
  readonly run: Run;
  readonly until: number;
  /** The question that is answered when the job ends. */
  readonly seq: number;
  slice: number;
}

export interface HostPorts {
  readonly post: (message: FromWorker, transfer?: Transferable[]) => void;
  /** Milliseconds of wall time. */
  readonly clock: () => number;
  /** Calls back after pending messages were received. */
  readonly defer: (callback: () => void) => void;
}

/** Holds the runs and answers the page: simulates in slices, so that a question or a cancel is never far away. */
export class Host {
  private readonly backend: Backend;
  private readonly ports: HostPorts;
  private readonly runs = new Map<string, Run>();
  private jobs: Job[] = [];
  private scheduled = false;
  private nextId = 1;

  constructor(backend: Backend, ports: HostPorts) {
    this.backend = backend;
    this.ports = ports;
  }

  receive({ seq, request }: ToWorker): void {
    try {
      this.handle(seq, request);
    } catch (error) {
      this.fail(seq, error);
    }
  }

  private handle(seq: number, request: Request): void {
    switch (request.type) {
      case "catalogue":
        return this.answer(seq, this.backend.catalogue());
      case "start":
        return this.open(seq, Run.start(this.backend, this.newId(), request.title, request.recipe, request.variantOf), request.until);
      case "fork": {
        const parent = this.run(request.run);
        parent.sim.run(request.at);
        return this.open(seq, parent.fork(this.backend, this.newId(), request.title, request.at, request.inputs), request.until);
      }
      case "extend":
        return this.addJob(seq, this.run(request.run), request.until);
      case "drop":
        this.jobs = this.jobs.filter((job) => job.run.id !== request.run);
        this.runs.delete(request.run);
        return this.answer(seq, undefined);
      case "state":
        return this.answer(seq, toPlain(stateWithoutSecrets(this.backend.inspect(request.component, this.run(request.run).sim.stateAt(request.component, request.at)), secretsOf(this.run(request.run).recipe))));
      case "etcd":
        return this.answer(seq, this.backend.etcd(this.stateOf(request.run, request.at)));
      case "api-server":
        return this.answer(seq, this.backend.apiServer(this.run(request.run).sim.stateAt(API_SERVER, request.at)));
      case "manager":
        return this.answer(seq, this.backend.manager(request.component, this.stateOf(request.run, request.at)));
      case "pod-inside":
        return this.answer(seq, this.backend.podInside(request.uid, request.node, request.at, this.stateOf(request.run, request.at)));
      case "waits":
        return this.answer(seq, this.backend.waits(request.at, this.stateOf(request.run, request.at), this.run(request.run).sim.trace, request.weight));
      case "payload":
        return this.answer(seq, toPlain(payloadWithoutSecrets(this.run(request.run).sim.trace.payloads[request.mail], secretsOf(this.run(request.run).recipe))));
      case "note-data":
        return this.answer(seq, toPlain(this.run(request.run).sim.trace.noteData[request.note]));
      case "ask": {
        const run = this.run(request.run);
        run.sim.run(request.at);
        return this.answer(seq, run.ask(this.backend, request));
      }
      case "follow": {
        const run = this.run(request.run);
        run.sim.run(request.at);
        return this.answer(seq, run.follow(this.backend, request));
      }
      case "moment": {
        const run = this.run(request.run);
        run.sim.run(request.at);
        return this.answer(seq, run.moment(this.backend, request));
      }
      case "complete":
        return this.answer(seq, this.backend.complete(this.run(request.run).sim.stateAt(API_SERVER, request.at), request.line, request.cursor));
      case "line":
        return this.answer(seq, this.backend.readLine(request.text));
      case "filter":
        return this.answer(seq, this.backend.filter(request.output, request.filters));
      case "probe-period":
        return this.answer(seq, this.backend.probePeriod(request.text, request.seconds));
      case "check":
        return this.answer(seq, this.backend.check(request.text, this.runs.size === 0 ? undefined : this.stateOf([...this.runs.keys()].at(-1), 0)));
      case "check-scheduler":
        return this.answer(seq, this.backend.checkScheduler(request.text));
      case "suggest":
        return this.answerLater(seq, this.backend.suggest(request.text, request.offset, this.stateOf(request.run, request.at)));
      case "field-help":
        return this.answerLater(seq, this.backend.fieldHelp(request.text, request.offset));
      case "cancel":
        for (const job of this.jobs) this.finish(job);
        this.jobs = [];
        return this.answer(seq, undefined);
    }
  }

  private stateOf(id: string | undefined, at: number): StateOf {
    const run = id === undefined ? undefined : this.runs.get(id);
    return (component) => (run === undefined || !run.sim.trace.components.includes(component) ? undefined : run.sim.stateAt(component, at));
  }

  private newId(): string {
    return `run-${this.nextId++}`;
  }

  private run(id: string): Run {
    const run = this.runs.get(id);
    if (!run) throw new Error(`there is no run ${id}`);
    return run;
  }

  private open(seq: number, run: Run, until: number): void {
    this.runs.set(run.id, run);
    this.ports.post({ type: "opened", run: run.info, base: run.base });
    this.addJob(seq, run, until);
  }

  private addJob(seq: number, run: Run, until: number): void {
    this.jobs.push({ run, until, seq, slice: FIRST_SLICE_MS });
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.jobs.length === 0) return;
    this.scheduled = true;
    this.ports.defer(() => {
      this.scheduled = false;
      this.work();
      this.schedule();
    });
  }

  /** One slice of the oldest job. */
  private work(): void {
    const job = this.jobs[0];
    if (!job) return;
    const { run, until } = job;
    try {
      const start = this.ports.clock();
      let done = false;
      while (!done && this.ports.clock() - start < job.slice) done = run.sim.run(until, SLICE_EVENTS);
      job.slice = Math.min(MAX_SLICE_MS, job.slice * 2);
      if (done) {
        this.jobs.shift();
        this.finish(job);
        return;
      }
      this.send(run, false);
    } catch (error) {
      this.jobs.shift();
      this.send(run, true);
      this.fail(job.seq, error);
    }
  }

  private finish(job: Job): void {
    this.send(job.run, true);
    this.answer(job.seq, job.run.info);
  }

  private send(run: Run, done: boolean): void {
    const { batch, transfer } = run.takeBatch();
    this.ports.post({ type: "trace", run: run.id, batch, until: run.sim.now, done }, transfer);
  }

  private answer(seq: number, value: unknown): void {
    this.ports.post({ type: "answer", seq, value });
  }

  private answerLater(seq: number, value: Promise<unknown>): void {
    value.then((known) => this.answer(seq, known), (error: unknown) => this.fail(seq, error));
  }

  private fail(seq: number, error: unknown): void {
    this.ports.post({ type: "error", seq, message: error instanceof Error ? error.message : String(error) });
  }
}
