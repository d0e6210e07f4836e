// Models kubernetes/pkg/scheduler/apis/config/v1/default_plugins.go
import { EXTENSION_POINTS, type ExtensionPoint, type Profile } from "../config/types.ts";
import type { Plugin, Points } from "../framework.ts";
import { defaultBinder } from "./default-binder.ts";
import { defaultPreemption } from "./default-preemption.ts";
import { dynamicResources } from "./dynamic-resources.ts";
import { imageLocality } from "./image-locality.ts";
import { interPodAffinity } from "./inter-pod-affinity.ts";
import { nodeAffinity } from "./node-affinity.ts";
import { nodeDeclaredFeatures } from "./node-declared-features.ts";
import { nodeName } from "./node-name.ts";
import { nodePorts } from "./node-ports.ts";
import { nodeResourcesBalancedAllocation } from "./node-resources-balanced-allocation.ts";
import { nodeResourcesFit } from "./node-resources-fit.ts";
import { nodeUnschedulable } from "./node-unschedulable.ts";
import { nodeVolumeLimits } from "./node-volume-limits.ts";
import { podTopologySpread } from "./pod-topology-spread.ts";
import { prioritySort } from "./priority-sort.ts";
import { schedulingGates } from "./scheduling-gates.ts";
import { taintToleration } from "./taint-toleration.ts";
import { volumeBinding } from "./volume-binding.ts";
import { volumeRestrictions } from "./volume-restrictions.ts";
import { volumeZone } from "./volume-zone.ts";

interface Registered {
  readonly plugin: Plugin;
  /** What its normalised score is multiplied by; 0 for plugins that do not score. */
  readonly weight: number;
}

/** The default profile in upstream's order: it decides which plugin a rejected node names as its reason. */
export const registry: readonly Registered[] = [
  { plugin: schedulingGates, weight: 0 },
  { plugin: prioritySort, weight: 0 },
  { plugin: nodeUnschedulable, weight: 0 },
  { plugin: nodeName, weight: 0 },
  { plugin: taintToleration, weight: 3 },
  { plugin: nodeAffinity, weight: 2 },
  { plugin: nodePorts, weight: 0 },
  { plugin: nodeResourcesFit, weight: 1 },
  { plugin: volumeRestrictions, weight: 0 },
  { plugin: nodeVolumeLimits, weight: 0 },
  { plugin: volumeBinding, weight: 0 },
  { plugin: volumeZone, weight: 0 },
  { plugin: podTopologySpread, weight: 2 },
  { plugin: interPodAffinity, weight: 2 },
  { plugin: dynamicResources, weight: 2 },
  { plugin: defaultPreemption, weight: 0 },
  { plugin: nodeResourcesBalancedAllocation, weight: 1 },
  { plugin: imageLocality, weight: 1 },
  { plugin: defaultBinder, weight: 0 },
  { plugin: nodeDeclaredFeatures, weight: 0 },
];

const byName = new Map(registry.map(({ plugin }) => [plugin.name, plugin]));

export const pluginNamed = (name: string): Plugin | undefined => byName.get(name);

/** What Go asks by a type assertion: does the plugin have this point's function? */
export const implementsPoint = (plugin: Plugin, point: ExtensionPoint): boolean => (point in plugin && plugin[point as keyof Plugin] !== undefined) || (plugin.also?.includes(point) ?? false);

const resolved = new WeakMap<Profile, Points>();

/** The plugins themselves behind a profile's names. */
export function pointsOf(profile: Profile): Points {
  const known = resolved.get(profile);
  if (known) return known;
  const points = Object.fromEntries(EXTENSION_POINTS.map((point) => [point, profile.plugins[point].flatMap((name) => byName.get(name) ?? [])])) as unknown as Points;
  resolved.set(profile, points);
  return points;
}
