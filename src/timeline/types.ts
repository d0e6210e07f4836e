import type { ChapterRange } from "../trace/chapters.ts";
import type { Level, MailId } from "../trace/model.ts";
import type { TraceIndex } from "../trace/trace-index.ts";
import type { Catalogue, PrintedLine, RunId, RunInfo, RunInput, RunRecipe } from "../worker/protocol.ts";
import type { Axis, AxisKind } from "./axis.ts";
import type { Alignment } from "./align.ts";
import type { Bookmark, Loop } from "./bookmarks.ts";
import type { Draft } from "./draft.ts";
import type { Stop, StopHit } from "./stops.ts";
import type { Variant } from "./variants.ts";

/** What is hovered or pinned, one model for all panels. `key` is an etcd key ("/registry/pods/default/nginx"). */
export type Selection = { readonly kind: "hop"; readonly id: MailId } | { readonly kind: "component"; readonly id: string } | { readonly kind: "object"; readonly key: string } | { readonly kind: "note"; readonly id: number };

/** A command and what kubectl printed. Commands that change the cluster belong to the run that they made. */
export interface TerminalEntry {
  readonly id: number;
  readonly run: RunId;
  /** Simulated time at which it was given. */
  readonly at: number;
  /** As typed, without "$ ". */
  readonly line: string;
  readonly argv: readonly string[];
  /** False for a question that changed nothing. */
  readonly changes: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined while it runs. */
  readonly exitCode?: number;
  /** Of a command that goes on until it is interrupted: what it prints at which time. Seen up to the playhead. */
  readonly printed?: readonly PrintedLine[];
  /** When a command that changes the cluster had printed all of its output. */
  readonly doneAt?: number;
  /** When such a command was interrupted, or ended by itself. */
  readonly endAt?: number;
  /** What its output goes through: ["grep", "web"]. */
  readonly filters?: readonly (readonly string[])[];
  /** How many of the editors that it opened were closed again. */
  readonly edits?: number;
  /** What Millipod, not kubectl, has to say about it: fields of the manifest that are not simulated. */
  readonly remarks?: readonly string[];
}

export interface Manifest {
  readonly file: string;
  readonly text: string;
  /** The text that was applied last; differs from `text` while there are unapplied changes. */
  readonly applied: string;
}

/** A text that a kubectl command has opened in the page's editor, and waits for. */
export interface Editing {
  readonly entry: number;
  readonly run: RunId;
  /** When it was opened. */
  readonly at: number;
  /** Names the command among all of the run. */
  readonly session: number;
  readonly file: string;
  /** "deployment/web" */
  readonly what: string;
  readonly original: string;
  readonly text: string;
}

export type Status = "loading" | "ready" | "running" | "failed";
export type Theme = "system" | "light" | "dark";
export type FaultParams = Readonly<Record<string, string | number | boolean>>;

export interface TimelineData {
  readonly catalogue?: Catalogue;
  readonly runs: readonly RunInfo[];
  readonly run?: RunInfo;
  /** Of the current run; a new object whenever more of it arrived. */
  readonly index?: TraceIndex;
  /** The run that the current one was forked from, if it is still held: for the ghost lane. */
  readonly parentIndex?: TraceIndex;
  /** Note ids at the detail level, and their times. */
  readonly steps: Int32Array;
  readonly stepTimes: Float64Array;
  /** 0-based; 0 also before the first step, -1 if there is none. */
  readonly stepIndex: number;
  /** Simulated time that panels show: follows the playhead at steps and, while it moves, some ten times a second. */
  readonly now: number;
  readonly chapters: readonly ChapterRange[];
  readonly detail: Level;
  readonly axis: AxisKind;
  /** The axis of `axis` over the current run. */
  readonly scale: Axis;
  /** Starts of gaps that are shown wide. */
  readonly expandedGaps: ReadonlySet<number>;
  readonly speed: number;
  /** Flow: the playhead moves at constant speed along the axis. */
  readonly playing: boolean;
  /** The pointer holds the playhead: no announcements. */
  readonly dragging: boolean;
  readonly status: Status;
  readonly problem?: string;
  readonly pinned?: Selection;
  readonly hover?: Selection;
  readonly manifest: Manifest;
  /** Chosen sample's id; undefined for a manifest of the user's own. */
  readonly sample?: string;
  readonly world: string;
  readonly seed: number;
  readonly terminal: readonly TerminalEntry[];
  readonly editing?: Editing;
  readonly theme: Theme;
  readonly reducedMotion: boolean;
  readonly textView: boolean;
  readonly helpOpen: boolean;
  /** Both runs are drawn in each lane. */
  readonly comparing: boolean;
  readonly align: Alignment;
  /** Nodes whose insides the user opened on the stage. */
  readonly openNodes: readonly string[];
  /** Breakpoints, and where in the run they begin to hold, in order. */
  readonly stops: readonly Stop[];
  readonly stopHits: readonly StopHit[];
  /** Where a breakpoint has stopped the playhead last. */
  readonly stopped?: StopHit;
  /** In order of time. */
  readonly bookmarks: readonly Bookmark[];
  readonly loop?: Loop;
  /** Times of what the search in the events has found; rings on the timeline. */
  readonly found: readonly number[];
  /** The page for a hall. */
  readonly presenting: boolean;
  /** What was written here before and never applied; offered until it is taken or thrown away. */
  readonly draft?: Draft;
  /** A short message to show once (a toast): "Link copied". */
  readonly toast?: { readonly id: number; readonly text: string };
}

