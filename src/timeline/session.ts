import { chaptersOf } from "../trace/chapters.ts";
import { type CommandOutput, commandOutput } from "../trace/command-output.ts";
import type { Pod } from "../sim/api/types.ts";
import { MAIL_KINDS } from "../trace/model.ts";
import type { TraceIndex } from "../trace/trace-index.ts";
import { type PageRun, startWorker, WorkerClient } from "../worker/client.ts";
import type { Answers, Request } from "../worker/protocol.ts";
import { requestFrame } from "./frames.ts";
import { stepAt } from "./playback.ts";
import { playhead } from "./playhead.ts";
import { axisOf, timesOf } from "./steps.ts";
import { LONG_HORIZON } from "./horizon.ts";
import type { GetTimeline, SetTimeline, TerminalEntry, TimelineData } from "./types.ts";

const INPUT = MAIL_KINDS.indexOf("input");

/** What to do when the next new run arrives. */
interface Expectation {
  /** Put the playhead here and play (undefined: leave it where it is, paused). */
  readonly playFrom?: number | undefined;
  /** Put the playhead here, paused. */
  readonly seek?: number | undefined;
  /** Terminal entries whose output the run holds. */
  readonly entries?: readonly number[] | undefined;
}

/** The store's connection to the worker: starts it, keeps the runs it made, and shows the current one. */
export class Session {
  private readonly set: SetTimeline;
  private readonly get: GetTimeline;
  private client: WorkerClient | undefined;
  private readonly runs = new Map<string, PageRun>();
  private readonly expected: Expectation[] = [];
  /** A link is being opened in more than one step: not ready before the last. */
  opening = false;
  private readonly extended = new Set<string>();
  private nextEntry = 1;
  private readonly data = new Map<string, Promise<unknown>>();

  constructor(set: SetTimeline, get: GetTimeline) {
    this.set = set;
    this.get = get;
  }

  call<K extends Request["type"]>(request: Extract<Request, { type: K }>): Promise<Answers[K]> {
    this.client ??= new WorkerClient(startWorker(), { onRun: (run) => this.onRun(run), onDeath: (problem) => this.set({ status: "failed", problem, playing: false }) });
    return this.client.call(request);
  }

  /** Tells what to do with the run that the next start or fork opens. */
  expect(expectation: Expectation): void {
    this.expected.push(expectation);
  }

  /** A new line in the terminal; its output is filled in when it comes, and what is not simulated of a manifest that it applies. */
  addEntry(line: string, argv: readonly string[], at: number, changes: boolean, manifest?: string): number {
    const id = this.nextEntry++;
    const { terminal, run } = this.get();
    this.set({ terminal: [...terminal, { id, run: run?.id ?? "", at, line, argv, changes, stdout: "", stderr: "" }] });
    if (manifest !== undefined) void this.remark(id, manifest);
    return id;
  }

  private async remark(id: number, manifest: string): Promise<void> {
    const report = await this.call({ type: "check", text: manifest }).catch(() => undefined);
    const remarks = report?.notSimulated.map((field) => `${field.path}: ${field.text}`) ?? [];
    if (remarks.length > 0) this.set({ terminal: this.get().terminal.map((entry) => (entry.id === id ? { ...entry, remarks } : entry)) });
  }

  /** A fact of a run that never changes: asked once. */
  fact<K extends "payload" | "note-data">(request: Extract<Request, { type: K }>): Promise<Answers[K]> {
    const key = JSON.stringify(request);
    let answer = this.data.get(key);
    if (!answer) {
      answer = this.call(request);
      answer.catch(() => this.data.delete(key));
      this.data.set(key, answer);
    }
    return answer as Promise<Answers[K]>;
  }

  indexOf(run: string): TraceIndex | undefined {
    return this.runs.get(run)?.index;
  }

  show(id: string): void {
    const run = this.runs.get(id);
    if (!run) return;
    this.set({ playing: false });
    this.display(run);
  }

  drop(id: string): void {
    const { run, runs } = this.get();
    if (runs.length < 2) return;
    this.runs.delete(id);
    this.client?.forget(id);
    void this.call({ type: "drop", run: id }).catch(() => undefined);
    this.set({ runs: runs.filter((one) => one.id !== id) });
    if (run?.id === id) this.show(run.parent !== undefined && this.runs.has(run.parent) ? run.parent : ([...this.runs.keys()].at(-1) ?? ""));
  }

