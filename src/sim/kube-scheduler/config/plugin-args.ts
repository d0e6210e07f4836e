// Models kubernetes/pkg/scheduler/apis/config/v1/defaults.go and pkg/scheduler/apis/config/types_pluginargs.go
import type { Affinity, TopologySpreadConstraint } from "../../api/types.ts";
import { defaultArgs, type ResourceSpec, type SchedulerArgs, type ScoringStrategy, type UtilizationShapePoint } from "../args.ts";
import type { ProfileSpec } from "./types.ts";

/** The arguments of every plugin that has some, defaults filled in. */
export interface PluginArgs {
  readonly DefaultPreemption: { readonly minCandidateNodesPercentage: number; readonly minCandidateNodesAbsolute: number };
  readonly InterPodAffinity: { readonly hardPodAffinityWeight: number; readonly ignorePreferredTermsOfExistingPods: boolean };
  readonly NodeAffinity: { readonly addedAffinity?: NonNullable<Affinity["nodeAffinity"]> };
  readonly NodeResourcesBalancedAllocation: { readonly resources: readonly ResourceSpec[] };
  readonly NodeResourcesFit: { readonly ignoredResources: readonly string[]; readonly ignoredResourceGroups: readonly string[]; readonly scoringStrategy: Strategy };
  readonly PodTopologySpread: { readonly defaultConstraints: readonly TopologySpreadConstraint[]; readonly defaultingType: string };
  readonly VolumeBinding: { readonly bindTimeoutSeconds: number; readonly shape?: readonly UtilizationShapePoint[] };
  readonly DynamicResources: { readonly filterTimeout?: string; readonly bindingTimeout?: string };
}

export interface Strategy {
  readonly type: string;
  readonly resources: readonly ResourceSpec[];
  readonly requestedToCapacityRatio?: { readonly shape?: readonly UtilizationShapePoint[] };
}

type Raw = Readonly<Record<string, unknown>>;

// The decoder has checked the types; what is missing is Go's zero value.
const point = (p: Partial<UtilizationShapePoint>): UtilizationShapePoint => ({ utilization: p.utilization ?? 0, score: p.score ?? 0 });

function resources(list: unknown): readonly ResourceSpec[] {
  const given = (list ?? []) as readonly Partial<ResourceSpec>[];
  return given.length === 0 ? defaultArgs.balancedResources : given.map((r) => ({ name: r.name ?? "", weight: r.weight || 1 }));
}

function strategy(raw: unknown): Strategy {
  if (raw === undefined) return { type: "LeastAllocated", resources: resources(undefined) };
  const { type = "", resources: list, requestedToCapacityRatio: ratio } = raw as { type?: string; resources?: unknown; requestedToCapacityRatio?: { shape?: readonly Partial<UtilizationShapePoint>[] } };
  return { type, resources: resources(list), ...(ratio ? { requestedToCapacityRatio: { shape: (ratio.shape ?? []).map(point) } } : {}) };
}

const constraint = (c: Partial<TopologySpreadConstraint>): TopologySpreadConstraint => ({ ...c, maxSkew: c.maxSkew ?? 0, topologyKey: c.topologyKey ?? "", whenUnsatisfiable: c.whenUnsatisfiable ?? ("" as never) });

/** The arguments of a profile; of several for one plugin the first (validation refuses the second). */
export function pluginArgs(profile: ProfileSpec): PluginArgs {
  const of = (name: string): Raw => ((profile.pluginConfig ?? []).find((c) => c.name === name)?.args ?? {}) as Raw;
  const [preemption, affinity, fit, spread, volumes] = [of("DefaultPreemption"), of("InterPodAffinity"), of("NodeResourcesFit"), of("PodTopologySpread"), of("VolumeBinding")];
  return {
    DefaultPreemption: { minCandidateNodesPercentage: (preemption["minCandidateNodesPercentage"] as number | undefined) ?? 10, minCandidateNodesAbsolute: (preemption["minCandidateNodesAbsolute"] as number | undefined) ?? 100 },
    InterPodAffinity: { hardPodAffinityWeight: (affinity["hardPodAffinityWeight"] as number | undefined) ?? 1, ignorePreferredTermsOfExistingPods: affinity["ignorePreferredTermsOfExistingPods"] === true },
    NodeAffinity: of("NodeAffinity") as PluginArgs["NodeAffinity"],
    NodeResourcesBalancedAllocation: { resources: resources(of("NodeResourcesBalancedAllocation")["resources"]) },
    NodeResourcesFit: { ignoredResources: (fit["ignoredResources"] ?? []) as readonly string[], ignoredResourceGroups: (fit["ignoredResourceGroups"] ?? []) as readonly string[], scoringStrategy: strategy(fit["scoringStrategy"]) },
    PodTopologySpread: { defaultConstraints: ((spread["defaultConstraints"] ?? []) as readonly Partial<TopologySpreadConstraint>[]).map(constraint), defaultingType: (spread["defaultingType"] as string | undefined) || "System" },
    VolumeBinding: { bindTimeoutSeconds: (volumes["bindTimeoutSeconds"] as number | undefined) ?? 600, ...(volumes["shape"] === undefined ? {} : { shape: volumes["shape"] as readonly UtilizationShapePoint[] }) },
    DynamicResources: of("DynamicResources") as PluginArgs["DynamicResources"],
  };
}

/** What the plugins read, for one profile. Arguments have been validated. */
export function schedulerArgs(args: PluginArgs, percentage: number, profilePercentage: number | undefined): SchedulerArgs {
  const { scoringStrategy: s, ignoredResources, ignoredResourceGroups } = args.NodeResourcesFit;
  const shape = s.requestedToCapacityRatio?.shape;
  return {
    percentageOfNodesToScore: percentage,
    ...(profilePercentage === undefined ? {} : { profilePercentageOfNodesToScore: profilePercentage }),
    scoringStrategy: { type: s.type as ScoringStrategy["type"], resources: s.resources, ...(shape ? { shape } : {}) },
    ignoredResources,
    ignoredResourceGroups,
    balancedResources: args.NodeResourcesBalancedAllocation.resources,
    ...args.InterPodAffinity,
    ...(args.NodeAffinity.addedAffinity ? { addedAffinity: args.NodeAffinity.addedAffinity } : {}),
    ...(args.PodTopologySpread.defaultingType === "List" ? { defaultConstraints: args.PodTopologySpread.defaultConstraints } : {}),
    ...args.DefaultPreemption,
    bindTimeoutSeconds: args.VolumeBinding.bindTimeoutSeconds,
  };
}