export interface TimelineActions {
  /** Moves the playhead and stops playing. Beyond the end of the run, the run is extended. */
  seek(t: number): void;
  /** Puts the playhead on a step at once, without showing the way. */
  seekStep(index: number): void;
  /** Puts the playhead on a note's time; on its step if it is one at the current detail level. */
  seekNote(note: number): void;
  /** The next step, with 400 to 700 ms of motion. A step under way is finished at once. */
  next(): void;
  previous(): void;
  nextChapter(): void;
  previousChapter(): void;
  /** Chapter by number, 1 to 15, or a turning point, from 16 on. */
  seekChapter(number: number): void;
  first(): void;
  last(): void;
  play(): void;
  pause(): void;
  toggle(): void;
  /** Plays from one time to another and stops there. */
  playRange(from: number, to: number): void;
  setDragging(dragging: boolean): void;
  setSpeed(speed: number): void;
  setDetail(detail: Level): void;
  setAxis(axis: AxisKind): void;
  toggleGap(from: number): void;
  /** Takes back the last apply, injection, command or removal of a run. */
  undo(): Promise<void>;
  /** Sets a breakpoint ("event FailedScheduling"); a sentence if it is not understood. */
  addStop(text: string): Promise<string | undefined>;
  removeStop(text: string): Promise<void>;
  toggleStop(text: string): Promise<void>;
  /** Goes to the next time at which a breakpoint begins to hold; simulates on until there is one, an hour at most. */
  runToStop(): Promise<void>;
  /** Looks for the breakpoints in what has come of the run. */
  findStops(): Promise<void>;
  /** Sets a bookmark at a time (default: the playhead), or takes it away. */
  toggleBookmark(at?: number): void;
  nameBookmark(at: number, name: string): void;
  /** To the next (1) or the previous (-1) one. */
  nextBookmark(by: 1 | -1): void;
  setLoop(loop: Loop | undefined): void;
  /** Loops the chapter at the playhead, or ends the loop. */
  loopHere(): void;
  setFound(times: readonly number[]): void;
  /** To the next (1) or previous (-1) message of the detail level, and pins it. */
  nextMessage(by: 1 | -1): void;
  setComparing(comparing: boolean): void;
  setAlign(align: Alignment): void;
  pin(selection: Selection | undefined): void;
  setHover(selection: Selection | undefined): void;
  setManifestText(text: string): void;
  chooseSample(id: string): void;
  chooseWorld(id: string): void;
  /** Starts the run over with another KubeSchedulerConfiguration, which kube-scheduler takes (undefined: the defaults). */
  applySchedulerConfig(text: string | undefined): Promise<void>;
  /** The same story where some things take longer or less long; nothing changed leads back to the original. */
  tryVariant(variant: Variant): Promise<void>;
  /** kubectl apply -f of the editor's text: a new run from time 0 the first time, then a fork at the playhead. */
  apply(): Promise<void>;
  deleteManifest(): Promise<void>;
  /** Answers a kubectl command at the playhead; one that changes the cluster forks there. */
  runCommand(line: string): Promise<void>;
  /** Control-C: ends what still prints. False if nothing does. */
  interrupt(): boolean;
  setEditText(text: string): void;
  /** Closes the editor that a command opened; without `save`, as if nothing had been written. */
  closeEdit(save: boolean): Promise<void>;
  /** Forks with a fault from `at` on (default: the playhead) until `until` (default: for ever). */
  injectFault(id: string, params: FaultParams, at?: number, until?: number): Promise<void>;
  /** A run of its own from a whole recipe, with the playhead at a time; `variantOf`: the run that it is compared with. */
  openRun(recipe: RunRecipe, title: string, at: number, variantOf?: RunId): Promise<void>;
  /** A fork with these inputs, which are due from the playhead on. */
  forkWith(title: string, inputs: readonly RunInput[]): Promise<void>;
  /** A fork without new inputs: the same future, to be changed later. */
  forkHere(): Promise<void>;
  switchRun(id: RunId): void;
  dropRun(id: RunId): void;
  /** Simulates on. */
  extend(until?: number): Promise<void>;
  cancel(): void;
  /** After the worker died: a new one replays the current recipe. */
  restart(): Promise<void>;
  shareLink(): Promise<string>;
  setTheme(theme: Theme): void;
  setReducedMotion(reduced: boolean): void;
  setTextView(on: boolean): void;
  setHelpOpen(open: boolean): void;
  setPresenting(presenting: boolean): void;
  toggleNode(node: string): void;
  showToast(text: string): void;
}

export type Timeline = TimelineData & TimelineActions;
export type SetTimeline = (partial: Partial<TimelineData>) => void;
export type GetTimeline = () => Timeline;
