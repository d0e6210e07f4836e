// Models kubernetes/pkg/controller/garbagecollector/graph.go (objectReference)
import type { OwnerReference } from "../../api/types.ts";

/** Coordinates of an object; the namespace of an owner that nobody has seen is its dependent's. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** "" of a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** As the event OwnerRefInvalidNamespace prints it. */
export const identityText = ({ apiVersion, kind, namespace, name, uid }: Identity): string => `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;

export const ownerIdentity = ({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Identity => ({ apiVersion, kind, namespace, name, uid });

export const sameIdentity = (a: Identity, b: Identity): boolean => a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion && a.namespace === b.namespace;

/** ownerReferenceMatchesCoordinates: all but the namespace, which a reference does not name. */
export const matchesReference = (owner: OwnerReference, { uid, name, kind, apiVersion }: Identity): boolean => owner.uid === uid && owner.name === name && owner.kind === kind && owner.apiVersion === apiVersion;

/** referenceLessThan: kinds first, so that the order is the same for cluster-scoped and namespaced ones. */
export function identityLess(a: Identity, b: Identity): boolean {
  for (const field of ["kind", "apiVersion", "namespace", "name", "uid"] as const) if (a[field] !== b[field]) return a[field] < b[field];
  return false;
}

/** "delete v1 Pod default/web UID": a node of the graph in the work queue of what is to be tried with it. */
export const workKey = (queue: "delete" | "orphan", { apiVersion, kind, namespace, name, uid }: Identity): string => `${queue} ${apiVersion} ${kind} ${namespace}/${name} ${uid}`;

export function identityOfKey(key: string): Identity {
  const [, apiVersion = "", kind = "", place = "", uid = ""] = key.split(" ");
  const slash = place.indexOf("/");
  return { apiVersion, kind, namespace: place.slice(0, slash), name: place.slice(slash + 1), uid };
}
