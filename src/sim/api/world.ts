import type { WatchSpec } from "./http.ts";
import type { KubeObject, Node, Pod } from "./types.ts";

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
  return (indexOf(world).kinds.get(kind) ?? []) as unknown as readonly T[];
}

/** The Node of that name. */
export const nodeNamed = (world: World, name: string): Node | undefined => indexOf(world).nodes.get(name);

/** The Pods that are bound to a node, in the world's order. */
export const podsOn = (world: World, node: string): readonly Pod[] => indexOf(world).podsOn.get(node) ?? [];

interface WorldIndex {
  readonly kinds: ReadonlyMap<string, readonly KubeObject[]>;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>;
}

// A world never changes. Without this, a thousand kubelets would each look through all of its objects.
const INDEXES = new WeakMap<readonly KubeObject[], WorldIndex>();

function grouped<T>(items: readonly T[], keyOf: (item: T) => string | undefined): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function indexOf({ objects }: World): WorldIndex {
  let index = INDEXES.get(objects);
  if (!index) {
    const kinds = grouped(objects, ({ kind }) => kind);
    index = { kinds, nodes: new Map((kinds.get("Node") ?? []).map((node) => [node.metadata.name ?? "", node as Node])), podsOn: grouped((kinds.get("Pod") ?? []) as readonly Pod[], (pod) => pod.spec.nodeName) };
    INDEXES.set(objects, index);
  }
  return index;
}
