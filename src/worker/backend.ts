import type { CommandLine } from "../sim/kubectl/command-line.ts";
import type { Input, KernelConfig } from "../sim/kernel/types.ts";
import type { Revision } from "../trace/model.ts";
import type { Trace } from "../trace/trace.ts";
import type { ApiServerView, Catalogue, Completion, EtcdMemberView, FieldHelp, LineReading, ManagerView, ManifestReport, PodInside, RunInput, RunRecipe, Suggestions, WaitView } from "./protocol.ts";

/** What a recipe becomes before it runs. */
export interface Cluster {
  readonly config: KernelConfig;
  readonly inputs: readonly Input[];
  /** What the store holds at time 0. */
  readonly base: readonly Revision[];
}

/** A component's state at the time that is asked about; undefined for a component that this run does not have. */
export type StateOf = (component: string) => unknown;

/** All that the worker needs of the simulation. Tests give it a small one. */
export interface Backend {
  catalogue(): Catalogue;
  createCluster(recipe: RunRecipe): Cluster;
  /** A recipe's inputs as the kernel's input log. */
  expandInputs(inputs: readonly RunInput[]): readonly Input[];
  /** `state`: of the run that is there, if there is one. */
  check(text: string, state: StateOf | undefined): ManifestReport;
  /** How often a manifest's gating probes are tried, and the manifest with another period. */
  probePeriod(text: string, seconds?: number): { readonly seconds: number | undefined; readonly text: string };
  checkScheduler(text: string): string;
  /** Completion of a manifest; with a run also from its objects. A promise, because this code comes when it is first needed. */
  suggest(text: string, offset: number, state: StateOf): Promise<Suggestions>;
  fieldHelp(text: string, offset: number): Promise<FieldHelp | undefined>;
  /** `apiServer` is that component's state. */
  complete(apiServer: unknown, line: string, cursor: number): Completion;
  readLine(text: string): LineReading;
  filter(output: string, filters: CommandLine["filters"]): string;
  etcd(state: StateOf): readonly EtcdMemberView[];
  apiServer(state: unknown): ApiServerView;
  manager(component: string, state: StateOf): ManagerView | undefined;
  podInside(uid: string, node: string, at: number, state: StateOf): PodInside | undefined;
  waits(at: number, state: StateOf, trace: Trace, least?: number): readonly WaitView[];
  /** A component's state as the inspector shows it: with what its tools would print added. */
  inspect(component: string, state: unknown): unknown;
}