  /** Forgets the dead worker and all that it held. */
  reset(): void {
    this.client?.terminate();
    this.client = undefined;
    this.runs.clear();
    this.data.clear();
    this.expected.length = 0;
    this.set({ runs: [], status: "loading", problem: undefined as never });
  }

  /** Recomputes what depends on the view: steps, axis, chapters. */
  refresh(): void {
    const run = this.runs.get(this.get().run?.id ?? "");
    if (run) this.display(run);
  }

  private onRun(run: PageRun): void {
    const isNew = !this.runs.has(run.info.id);
    this.runs.set(run.info.id, run);
    const { runs } = this.get();
    this.set({ runs: isNew ? [...runs, run.info] : runs.map((one) => (one.id === run.info.id ? run.info : one)) });
    const wanted = isNew ? this.expected.shift() : undefined;
    if (wanted?.entries) this.set({ terminal: this.get().terminal.map((entry) => (wanted.entries?.includes(entry.id) ? { ...entry, run: run.info.id } : entry)) });
    if (isNew || this.get().run?.id === run.info.id) {
      const start = wanted?.playFrom ?? wanted?.seek;
      if (start !== undefined) playhead.set(start);
      this.display(run);
      if (wanted?.playFrom !== undefined) this.get().play();
    }
    this.updateTerminal(run);
    this.goOn(run);
  }

  /** A run whose Pods are still on their way is simulated further, once: a crash loop or a slow pull has a story too. */
  private goOn(run: PageRun): void {
    const { id, until } = run.info;
    if (!run.done || this.extended.has(id) || until >= LONG_HORIZON || !unsettled(run.index, until)) return;
    this.extended.add(id);
    void this.call({ type: "extend", run: id, until: LONG_HORIZON }).catch((error: Error) => this.set({ problem: error.message }));
  }

  private display(run: PageRun): void {
    const state = this.get();
    const { index, info } = run;
    const steps = index.steps(state.detail);
    const stepTimes = timesOf(index, steps);
    const scale = axisOf(state.axis, index, steps, info.until, state.expandedGaps);
    const next: Partial<TimelineData> = {
      run: info,
      index,
      parentIndex: info.parent === undefined ? (undefined as never) : (this.runs.get(info.parent)?.index as never),
      steps,
      stepTimes,
      scale,
      chapters: chaptersOf(index),
      stepIndex: stepAt(stepTimes, playhead.get()),
      now: playhead.get(),
      status: state.status === "failed" && state.problem !== undefined ? "failed" : run.done && !this.opening ? "ready" : "running",
    };
    this.set(next);
    requestFrame();
  }

  /** Fills in what kubectl printed for the commands that `run` holds. */
  private updateTerminal(run: PageRun): void {
    const terminal = this.get().terminal.map((entry) => (entry.run === run.info.id && entry.exitCode === undefined && entry.changes ? { ...entry, ...outputOf(run.index, entry) } : entry));
    if (terminal.some((entry, i) => entry !== this.get().terminal[i])) this.set({ terminal });
  }
}

/** True if a Pod that this run made is neither Ready nor finished at `t`. */
function unsettled(index: TraceIndex, t: number): boolean {
  return index.objectsAt("/registry/pods/", t).some(({ key, object }) => {
    if (!Number.isFinite(index.versionsOf(key)[0]?.at)) return false;
    const { status } = object as Pod;
    return status?.phase !== "Succeeded" && status?.phase !== "Failed" && !status?.conditions?.some((one) => one.type === "Ready" && one.status === "True");
  });
}

/** What a command printed, and its exit code once it ended: from the notes that its input caused. */
function outputOf(index: TraceIndex, entry: TerminalEntry): CommandOutput | undefined {
  const { trace } = index;
  const { mail } = trace;
  let input = -1;
  for (let id = trace.mailCount - 1; id >= 0 && input < 0; id--) if (mail.kind.get(id) === INPUT && mail.sentAt.get(id) === entry.at) input = id;
  if (input < 0) return undefined;
  return commandOutput(trace, input);
}
