// Models what kube-scheduler logs at -v=10, collected as kube-scheduler-simulator does: the record of one cycle
import type { AllocationResult, ResourceClaim } from "../api/resource-claims.ts";
import type { Code, Scored } from "./framework.ts";

/** How a plugin judged in PreFilter, for those that did more than pass. */
export interface PreFilterResult {
  readonly plugin: string;
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The only nodes worth looking at, if the plugin named them. */
  readonly nodeNames?: readonly string[];
}

/** A node that was rejected: all filters before `plugin` in `filterOrder` passed or were skipped, those after it never ran. */
export interface FilterResult {
  readonly node: string;
  readonly plugin: string;
  readonly code: Code;
  readonly reasons: readonly string[];
  /** The numbers behind the reasons. */
  readonly detail?: string;
}

export interface NodeScore extends Scored {
  readonly node: string;
  readonly normalized: number;
  readonly weighted: number;
}

export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  /** PreScore said Skip: the plugin adds nothing to any node. */
  readonly skipped: boolean;
  /** How raw scores became 0..100; empty if they are taken as they are. */
  readonly normalize: string;
  readonly nodes: readonly NodeScore[];
}

export interface Total {
  readonly node: string;
  readonly total: number;
}

export interface VictimRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly priority: number;
}

export interface Candidate {
  readonly node: string;
  readonly victims: readonly VictimRef[];
  readonly numPDBViolations: number;
  /** One number for each of the criteria, the higher the better. */
  readonly ranks: readonly number[];
}

export interface PreemptionResult {
  readonly node: string;
  readonly victims: readonly VictimRef[];
  /** How the node was chosen among the candidates: a later one is asked only on ties. */
  readonly criteria: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** What a PostFilter plugin answered when no node was left. */
export interface PostFilterResult {
  readonly plugin: string;
  readonly code: Code;
  readonly reasons: readonly string[];
  /** Of the preemption's dry run: what still stood in the way on each node without its victims. */
  readonly nodes: readonly { readonly node: string; readonly reasons: readonly string[] }[];
}

/** A ResourceClaim of the Pod, with the devices it gets now; null if it has them already. */
export interface ClaimForPod {
  readonly claim: ResourceClaim;
  readonly allocation: AllocationResult | null;
}

/**
 * One scheduling decision, complete enough to redo by hand. Plain data: kept in the scheduler's state, drawn by the
 * inspector and printed by `millipod schedule`.
 */
export interface Decision {
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly outcome: "scheduled" | "unschedulable" | "error";
  /** The scheduler name whose profile decided. */
  readonly profile: string;
  /** The chosen node; "" if none. */
  readonly node: string;
  /** The note of the Scheduled or FailedScheduling event, untruncated. */
  readonly message: string;
  readonly numNodes: number;
  readonly preFilter: readonly PreFilterResult[];
  /** Filter plugins in the order in which they ran on each node. */
  readonly filterOrder: readonly string[];
  readonly skippedFilters: readonly string[];
  readonly rejected: readonly FilterResult[];
  /** Nodes that were never looked at, and the reason they count with. */
  readonly unseen: { readonly nodes: readonly string[]; readonly reasons: readonly string[] };
  readonly feasible: readonly string[];
  /** In order; empty if a node was found. */
  readonly postFilter: readonly PostFilterResult[];
  /** Empty if fewer than two nodes were feasible: then nothing is scored. */
  readonly scores: readonly PluginScores[];
  readonly totals: readonly Total[];
  /** Nodes that share the best total. */
  readonly ties: readonly string[];
  readonly preemption?: PreemptionResult;
  /** All of the Pod's ResourceClaims, if it has any and a node. */
  readonly claims?: readonly ClaimForPod[];
  /** A claim whose devices are out of the Pod's reach: it gives them back. */
  readonly deallocates?: ResourceClaim;
  /** The Pod had been promised a node, which is no use any more. */
  readonly clearsNomination?: boolean;
  /** Plugins whose events may make the Pod worth another try. */
  readonly unschedulablePlugins: readonly string[];
  readonly nextStartNodeIndex: number;
  /** The node that was tried before all others, if one was: promised to the Pod, or the next best of a Pod just like it that filled its node. */
  readonly first?: { readonly node: string; readonly why: "promised" | "alike" };
  /** The next best node of the Pod before, whether it was tried or not. */
  readonly hint?: string;
}
