import type { WatchSpec } from "./http.ts";
import type { KubeObject } from "./types.ts";

/** One machine of the cluster. */
export interface WorldNode {
  readonly name: string;
  /** "10.244.3.0/24": its Pods' addresses; `.1` is the bridge's. */
  readonly podCIDR: string;
  /** InternalIP, "192.168.50.13". */
  readonly address: string;
  /** Position in the world file: fixes phases of its periodic loops. */
  readonly index: number;
}

/**
 * The cluster as it stands at time 0, settled: every object is as etcd holds it (defaulted, with uid, resourceVersion,
 * creationTimestamp and a status that its controllers would have written), every informer is synced and its watch open.
 */
export interface World {
  readonly name: string;
  readonly seed: number;
  readonly objects: readonly KubeObject[];
  /** The store's revision at time 0; every object's resourceVersion is at most this. */
  readonly resourceVersion: string;
  readonly nodes: readonly WorldNode[];
  /** Watches open at time 0, of all components. */
  readonly watches: readonly WatchSpec[];
  /** Members of the etcd cluster; absent: 3. */
  readonly etcdMembers?: number;
  readonly clusterDomain: string;
  readonly serviceCIDR: string;
  readonly podCIDR: string;
  readonly dnsServiceIP: string;
  /** --leader-elect of scheduler and controller manager; absent for true. */
  readonly leaderElection?: boolean;
}

/** All objects of a kind, in the world's order. */
export function objectsOf<T extends KubeObject>(world: World, kind: string): readonly T[] {
  return world.objects.filter((object) => object.kind === kind) as unknown as readonly T[];
}
