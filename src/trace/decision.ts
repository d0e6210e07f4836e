/** What the scheduler's decision notes carry (src/sim/kube-scheduler/decision.ts), as far as readers are shown it. */
export interface Decision {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly profile: string;
  readonly outcome: "scheduled" | "unschedulable" | "error";
  readonly node: string;
  readonly message: string;
  readonly numNodes: number;
  readonly preFilter: readonly { readonly plugin: string; readonly code: string; readonly reasons: readonly string[]; readonly nodeNames?: readonly string[] }[];
  readonly filterOrder: readonly string[];
  readonly skippedFilters: readonly string[];
  readonly rejected: readonly Rejected[];
  readonly unseen: { readonly nodes: readonly string[]; readonly reasons: readonly string[] };
  readonly feasible: readonly string[];
  readonly postFilter: readonly { readonly plugin: string; readonly code: string; readonly reasons: readonly string[]; readonly nodes: readonly { readonly node: string; readonly reasons: readonly string[] }[] }[];
  readonly scores: readonly PluginScores[];
  readonly totals: readonly { readonly node: string; readonly total: number }[];
  readonly ties: readonly string[];
  readonly first?: { readonly node: string; readonly why: "promised" | "alike" };
  readonly preemption?: { readonly node: string; readonly victims: readonly Victim[]; readonly criteria: readonly string[]; readonly candidates: readonly Candidate[] };
}

export interface Rejected {
  readonly node: string;
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
  readonly detail?: string;
}

export interface Victim {
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
}

export interface Candidate {
  readonly node: string;
  readonly victims: readonly Victim[];
  /** One number for each of the criteria, the higher the better. */
  readonly ranks: readonly number[];
}

export interface PluginScores {
  readonly plugin: string;
  readonly weight: number;
  readonly skipped: boolean;
  readonly normalize: string;
  readonly nodes: readonly { readonly node: string; readonly raw: number; readonly formula: string; readonly inputs: Readonly<Record<string, number | string>>; readonly normalized: number; readonly weighted: number }[];
}

export function isDecision(data: unknown): data is Decision {
  const decision = data as Partial<Decision> | undefined;
  return typeof decision === "object" && decision !== null && Array.isArray(decision.filterOrder) && Array.isArray(decision.rejected) && Array.isArray(decision.feasible);
}

/** How one plugin judged one node. */
export type Cell = "pass" | "reject" | "not reached";

export interface MatrixRow {
  readonly node: string;
  readonly cells: readonly Cell[];
  /** Empty for a node that passed. */
  readonly reason: string;
  /** The numbers behind the reason; empty if there are none. */
  readonly detail: string;
}

const byNode = (a: MatrixRow, b: MatrixRow): number => (a.node < b.node ? -1 : a.node > b.node ? 1 : 0);

/** Nodes against filter plugins: rejected nodes first, then those never looked at, then those that passed. `idle`: filters this Pod gives nothing to check, which have no column. */
export function matrixOf(decision: Decision): { readonly plugins: readonly string[]; readonly rows: readonly MatrixRow[]; readonly idle: readonly string[] } {
  const skipped = new Set(decision.skippedFilters);
  const plugins = decision.filterOrder.filter((plugin) => !skipped.has(plugin));
  // A node can be turned away before any filter ran on it (PreFilter named the only nodes worth a look).
  for (const { plugin } of decision.rejected) if (!plugins.includes(plugin)) plugins.unshift(plugin);
  const rejected = decision.rejected.map((result): MatrixRow => {
    const at = plugins.indexOf(result.plugin);
    return { node: result.node, reason: result.reasons.join(", "), detail: result.detail ?? "", cells: plugins.map((_, i) => (i < at ? "pass" : i === at ? "reject" : "not reached")) };
  });
  const why = decision.unseen.reasons.join(", ") || (decision.first?.node === decision.node ? `not looked at: ${decision.node} came first and fits` : "not looked at: enough nodes had passed");
  const unseen = decision.unseen.nodes.map((node): MatrixRow => ({ node, reason: why, detail: "", cells: plugins.map(() => "not reached") }));
  const passed = decision.feasible.map((node): MatrixRow => ({ node, reason: "", detail: "", cells: plugins.map(() => "pass") }));
  return { plugins, idle: decision.filterOrder.filter((plugin) => skipped.has(plugin)), rows: [...rejected.sort(byNode), ...unseen.sort(byNode), ...passed.sort(byNode)] };
}

/** Why one node was tried before all others; "" if none was. */
export function firstText({ first, node }: Decision): string {
  if (!first) return "";
  const why = first.why === "promised" ? "it was promised to this Pod (status.nominatedNodeName)" : "the Pod before, just like this one, filled its node, and this was its next best";
  return `${first.node} is tried before all others: ${why}. ${first.node === node ? "It fits, so no other is looked at." : "It does not fit, so the others are looked at."}`;
}

export interface SentencePart {
  readonly text: string;
  /** Where it comes from: nodes that gave this reason, or the plugin that said it. */
  readonly from: readonly string[];
}

/**
 * How the FailedScheduling sentence is put together: the parts joined are the message. Undefined for a decision that
 * found a node, or whose message is an error.
 */
export function sentenceOf(decision: Decision): readonly SentencePart[] | undefined {
  const head = `0/${decision.numNodes} nodes are available:`;
  if (decision.outcome !== "unschedulable" || !decision.message.startsWith(head)) return undefined;
  const parts: SentencePart[] = [{ text: head, from: [] }];
  // Rejected as a whole, before any node was looked at: told once, without a number.
  const whole = decision.unseen.reasons.join(", ");
  if (whole !== "" && decision.message.startsWith(`${head} ${whole}.`)) {
    const early = decision.preFilter.filter((result) => result.code === "Unschedulable" || result.code === "UnschedulableAndUnresolvable" || result.nodeNames !== undefined);
    parts.push({ text: ` ${whole}.`, from: early.map((result) => `${result.plugin} (before any node was looked at)`) });
  }
  else {
    const nodes = new Map<string, string[]>();
    const count = (node: string, reasons: readonly string[]): void => {
      for (const reason of reasons) nodes.set(reason, [...(nodes.get(reason) ?? []), node]);
    };
    for (const { node, reasons } of decision.rejected) count(node, reasons);
    for (const node of decision.unseen.nodes) count(node, decision.unseen.reasons);
    const sorted = [...nodes].map(([reason, from]) => ({ text: `${from.length} ${reason}`, from: from.sort() })).sort((a, b) => (a.text < b.text ? -1 : 1));
    for (const [i, part] of sorted.entries()) parts.push({ text: `${i === 0 ? " " : ", "}${part.text}${i === sorted.length - 1 ? "." : ""}`, from: part.from });
  }
  if (decision.postFilter.some((result) => result.code === "Success")) return parts;
  let joint = " ";
  for (const result of decision.postFilter) {
    if (result.reasons.length === 0) continue;
    parts.push({ text: `${joint}${result.reasons.join(", ")}`, from: [`${result.plugin} (after filtering)`] });
    joint = ", ";
  }
  return parts;
}
