import type { CommandLine } from "../sim/kubectl/command-line.ts";
import type { Completion } from "../sim/kubectl/complete.ts";
import type { SlowdownId } from "../sim/scenarios/slowdowns.ts";
import type { RunInput, RunRecipe } from "../sim/scenarios/recipe.ts";
import type { ManifestReport } from "../sim/manifest/check-manifest.ts";
import type { FieldHelp } from "../sim/manifest/field-help.ts";
import type { Suggestions } from "../sim/manifest/suggest.ts";
import type { CommandLines } from "../trace/command-output.ts";
import type { TraceBatch } from "../trace/batch.ts";
import type { Hit } from "../trace/breakpoint.ts";
import type { MailId, Revision } from "../trace/model.ts";
import type { Awaited } from "../trace/moment.ts";
import type { ApiServerView } from "./protocol-api-server.ts";
import type { EtcdMemberView } from "./protocol-etcd.ts";
import type { ManagerView } from "./protocol-manager.ts";
import type { PodInside } from "./protocol-pod.ts";
import type { WaitView } from "./protocol-waits.ts";

export type { ApiServerView, CacheView, RequestView, WatcherView } from "./protocol-api-server.ts";
export type { EtcdEntryView, EtcdMemberView } from "./protocol-etcd.ts";
export type { ControllerView, ManagerView, QueuedKey } from "./protocol-manager.ts";
export type { CgroupView, NamespaceView, PodInside, TaskView, VolumeView } from "./protocol-pod.ts";

export type { WaitKind, WaitView } from "./protocol-waits.ts";

export type { RunInput, RunRecipe, SlowdownId };

export type RunId = string;

export interface RunInfo {
  readonly id: RunId;
  /** What distinguishes it: "baseline", "image.not-found at 2.114 s". */
  readonly title: string;
  readonly recipe: RunRecipe;
  readonly parent?: RunId;
  readonly forkAt?: number;
  /** Simulated up to here. */
  readonly until: number;
}

export type { ManifestProblem, ManifestReport, NotSimulated } from "../sim/manifest/check-manifest.ts";

export type { FieldHelp } from "../sim/manifest/field-help.ts";
export type { Suggestion, Suggestions } from "../sim/manifest/suggest.ts";

export interface FaultInfo {
  readonly id: string;
  readonly title: string;
  /** "etcd", "scheduler", "node", "image", "network", "application", "API". */
  readonly group: string;
  readonly symptom: string;
  readonly command: string;
  readonly fix: string;
  readonly params: readonly { readonly name: string; readonly label: string; readonly default: string | number | boolean; readonly options?: readonly string[] }[];
}

export interface SampleInfo {
  readonly id: string;
  readonly title: string;
  /** Heading under which the menu lists it. */
  readonly group?: string;
  readonly file: string;
  readonly text: string;
  /** The cluster that it needs, if not the first. */
  readonly world?: string;
  /** What happens after the manifest was applied. */
  readonly after?: readonly RunInput[];
  /** How much of it there is to see (microseconds). */
  readonly until?: number;
}

export interface Catalogue {
  readonly worlds: readonly { readonly id: string; readonly title: string }[];
  readonly faults: readonly FaultInfo[];
  readonly samples: readonly SampleInfo[];
  /** What can be made slower or faster. */
  readonly slowdowns: readonly { readonly id: SlowdownId; readonly title: string }[];
  /** kube-scheduler's defaults as a KubeSchedulerConfiguration. */
  readonly schedulerConfig: string;
  /** What is simplified or not modelled, collected from the marks in the code. */
  readonly simplified: readonly { readonly file: string; readonly text: string }[];
}

/** What can stand at the cursor of the terminal's line. */
export type { Completion } from "../sim/kubectl/complete.ts";

/** A line of the terminal as a shell takes it apart; an error as one sentence. */
export type LineReading = CommandLine | { readonly error: string };

export type { CommandLines, PrintedLine } from "../trace/command-output.ts";

export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Texts by name: files that a command reads, or its environment. */
export type Files = Readonly<Record<string, string>>;

