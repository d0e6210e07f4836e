// Models kubernetes/pkg/controller/garbagecollector/{operations,patch}.go
import type { ApiResource } from "../../api/schema/resources.ts";
import type { ObjectMeta, OwnerReference } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { PARTIAL } from "../../client-go/metadata.ts";
import { mappingOf, type Monitors } from "../monitors.ts";
import { type Identity, ownerIdentity } from "./identity.ts";

/** "no matches" of the RESTMapper: perhaps a kind that is not served yet. */
export const noMapping = ({ apiVersion, kind }: Identity): string => `unable to get REST mapping for ${apiVersion}/${kind}.`;

/** Marks an object that no try can mend: a cluster-scoped one that names a namespaced owner. */
export const CLUSTER_TO_NAMESPACED = "cluster-scoped objects cannot refer to namespaced owners";

const pathOf = (api: ApiResource, { namespace, name }: Identity): string => `${api.group === "" ? "/api" : "/apis"}/${api.apiVersion}/${api.namespaced ? `namespaces/${namespace}/` : ""}${api.resource}/${name}`;

export const subjectOfIdentity = ({ kind, namespace, name }: Identity): string => `${kind.toLowerCase()}/${namespace === "" ? "" : `${namespace}/`}${name}`;

/** A call about one object's metadata, or why it cannot be made. */
export function metadataCall(monitors: Monitors, item: Identity, call: Pick<ApiCall, "method" | "body" | "contentType">): ApiCall | string {
  const api = mappingOf(monitors, item.apiVersion, item.kind);
  if (api === undefined) return noMapping(item);
  if (api.namespaced && item.namespace === "") return CLUSTER_TO_NAMESPACED;
  return { ...call, path: pathOf(api, item), accept: PARTIAL, subject: subjectOfIdentity(item), ...(call.method === "GET" ? { level: "source" as const } : {}) };
}

export const deleteCall = (monitors: Monitors, item: Identity, resourceVersion: string | undefined, propagationPolicy: string): ApiCall | string =>
  metadataCall(monitors, item, { method: "DELETE", body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: item.uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) }, propagationPolicy } });

/** Strategic merge: the references to these owners go, if the object is still the same. */
export const dropOwnersCall = (monitors: Monitors, item: Identity, uids: readonly string[]): ApiCall | string =>
  metadataCall(monitors, item, { method: "PATCH", contentType: "application/strategic-merge-patch+json", body: { metadata: { uid: item.uid, ownerReferences: uids.map((uid) => ({ $patch: "delete", uid })) } } });

/** The same for kinds that know no strategic merge, as custom ones: the whole list as it shall be. */
export function dropOwnersJsonCall(monitors: Monitors, item: Identity, metadata: ObjectMeta, uids: readonly string[]): ApiCall | string {
  const rest = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.includes(uid));
  return metadataCall(monitors, item, { method: "PATCH", contentType: "application/merge-patch+json", body: { metadata: { resourceVersion: metadata.resourceVersion, ownerReferences: rest.length === 0 ? null : rest } } });
}

/** The references of the object hold up their owners no more. */
export const unblockCall = (monitors: Monitors, item: Identity, owners: readonly OwnerReference[]): ApiCall | string =>
  metadataCall(monitors, item, { method: "PATCH", contentType: "application/strategic-merge-patch+json", body: { metadata: { uid: item.uid, ownerReferences: owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map((owner) => ({ ...owner, blockOwnerDeletion: false })) } } });

export const unblockJsonCall = (monitors: Monitors, item: Identity, metadata: ObjectMeta, owners: readonly OwnerReference[]): ApiCall | string =>
  metadataCall(monitors, item, { method: "PATCH", contentType: "application/merge-patch+json", body: { metadata: { resourceVersion: metadata.resourceVersion, ownerReferences: owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })) } } });

export const finalizersCall = (monitors: Monitors, item: Identity, metadata: ObjectMeta, finalizer: string): ApiCall | string => {
  const rest = (metadata.finalizers ?? []).filter((entry) => entry !== finalizer);
  return metadataCall(monitors, item, { method: "PATCH", contentType: "application/merge-patch+json", body: { metadata: { resourceVersion: metadata.resourceVersion, finalizers: rest.length === 0 ? null : rest } } });
};

/** Where an owner would be, seen from its dependent; the mark or text of why that cannot be. */
export function ownerOf(monitors: Monitors, reference: OwnerReference, item: Identity): Identity | string {
  const owner = ownerIdentity(reference, item.namespace);
  const api = mappingOf(monitors, reference.apiVersion, reference.kind);
  if (api === undefined) return noMapping(owner);
  if (api.namespaced && item.namespace === "") return CLUSTER_TO_NAMESPACED;
  return api.namespaced ? owner : { ...owner, namespace: "" };
}

/** What the cache holds of an object's metadata: getMetadata asks it before the server. */
export function cachedMetadata(monitors: Monitors, { apiVersion, kind, namespace, name }: Identity): ObjectMeta | undefined {
  const api = mappingOf(monitors, apiVersion, kind);
  const stream = api && monitors.resources.sorted().find(([, entry]) => entry.apiVersion === api.apiVersion && entry.resource === api.resource)?.[0];
  return stream === undefined ? undefined : monitors.informers.get(stream)?.store.get(namespace === "" ? name : `${namespace}/${name}`)?.metadata;
}
