// Models kubernetes/staging/src/k8s.io/kube-scheduler/framework/interface.go
import type { ResourceClaim } from "../api/resource-claims.ts";
import type { Pod } from "../api/types.ts";
import type { SchedulerArgs } from "./args.ts";
import type { ExtensionPoint } from "./config/types.ts";
import type { Listers } from "./listers.ts";
import type { NodeInfo, PodInfo } from "./node-info.ts";
import type { Snapshot } from "./snapshot.ts";

export const MAX_NODE_SCORE = 100;

/**
 * What a plugin answers. `Unschedulable`: evicting Pods may help. `UnschedulableAndUnresolvable`: it cannot, so
 * preemption leaves the node alone. `Skip`: the plugin has nothing to say about this Pod in the coupled later step.
 */
export type Code = "Success" | "Error" | "Unschedulable" | "UnschedulableAndUnresolvable" | "Skip";

export interface Status {
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The numbers behind the reasons, for a reader; no message carries them. */
  readonly detail?: string;
  /** The plugin that answered; set by the framework around the plugin. */
  readonly plugin?: string;
}

export const success: Status = { code: "Success", reasons: [] };
export const skip: Status = { code: "Skip", reasons: [] };
export const unschedulable = (...reasons: readonly string[]): Status => ({ code: "Unschedulable", reasons });
export const unresolvable = (...reasons: readonly string[]): Status => ({ code: "UnschedulableAndUnresolvable", reasons });
export const failed = (...reasons: readonly string[]): Status => ({ code: "Error", reasons });
export const isRejected = (status: Status): boolean => status.code === "Unschedulable" || status.code === "UnschedulableAndUnresolvable";

/** Names one plugin's data in the CycleState, and carries its type. */
export interface StateKey<T> {
  readonly name: string;
  /** Never set: only gives the key its type. */
  readonly type?: T;
}

/**
 * What plugins remember between the steps of one scheduling cycle. It lives only inside `schedulePod`. Values are
 * never mutated (AddPod and RemovePod write new ones), so that a clone for a preemption dry run is a shallow copy.
 */
export class CycleState {
  readonly skipFilter = new Set<string>();
  readonly skipScore = new Set<string>();
  private readonly data = new Map<string, unknown>();

  read<T>(key: StateKey<T>): T | undefined {
    return this.data.get(key.name) as T | undefined;
  }

  write<T>(key: StateKey<T>, value: T): void {
    this.data.set(key.name, value);
  }

  clone(): CycleState {
    const copy = new CycleState();
    for (const [name, value] of this.data) copy.data.set(name, value);
    for (const name of this.skipFilter) copy.skipFilter.add(name);
    for (const name of this.skipScore) copy.skipScore.add(name);
    return copy;
  }
}

export type Points = Readonly<Record<ExtensionPoint, readonly Plugin[]>>;

/** One scheduling cycle: the Pod, the world as of its start, and the plugins' notes. */
export interface Cycle {
  readonly pod: Pod;
  readonly podInfo: PodInfo;
  readonly snapshot: Snapshot;
  readonly args: SchedulerArgs;
  readonly state: CycleState;
  /** The profile's plugins at each point, in order. */
  readonly points: Points;
  readonly weights: Readonly<Record<string, number>>;
  /** A number drawn for this cycle: where the preemption dry run begins in its list of nodes. */
  readonly draw: number;
}

export interface PreFilterOutcome {
  readonly status: Status;
  /** If given, only these nodes need be looked at. */
  readonly nodeNames?: ReadonlySet<string>;
}

/** A raw score with what it was computed from, so that a reader can redo the arithmetic. */
export interface Scored {
  readonly raw: number;
  readonly formula: string;
  readonly inputs: Readonly<Record<string, number | string>>;
}

export interface Normalized {
  /** In the order of the raw scores, each 0..100. */
  readonly scores: readonly number[];
  readonly formula: string;
}

export interface Victims {
  readonly node: string;
  readonly pods: readonly Pod[];
  readonly numPDBViolations: number;
}

export interface PostFilterOutcome {
  readonly status: Status;
  readonly candidates?: readonly Victims[];
  readonly chosen?: Victims;
  /** What still rejected the Pod on nodes without those that could be evicted there. */
  readonly rejected?: ReadonlyMap<string, Status>;
  /** A claim that is to give its devices back. */
  readonly deallocates?: ResourceClaim;
  /** No node is worth waiting for: a nomination from before is withdrawn. */
  readonly clearsNomination?: boolean;
}

/** Per-node verdicts of one cycle; nodes that were never looked at share `absent`. */
export interface NodeStatuses {
  readonly byNode: ReadonlyMap<string, Status>;
  readonly absent: Status;
}

/** What PreEnqueue may look at. */
export interface Waiting {
  readonly listers: Listers;
  /** Keys of Pods whose victims are being evicted just now. */
  readonly preempting: readonly string[];
}

/** A scheduler plugin: implements any of the extension points. Registered in `plugins/registry.ts`. */
export interface Plugin {
  readonly name: string;
  /** Points at which it acts besides those that it has a function for: the scheduler itself does that work. */
  readonly also?: readonly ExtensionPoint[];
  /** Any other status than success keeps the Pod out of the queue ("gated"). */
  preEnqueue?(pod: Pod, at: Waiting): Status;
  preFilter?(cycle: Cycle): PreFilterOutcome;
  /** PreFilterExtensions: what changes if `added` were on `node`. Must write new state, never mutate. */
  addPod?(cycle: Cycle, added: PodInfo, node: NodeInfo): void;
  removePod?(cycle: Cycle, removed: PodInfo, node: NodeInfo): void;
  filter?(cycle: Cycle, node: NodeInfo): Status;
  postFilter?(cycle: Cycle, statuses: NodeStatuses): PostFilterOutcome;
  preScore?(cycle: Cycle, nodes: readonly NodeInfo[]): Status;
  score?(cycle: Cycle, node: NodeInfo): Scored;
  normalize?(cycle: Cycle, nodes: readonly NodeInfo[], raw: readonly number[]): Normalized;
}

/** Models pkg/scheduler/framework/plugins/helper/normalize_score.go. */
export function defaultNormalize(raw: readonly number[], reverse: boolean): Normalized {
  let max = 0;
  for (const score of raw) if (score > max) max = score;
  if (max === 0) return { scores: raw.map(() => (reverse ? MAX_NODE_SCORE : 0)), formula: reverse ? "max = 0: 100 for all" : "max = 0: 0 for all" };
  return {
    scores: raw.map((score) => {
      const scaled = Math.floor((MAX_NODE_SCORE * score) / max);
      return reverse ? MAX_NODE_SCORE - scaled : scaled;
    }),
    formula: reverse ? `100 - 100 × raw / ${max}` : `100 × raw / ${max}`,
  };
}