/** What the page asks. `value` types are in `Answers`. */
export type Request =
  | { readonly type: "catalogue" }
  /** `variantOf`: the run that it is to be compared with. */
  | { readonly type: "start"; readonly recipe: RunRecipe; readonly until: number; readonly title: string; readonly variantOf?: RunId }
  /** A child run: shares `run` up to `at`, then follows `inputs` (each at or after `at`). */
  | { readonly type: "fork"; readonly run: RunId; readonly at: number; readonly inputs: readonly RunInput[]; readonly until: number; readonly title: string }
  | { readonly type: "extend"; readonly run: RunId; readonly until: number }
  | { readonly type: "drop"; readonly run: RunId }
  /** A component's state at a time, as plain data (persistent maps become objects with sorted keys). */
  | { readonly type: "state"; readonly run: RunId; readonly component: string; readonly at: number }
  /** The members of the etcd cluster at a time, side by side. */
  | { readonly type: "etcd"; readonly run: RunId; readonly at: number }
  /** The API server's caches, watchers and requests at a time. */
  | { readonly type: "api-server"; readonly run: RunId; readonly at: number }
  /** A process of kube-controller-manager with its controllers' queues at a time. */
  | { readonly type: "manager"; readonly run: RunId; readonly component: string; readonly at: number }
  /** What there is of a Pod on its node at a time. */
  | { readonly type: "pod-inside"; readonly run: RunId; readonly uid: string; readonly node: string; readonly at: number }
  /** What waits at a time, for what and until when; with `weight`, only what matters at least that much. */
  | { readonly type: "waits"; readonly run: RunId; readonly at: number; readonly weight?: number }
  | { readonly type: "payload"; readonly run: RunId; readonly mail: MailId }
  | { readonly type: "note-data"; readonly run: RunId; readonly note: number }
  /** A read-only kubectl command at a time, answered by a fork that is thrown away. */
  | { readonly type: "ask"; readonly run: RunId; readonly at: number; readonly argv: readonly string[]; readonly files?: Files; readonly env?: Files }
  /** The same for a command that prints until it is interrupted: what it prints as long as the run lasts, with times. */
  | { readonly type: "follow"; readonly run: RunId; readonly at: number; readonly argv: readonly string[] }
  /** When a moment comes, later than `after`, in the run as it goes on from `at` with these inputs; looked for in a fork that is thrown away, until `limit`. */
  | { readonly type: "moment"; readonly run: RunId; readonly at: number; readonly inputs: readonly RunInput[]; readonly moment: Awaited; readonly after: number; readonly limit: number }
  | { readonly type: "complete"; readonly run: RunId; readonly at: number; readonly line: string; readonly cursor: number }
  /** Words, quotes, here-documents and pipes of a line. */
  | { readonly type: "line"; readonly text: string }
  /** An output behind the pipes of its line. */
  | { readonly type: "filter"; readonly output: string; readonly filters: CommandLine["filters"] }
  | { readonly type: "check"; readonly text: string }
  /** How often the probes of a manifest that gate its start are tried; with `seconds`, the manifest with that instead. */
  | { readonly type: "probe-period"; readonly text: string; readonly seconds?: number }
  /** What kube-scheduler would say of this configuration as it ends; "" if it takes it. */
  | { readonly type: "check-scheduler"; readonly text: string }
  /** What may stand at an offset of a manifest; names of objects come from the run at that time. */
  | { readonly type: "suggest"; readonly text: string; readonly offset: number; readonly run?: RunId; readonly at: number }
  /** What is to be known of the field at an offset. */
  | { readonly type: "field-help"; readonly text: string; readonly offset: number }
  | { readonly type: "cancel" };

export interface Answers {
  catalogue: Catalogue;
  start: RunInfo;
  fork: RunInfo;
  extend: RunInfo;
  drop: undefined;
  state: unknown;
  etcd: readonly EtcdMemberView[];
  "api-server": ApiServerView;
  "pod-inside": PodInside | undefined;
  manager: ManagerView | undefined;
  waits: readonly WaitView[];
  payload: unknown;
  "note-data": unknown;
  ask: CommandOutput;
  follow: CommandLines;
  moment: Hit | undefined;
  complete: Completion;
  line: LineReading;
  filter: string;
  check: ManifestReport;
  "probe-period": { readonly seconds: number | undefined; readonly text: string };
  "check-scheduler": string;
  suggest: Suggestions;
  "field-help": FieldHelp | undefined;
  cancel: undefined;
}

export type ToWorker = { readonly seq: number; readonly request: Request };

export type FromWorker =
  | { readonly type: "answer"; readonly seq: number; readonly value: unknown }
  | { readonly type: "error"; readonly seq: number; readonly message: string }
  /** A run begins on the page: what the store held at time 0. A fork starts with a full trace of its own. */
  | { readonly type: "opened"; readonly run: RunInfo; readonly base: readonly Revision[] }
  | { readonly type: "trace"; readonly run: RunId; readonly batch: TraceBatch; readonly until: number; readonly done: boolean };
