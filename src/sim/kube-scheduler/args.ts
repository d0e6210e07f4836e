// Models kubernetes/pkg/scheduler/apis/config/types_pluginargs.go and v1/defaults.go
import type { Affinity, TopologySpreadConstraint } from "../api/types.ts";

export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

export interface UtilizationShapePoint {
  readonly utilization: number;
  readonly score: number;
}

export interface ScoringStrategy {
  readonly type: "LeastAllocated" | "MostAllocated" | "RequestedToCapacityRatio";
  readonly resources: readonly ResourceSpec[];
  readonly shape?: readonly UtilizationShapePoint[];
}

/** KubeSchedulerConfiguration as far as it changes a decision. */
export interface SchedulerArgs {
  /** 0: adaptive (50 % minus one for every 125 nodes, at least 5 %). */
  readonly percentageOfNodesToScore: number;
  /** The profile's own value; it wins over the global one when set. */
  readonly profilePercentageOfNodesToScore?: number;
  readonly scoringStrategy: ScoringStrategy;
  readonly ignoredResources: readonly string[];
  readonly ignoredResourceGroups: readonly string[];
  readonly balancedResources: readonly ResourceSpec[];
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
  /** NodeAffinityArgs: what the profile asks of every node besides the Pod's own wishes. */
  readonly addedAffinity?: Affinity["nodeAffinity"];
  /** PodTopologySpreadArgs with defaultingType List; absent for System. */
  readonly defaultConstraints?: readonly TopologySpreadConstraint[];
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
  /** How long PreBind waits for volumes. */
  readonly bindTimeoutSeconds: number;
}

const CPU_AND_MEMORY: readonly ResourceSpec[] = [{ name: "cpu", weight: 1 }, { name: "memory", weight: 1 }];

export const defaultArgs: SchedulerArgs = {
  percentageOfNodesToScore: 0,
  scoringStrategy: { type: "LeastAllocated", resources: CPU_AND_MEMORY },
  ignoredResources: [],
  ignoredResourceGroups: [],
  balancedResources: CPU_AND_MEMORY,
  hardPodAffinityWeight: 1,
  ignorePreferredTermsOfExistingPods: false,
  minCandidateNodesPercentage: 10,
  minCandidateNodesAbsolute: 100,
  bindTimeoutSeconds: 600,
};
