// Models kubernetes/pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go
import { MAX_NODE_SCORE, type Plugin, skip, success } from "../framework.ts";
import { amount } from "../pod-requests.ts";
import { inputsOf, resourceUse, type ResourceUse } from "../resource-allocation.ts";

/** 100 for equal fractions of all resources in use, less the further they are apart. */
export function balance(uses: readonly ResourceUse[], which: "requested" | "allocated"): number {
  const fractions = uses.map((use) => Math.min(1, use[which] / use.allocatable));
  let deviation = 0;
  const [first = 0, second = 0] = fractions;
  if (fractions.length === 2) deviation = Math.abs((first - second) / 2);
  else if (fractions.length > 2) {
    const mean = fractions.reduce((sum, f) => sum + f, 0) / fractions.length;
    deviation = Math.sqrt(fractions.reduce((sum, f) => sum + (f - mean) * (f - mean), 0) / fractions.length);
  }
  return Math.trunc((1 - deviation) * MAX_NODE_SCORE);
}

const six = (x: number): string => String(Math.round(x * 1e6) / 1e6);

/** The arithmetic of `balance` for a reader: two resources, or the standard deviation of more. */
function balanceText(uses: readonly ResourceUse[], which: "requested" | "allocated"): string {
  const shares = uses.map((use) => `${use.name} ${use[which]} / ${use.allocatable} = ${six(Math.min(1, use[which] / use.allocatable))}`);
  const fractions = uses.map((use) => six(Math.min(1, use[which] / use.allocatable)));
  const deviation = uses.length === 2 ? `|${fractions.join(" - ")}| / 2` : uses.length > 2 ? `standard deviation of ${fractions.join(", ")}` : "0";
  return `${shares.join(", ")}: (1 - ${deviation}) × 100 = ${balance(uses, which)}`;
}

/** Since v1.36: does this Pod bring cpu and memory of the node closer together, or further apart? 75 is neutral. */
export const nodeResourcesBalancedAllocation = {
  name: "NodeResourcesBalancedAllocation",

  preScore: (cycle) => (cycle.args.balancedResources.every(({ name }) => amount(cycle.podInfo.requests, name) === 0) ? skip : success),

  score(cycle, node) {
    const uses = resourceUse(cycle.args.balancedResources, cycle.podInfo.requests, node, "actual");
    const after = balance(uses, "requested");
    const before = balance(uses, "allocated");
    const raw = 50 + Math.trunc((50 + after - before) / 2);
    return { raw, formula: `with the Pod ${balanceText(uses, "requested")}; without ${balanceText(uses, "allocated")}; 50 + (50 + ${after} - ${before}) / 2 = ${raw}`, inputs: { ...inputsOf(uses), "balance with the Pod": after, "balance without": before } };
  },
} satisfies Plugin;
