// Models kubernetes/staging/src/k8s.io/client-go/listers as the scheduler's plugins use them
import type { DeviceClass, ResourceClaim, ResourceSlice } from "../api/resource-claims.ts";
import type { KubeObject, LabelSelector, NodeSelectorTerm, Quantity, ResourceList, Service } from "../api/types.ts";

// The storage kinds with the fields that the scheduler reads.
export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: ResourceList };
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly selector?: LabelSelector;
  };
  readonly status?: { readonly phase?: string };
}

export interface PersistentVolume extends KubeObject {
  readonly spec: {
    readonly capacity?: ResourceList;
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] } };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
  readonly status?: { readonly phase?: string };
}

export interface StorageClass extends KubeObject {
  readonly provisioner?: string;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly { readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[] }[];
}

export interface CSINode extends KubeObject {
  readonly spec: { readonly drivers?: readonly { readonly name: string; readonly allocatable?: { readonly count?: number } }[] };
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: { readonly attacher?: string; readonly nodeName?: string; readonly source?: { readonly persistentVolumeName?: string } };
}

export interface CSIDriver extends KubeObject {
  readonly spec: { readonly storageCapacity?: boolean };
}

export interface CSIStorageCapacity extends KubeObject {
  readonly storageClassName: string;
  readonly nodeTopology?: LabelSelector;
  readonly capacity?: Quantity;
  readonly maximumVolumeSize?: Quantity;
}

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number; readonly disruptedPods?: Readonly<Record<string, string>> };
}

/** ReplicaSet or StatefulSet: only the selector is read. */
export interface Selecting extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector };
}

export interface ReplicationController extends KubeObject {
  readonly spec: { readonly selector?: Readonly<Record<string, string>> };
}

/** What the plugins can look up besides nodes and Pods: the scheduler's informer caches at the start of the cycle. */
export interface Listers {
  readonly namespaces: readonly KubeObject[];
  readonly services: readonly Service[];
  readonly replicationControllers: readonly ReplicationController[];
  readonly replicaSets: readonly Selecting[];
  readonly statefulSets: readonly Selecting[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[];
  readonly persistentVolumes: readonly PersistentVolume[];
  readonly storageClasses: readonly StorageClass[];
  readonly csiNodes: readonly CSINode[];
  readonly csiDrivers: readonly CSIDriver[];
  readonly csiStorageCapacities: readonly CSIStorageCapacity[];
  readonly volumeAttachments: readonly VolumeAttachment[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly resourceClaims: readonly ResourceClaim[];
  readonly resourceSlices: readonly ResourceSlice[];
  readonly deviceClasses: readonly DeviceClass[];
  /** inFlightAllocations: claims with what they were given, before that is written. */
  readonly pendingClaims: readonly ResourceClaim[];
}

export const noListers: Listers = {
  namespaces: [],
  services: [],
  replicationControllers: [],
  replicaSets: [],
  statefulSets: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
  csiDrivers: [],
  csiStorageCapacities: [],
  volumeAttachments: [],
  podDisruptionBudgets: [],
  resourceClaims: [],
  resourceSlices: [],
  deviceClasses: [],
  pendingClaims: [],
};

const KINDS: readonly (readonly [string, keyof Listers])[] = [
  ["Namespace", "namespaces"],
  ["Service", "services"],
  ["ReplicationController", "replicationControllers"],
  ["ReplicaSet", "replicaSets"],
  ["StatefulSet", "statefulSets"],
  ["PersistentVolumeClaim", "persistentVolumeClaims"],
  ["PersistentVolume", "persistentVolumes"],
  ["StorageClass", "storageClasses"],
  ["CSINode", "csiNodes"],
  ["CSIDriver", "csiDrivers"],
  ["CSIStorageCapacity", "csiStorageCapacities"],
  ["VolumeAttachment", "volumeAttachments"],
  ["PodDisruptionBudget", "podDisruptionBudgets"],
  ["ResourceClaim", "resourceClaims"],
  ["ResourceSlice", "resourceSlices"],
  ["DeviceClass", "deviceClasses"],
];

/** Which lister a kind belongs to; undefined for kinds that the scheduler does not read. */
export const listerOf = (kind: string): keyof Listers | undefined => KINDS.find(([k]) => k === kind)?.[1];

const sameKey = (a: KubeObject, b: KubeObject): boolean => a.metadata.name === b.metadata.name && (a.metadata.namespace ?? "") === (b.metadata.namespace ?? "");

/** The listers with the object in its place, or without it; the same ones for kinds that the scheduler does not read. */
export function withObject(listers: Listers, object: KubeObject, deleted = false): Listers {
  const name = listerOf(object.kind);
  if (name === undefined) return listers;
  const list: readonly KubeObject[] = listers[name];
  const at = list.findIndex((o) => sameKey(o, object));
  const changed = deleted ? list.filter((_, i) => i !== at) : at < 0 ? [...list, object] : list.with(at, object);
  return { ...listers, [name]: changed };
}

/** Sorts objects into listers by kind; other kinds are ignored. */
export function listersOf(objects: readonly KubeObject[]): Listers {
  const lists: Record<string, KubeObject[]> = Object.fromEntries(KINDS.map(([, list]) => [list, [] as KubeObject[]]));
  for (const object of objects) {
    const list = listerOf(object.kind);
    if (list !== undefined) lists[list]?.push(object);
  }
  // The API server has validated the objects: a kind implies its fields.
  return { ...lists, pendingClaims: [] } as unknown as Listers;
}

const key = (namespace: string | undefined, name: string | undefined): string => `${namespace ?? ""}/${name ?? ""}`;
const indexes = new WeakMap<readonly KubeObject[], ReadonlyMap<string, KubeObject>>();

/** Gets an object by name from one lister, as client-go's indexers do. Namespace is "" for cluster-scoped kinds. */
export function getFrom<T extends KubeObject>(list: readonly T[], namespace: string, name: string): T | undefined {
  let index = indexes.get(list);
  if (!index) {
    index = new Map(list.map((object) => [key(object.metadata.namespace, object.metadata.name), object]));
    indexes.set(list, index);
  }
  return index.get(key(namespace, name)) as T | undefined;
}

/** The labels of a Namespace; none if it is unknown. */
export const namespaceLabels = (listers: Listers, namespace: string): Readonly<Record<string, string>> =>
  getFrom(listers.namespaces, "", namespace)?.metadata.labels ?? {};
