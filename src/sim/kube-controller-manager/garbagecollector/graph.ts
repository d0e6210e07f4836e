// Models kubernetes/pkg/controller/garbagecollector/{graph,graph_builder}.go: who owns whom, from the caches
import { objectKey } from "../../api/http.ts";
import { EPOCH_SECONDS, parseRfc3339 } from "../../api/time.ts";
import { groupOf } from "../../api/schema/resources.ts";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import type { Indexer, View } from "../caches.ts";
import { infoOfResource, resourceOfKind } from "../resources.ts";

/** Kinds that own or are owned in this simulation. Simplified: upstream monitors every deletable resource, custom ones too; a custom object that is deleted in the foreground or with orphans waits for ever here. */
export const MONITORED = ["pods", "replicasets", "deployments", "statefulsets", "daemonsets", "jobs", "cronjobs", "controllerrevisions", "services", "endpointslices", "configmaps", "secrets", "persistentvolumeclaims", "nodes"] as const;

/** "pods default/nginx": an object in work queue keys. */
export const itemKey = (resource: string, object: KubeObject): string => `${resource} ${objectKey(object)}`;

export function resourceOf(object: KubeObject): string {
  return resourceOfKind(object.kind)?.resource ?? "";
}

export const ownerIndexers: Readonly<Record<string, Indexer>> = Object.fromEntries(
  MONITORED.map((resource) => [resource, { resource, values: (object: KubeObject) => object.metadata.ownerReferences?.map((owner) => owner.uid) ?? [] }]),
);

export function dependentsOf(view: View, uid: string): readonly KubeObject[] {
  return uid === "" ? [] : MONITORED.flatMap((resource) => view.byIndex<KubeObject>(resource, uid));
}

export const hasFinalizer = (object: KubeObject, name: string): boolean => object.metadata.finalizers?.includes(name) ?? false;

/** Waits for its dependents: foreground deletion. */
export const isDeletingDependents = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, "foregroundDeletion");
export const isOrphaning = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, "orphan");

export type OwnerState = "solid" | "dangling" | "waiting";

/** Whether an owner exists, is gone, or waits for its dependents. Kinds that are not monitored, as custom resources are, count as existing. */
export function ownerState(view: View, owner: OwnerReference, namespace: string | undefined): OwnerState {
  const info = resourceOfKind(owner.kind);
  if (!info || groupOf(info.apiVersion) !== groupOf(owner.apiVersion) || !(MONITORED as readonly string[]).includes(info.resource)) return "solid";
  const found = view.get(info.resource, info.namespaced ? `${namespace ?? ""}/${owner.name}` : owner.name);
  if (!found || found.metadata.uid !== owner.uid) return "dangling";
  return isDeletingDependents(found) ? "waiting" : "solid";
}

/** Made in this run. Objects of the settled world are trusted: a pasted cluster may come without its owners. */
export function isNew(object: KubeObject): boolean {
  const at = parseRfc3339(object.metadata.creationTimestamp ?? "");
  return !Number.isNaN(at) && at >= 0 && EPOCH_SECONDS > 0;
}

export const getItem = (view: View, key: string): KubeObject | undefined => {
  const [resource = "", name = ""] = key.split(" ");
  return infoOfResource(resource) ? view.get(resource, name) : undefined;
};
