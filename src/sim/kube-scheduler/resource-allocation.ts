// Models kubernetes/pkg/scheduler/framework/plugins/noderesources/{resource_allocation,least_allocated,most_allocated,requested_to_capacity_ratio}.go
import type { ResourceSpec, ScoringStrategy, UtilizationShapePoint } from "./args.ts";
import { MAX_NODE_SCORE, type Scored } from "./framework.ts";
import type { NodeInfo } from "./node-info.ts";
import { type Amounts, amount } from "./pod-requests.ts";

const MAX_CUSTOM_SCORE = 10;

/** Extended resources, huge pages, attachable volumes: all that is not counted by a field of its own. */
export const isScalar = (name: string): boolean => name.includes("/") || name.startsWith("hugepages-") || name.startsWith("attachable-volumes-");

/** One resource on one node: before and after the Pod. */
export interface ResourceUse {
  readonly name: string;
  readonly weight: number;
  readonly allocatable: number;
  readonly allocated: number;
  readonly requested: number;
}

function allocatedOn(node: NodeInfo, name: string, counting: "nonZero" | "actual"): number {
  if (counting === "nonZero" && name === "cpu") return node.nonZeroCPU;
  if (counting === "nonZero" && name === "memory") return node.nonZeroMemory;
  return amount(node.requested, name);
}

/** The resources that count for a score: those that the node has, and of the extended ones those that the Pod asks for. */
export function resourceUse(resources: readonly ResourceSpec[], requests: Amounts, node: NodeInfo, counting: "nonZero" | "actual"): ResourceUse[] {
  return resources.flatMap(({ name, weight }) => {
    const wanted = amount(requests, name);
    const allocatable = amount(node.allocatable, name);
    if (allocatable === 0 || (wanted === 0 && isScalar(name))) return [];
    const allocated = allocatedOn(node, name, counting);
    return [{ name, weight, allocatable, allocated, requested: allocated + wanted }];
  });
}

export function inputsOf(uses: readonly ResourceUse[]): Record<string, number> {
  const inputs: Record<string, number> = {};
  for (const use of uses) {
    inputs[`${use.name} allocatable`] = use.allocatable;
    inputs[`${use.name} taken`] = use.allocated;
    inputs[`${use.name} with this Pod`] = use.requested;
  }
  return inputs;
}

/** helper.BuildBrokenLinearFunction: linear between the points, constant outside. Integers, truncated towards zero. */
export function brokenLinear(shape: readonly UtilizationShapePoint[], x: number): number {
  for (let i = 0; i < shape.length; i += 1) {
    const point = shape[i];
    if (!point || x > point.utilization) continue;
    const before = shape[i - 1];
    if (!before) return point.score;
    return before.score + Math.trunc(((point.score - before.score) * (x - before.utilization)) / (point.utilization - before.utilization));
  }
  return shape.at(-1)?.score ?? 0;
}

function ratioScore(shape: readonly UtilizationShapePoint[], use: ResourceUse): number {
  const points = shape.map((p) => ({ utilization: p.utilization, score: p.score * (MAX_NODE_SCORE / MAX_CUSTOM_SCORE) }));
  return brokenLinear(points, use.requested > use.allocatable ? 100 : Math.floor((use.requested * 100) / use.allocatable));
}

/** The score of one node for NodeResourcesFit, with the arithmetic spelled out. */
export function scoreByStrategy(strategy: ScoringStrategy, uses: readonly ResourceUse[]): Scored {
  const inputs = inputsOf(uses);
  const parts: string[] = [];
  let sum = 0;
  let weights = 0;
  for (const use of uses) {
    let score: number;
    let part: string;
    if (strategy.type === "LeastAllocated") {
      score = use.requested > use.allocatable ? 0 : Math.floor(((use.allocatable - use.requested) * MAX_NODE_SCORE) / use.allocatable);
      part = `${use.name} (${use.allocatable} - ${use.requested}) × 100 / ${use.allocatable} = ${score}`;
    } else if (strategy.type === "MostAllocated") {
      const used = Math.min(use.requested, use.allocatable);
      score = Math.floor((used * MAX_NODE_SCORE) / use.allocatable);
      part = `${use.name} ${used} × 100 / ${use.allocatable} = ${score}`;
    } else {
      score = ratioScore(strategy.shape ?? [], use);
      part = `${use.name} shape(${use.requested} / ${use.allocatable}) = ${score}`;
      // Upstream leaves a resource with score 0 out of the mean here.
      if (score === 0) continue;
    }
    parts.push(part);
    sum += score * use.weight;
    weights += use.weight;
  }
  if (weights === 0) return { raw: 0, formula: "no resource to score: 0", inputs };
  const raw = strategy.type === "RequestedToCapacityRatio" ? Math.round(sum / weights) : Math.floor(sum / weights);
  return { raw, formula: `${parts.join("; ")}; weighted mean ${sum} / ${weights} = ${raw}`, inputs };
}
