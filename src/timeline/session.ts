import { chaptersOf } from "../trace/chapters.ts";
import { turningPointsOf } from "../trace/turning-points.ts";
import { type CommandLines, commandLines, textOf } from "../trace/command-output.ts";
import type { Pod } from "../sim/api/types.ts";
import { MAIL_KINDS } from "../trace/model.ts";
import type { TraceIndex } from "../trace/trace-index.ts";
import { type PageRun, startWorker, WorkerClient } from "../worker/client.ts";
import type { Answers, Request } from "../worker/protocol.ts";
import { type Act, MOST_RUNS, runToLetGo } from "./undo.ts";
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
  /** It takes back a removal: that is no new act. */
  readonly restored?: boolean;
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
  private readonly acts: Act[] = [];

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
  addEntry(line: string, argv: readonly string[], at: number, changes: boolean, manifest?: string, filters: TerminalEntry["filters"] = []): number {
    const id = this.nextEntry++;
    const { terminal, run } = this.get();
    this.set({ terminal: [...terminal, { id, run: run?.id ?? "", at, line, argv, changes, stdout: "", stderr: "", ...(filters.length === 0 ? {} : { filters }) }] });
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

  /** The last thing done to the set of runs that is not undone; it is taken off the list. */
  lastAct(): Act | undefined {
    for (let act = this.acts.pop(); act; act = this.acts.pop()) if (act.kind === "removed" || this.runs.has(act.run.id)) return act;
    return undefined;
  }

  /** Lets a run go. `remember`: so that it can be undone. */
  drop(id: string, remember = true): void {
    const { run, runs } = this.get();
    const gone = runs.find((one) => one.id === id);
    if (runs.length < 2 || !gone) return;
    if (remember) this.acts.push({ kind: "removed", run: gone });
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
    this.acts.length = 0;
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
    if (isNew && runs.length > 0 && !this.opening && wanted?.restored !== true) this.acts.push({ kind: "made", run: run.info });
    if (wanted?.entries) this.set({ terminal: this.get().terminal.map((entry) => (wanted.entries?.includes(entry.id) ? { ...entry, run: run.info.id } : entry)) });
    if (isNew || this.get().run?.id === run.info.id) {
      const start = wanted?.playFrom ?? wanted?.seek;
      if (start !== undefined) playhead.set(start);
      this.display(run);
      if (wanted?.playFrom !== undefined) this.get().play();
    }
    this.updateTerminal(run);
    this.goOn(run);
    if (isNew) this.keepFew();
  }

  /** What is let go for want of room is undone after what took its place. */
  private keepFew(): void {
    const { runs, run } = this.get();
    const gone = runToLetGo(runs, run?.id);
    if (!gone) return;
    this.drop(gone.id, false);
    this.acts.splice(Math.max(0, this.acts.length - 1), 0, { kind: "removed", run: gone });
    this.get().showToast(`“${gone.title}” was let go: ${MOST_RUNS} runs are kept. Undo brings it back`);
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
    const chapters = chaptersOf(index);
    const next: Partial<TimelineData> = {
      run: info,
      index,
      parentIndex: info.parent === undefined ? (undefined as never) : (this.runs.get(info.parent)?.index as never),
      steps,
      stepTimes,
      scale,
      chapters: [...chapters, ...turningPointsOf(index, chapters)],
      stepIndex: stepAt(stepTimes, playhead.get()),
      now: playhead.get(),
      status: state.status === "failed" && state.problem !== undefined ? "failed" : run.done && !this.opening ? "ready" : "running",
    };
    this.set(next);
    if (state.stops.length > 0) void this.get().findStops();
    requestFrame();
  }

  /** Changes one line of the terminal. */
  amend(id: number, change: Partial<TerminalEntry>): void {
    this.set({ terminal: this.get().terminal.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)) });
  }

  /** Fills in what kubectl printed for the commands that `run` holds, and opens the editor for those that ask for it. */
  private updateTerminal(run: PageRun): void {
    for (const entry of this.get().terminal) {
      if (entry.run !== run.info.id || entry.exitCode !== undefined || !entry.changes) continue;
      const lines = linesOf(run.index, entry);
      if (lines === undefined) continue;
      const note = lines.edits[entry.edits ?? 0];
      if (note !== undefined && lines.exitCode === undefined) void this.openEditor(run, entry, note);
      void this.print(entry, lines);
    }
  }

  private async print(entry: TerminalEntry, lines: CommandLines): Promise<void> {
    const { exitCode, exitAt } = lines;
    const stdout = await this.filtered(textOf(lines, "stdout"), entry.filters);
    this.amend(entry.id, { stdout, stderr: textOf(lines, "stderr"), ...(exitCode === undefined ? {} : { exitCode }), ...(exitAt === undefined ? {} : { doneAt: exitAt }) });
  }

  /** An output behind the pipes of its line. */
  async filtered(output: string, filters: TerminalEntry["filters"] = []): Promise<string> {
    return filters.length === 0 || output === "" ? output : this.call({ type: "filter", output, filters });
  }

  private async openEditor({ info, index }: PageRun, entry: TerminalEntry, note: number): Promise<void> {
    const data = (await this.fact({ type: "note-data", run: info.id, note }).catch(() => undefined)) as { readonly session: number; readonly edit: { readonly file: string; readonly text: string } } | undefined;
    const { editing, terminal } = this.get();
    const open = editing?.entry === entry.id && editing.session === data?.session;
    if (data === undefined || open || terminal.find(({ id }) => id === entry.id)?.edits !== entry.edits) return;
    const { file, text } = data.edit;
    this.set({ editing: { entry: entry.id, run: info.id, at: index.trace.note(note).at, session: data.session, file, text, original: text, what: editedObject(entry.argv) } });
  }
}

/** "deployment/web" of the words of kubectl edit. */
function editedObject(argv: readonly string[]): string {
  const words = argv.filter((word, i) => !word.startsWith("-") && !["-n", "--namespace", "-o", "--output", "-f", "--filename"].includes(argv[i - 1] ?? ""));
  const named = words.slice(words[0] === "apply" ? 2 : 1);
  return named.join("/") || "the object";
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
function linesOf(index: TraceIndex, entry: TerminalEntry): CommandLines | undefined {
  const { trace } = index;
  const { mail } = trace;
  let input = -1;
  for (let id = trace.mailCount - 1; id >= 0 && input < 0; id--) if (mail.kind.get(id) === INPUT && mail.sentAt.get(id) === entry.at && trace.strings.text(mail.verb.get(id)) === "command") input = id;
  return input < 0 ? undefined : commandLines(trace, input);
}
