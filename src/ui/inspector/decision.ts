/** What the scheduler's decision notes carry (src/sim/kube-scheduler/decision.ts), as far as the panel draws it. */
export interface Decision {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly outcome: "scheduled" | "unschedulable" | "error";
  readonly node: string;
  readonly message: string;
  readonly numNodes: number;
  readonly preFilter: readonly { readonly plugin: string; readonly code: string; readonly reasons: readonly string[]; readonly nodeNames?: readonly string[] }[];
  readonly filterOrder: readonly string[];
  readonly skippedFilters: readonly string[];
  readonly rejected: readonly { readonly node: string; readonly plugin: string; readonly code: string; readonly reasons: readonly string[] }[];
  readonly unseen: { readonly nodes: number; readonly reasons: readonly string[] };
  readonly feasible: readonly string[];
  readonly scores: readonly PluginScores[];
  readonly totals: readonly { readonly node: string; readonly total: number }[];
  readonly ties: readonly string[];
  readonly preemption?: { readonly node: string; readonly victims: readonly { readonly namespace: string; readonly name: string }[] };
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
}

/** Nodes against filter plugins: rejected nodes first in the order of the decision, then those that passed. `idle`: filters this Pod gives nothing to check, which have no column. */
export function matrixOf(decision: Decision): { readonly plugins: readonly string[]; readonly rows: readonly MatrixRow[]; readonly idle: readonly string[] } {
  const skipped = new Set(decision.skippedFilters);
  const plugins = decision.filterOrder.filter((plugin) => !skipped.has(plugin));
  // A node can be turned away before any filter ran on it (PreFilter named the only nodes worth a look).
  for (const { plugin } of decision.rejected) if (!plugins.includes(plugin)) plugins.unshift(plugin);
  const rejected = decision.rejected.map((result): MatrixRow => {
    const at = plugins.indexOf(result.plugin);
    return { node: result.node, reason: result.reasons.join(", "), cells: plugins.map((_, i) => (i < at ? "pass" : i === at ? "reject" : "not reached")) };
  });
  const passed = decision.feasible.map((node): MatrixRow => ({ node, reason: "", cells: plugins.map(() => "pass") }));
  const byNode = (a: MatrixRow, b: MatrixRow): number => (a.node < b.node ? -1 : a.node > b.node ? 1 : 0);
  return { plugins, idle: decision.filterOrder.filter((plugin) => skipped.has(plugin)), rows: [...rejected.sort(byNode), ...passed.sort(byNode)] };
}
