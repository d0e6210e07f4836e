// Models kubernetes/staging/src/k8s.io/dynamic-resource-allocation/structured/internal/incubating/pools_incubating.go
import type { Device, NodeSelector, ResourceSlice } from "../../api/resource-claims.ts";
import type { Node } from "../../api/types.ts";
import { nodeTermsMatch } from "../node-selector.ts";

/** One device with where it is offered. */
export interface Offer {
  readonly driver: string;
  readonly pool: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
}

/** All devices of one pool that a node can reach. */
export interface Pool {
  readonly id: string;
  readonly offers: readonly Offer[];
  /** The driver is just publishing it anew: some slices are missing. */
  readonly incomplete: boolean;
  /** Two devices have one name. */
  readonly invalid: boolean;
}

export const deviceId = ({ driver, pool, device }: { readonly driver: string; readonly pool: string; readonly device: string }): string => `${driver}/${pool}/${device}`;

/** NodeMatches. */
function reaches(node: Node, { nodeName, allNodes, nodeSelector }: { readonly nodeName?: string; readonly allNodes?: boolean; readonly nodeSelector?: NodeSelector }): boolean {
  if (nodeName) return node.metadata.name === nodeName;
  return allNodes === true || (nodeSelector !== undefined && nodeTermsMatch(nodeSelector.nodeSelectorTerms ?? [], node));
}

const generationOf = (slice: ResourceSlice): number => slice.spec.pool.generation ?? 0;

/** GatherPools: only a pool's newest generation counts, and only if all its slices are there. */
// Simplified: upstream also divides devices by shared counters (partitionable devices).
export function gatherPools(slices: readonly ResourceSlice[], node: Node): readonly Pool[] {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const { driver, pool } = slice.spec;
    const id = `${driver}/${pool.name}`;
    pools.set(id, [...(pools.get(id) ?? []), slice]);
  }
  return [...pools].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([id, all]): Pool[] => {
    const newest = Math.max(...all.map(generationOf));
    const current = all.filter((slice) => generationOf(slice) === newest);
    const here = current.filter(({ spec }) => (spec.perDeviceNodeSelection ? (spec.devices ?? []).some((device) => reaches(node, device)) : reaches(node, spec)));
    if (here.length === 0) return [];
    const offers = here.flatMap((slice) => (slice.spec.devices ?? []).filter((device) => !slice.spec.perDeviceNodeSelection || reaches(node, device)).map((device): Offer => ({ driver: slice.spec.driver, pool: slice.spec.pool.name, device, slice })));
    const names = here.flatMap((slice) => (slice.spec.devices ?? []).map((device) => device.name));
    return [{ id, offers, incomplete: current.length !== here[0]?.spec.pool.resourceSliceCount, invalid: new Set(names).size !== names.length }];
  });
}
