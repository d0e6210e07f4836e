// Models kubernetes/pkg/controller/statefulset/stateful_set_utils.go: claims of a StatefulSet and who they die with
import type { KubeObject, OwnerReference, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { View } from "../caches.ts";
import { ownerReferenceTo } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { claimName, isCondemned, ordinalOf, type StatefulSet } from "./identity.ts";

type Claims = Pick<View, "get">;

/** A set's claim for a Pod, in the cache. */
export const claimOf = (set: StatefulSet, template: KubeObject, pod: Pod, view: Claims): KubeObject | undefined => view.get<KubeObject>("persistentvolumeclaims", `${set.metadata.namespace ?? ""}/${claimName(template, set, ordinalOf(pod))}`);

export function createClaimCall(set: StatefulSet, template: KubeObject, pod: Pod): ApiCall {
  const namespace = set.metadata.namespace ?? "";
  const name = claimName(template, set, ordinalOf(pod));
  const body: KubeObject = { ...template, apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { ...template.metadata, name, namespace, labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels } } };
  return { method: "POST", path: collectionPath("PersistentVolumeClaim", namespace), body, subject: `persistentvolumeclaim/${namespace}/${name}` };
}

const refersTo = (reference: OwnerReference, owner: KubeObject): boolean => reference.apiVersion === owner.apiVersion && reference.kind === owner.kind && reference.name === owner.metadata.name;
const ownedBy = (references: readonly OwnerReference[], { metadata }: KubeObject): boolean => references.some((reference) => metadata.uid !== undefined && reference.uid === metadata.uid);
/** The owner of that name is another one by now. */
const isStale = (references: readonly OwnerReference[], owner: KubeObject): boolean => {
  const found = references.find((reference) => refersTo(reference, owner));
  return found !== undefined && found.uid !== owner.metadata.uid;
};

const deletes = (set: StatefulSet, when: "whenScaled" | "whenDeleted"): boolean => set.spec.persistentVolumeClaimRetentionPolicy?.[when] === "Delete";

/** Somebody else controls the claim, though the set has a say in when it ends. */
export function hasUnexpectedController(claim: KubeObject, set: StatefulSet, pod: Pod): boolean {
  if (!deletes(set, "whenScaled") && !deletes(set, "whenDeleted")) return false;
  return (claim.metadata.ownerReferences ?? []).some((reference) => {
    const us = [set, pod].find((owner) => refersTo(reference, owner));
    return us === undefined ? reference.controller === true : reference.uid !== us.metadata.uid;
  });
}

/** The owner whose end ends the claim too, by persistentVolumeClaimRetentionPolicy: the Pod once it is scaled away, or the set. */
function wantedOwner(set: StatefulSet, pod: Pod): KubeObject | undefined {
  if (deletes(set, "whenScaled") && isCondemned(set, ordinalOf(pod))) return pod;
  return deletes(set, "whenDeleted") ? set : undefined;
}

/** isClaimOwnerUpToDate: the owners are those that the policy says, or such that the claim is left alone. */
export function isOwnerUpToDate(claim: KubeObject, set: StatefulSet, pod: Pod): boolean {
  const references = claim.metadata.ownerReferences ?? [];
  const mine = [set, pod] as const;
  if (mine.some((owner) => isStale(references, owner))) return true;
  if (hasUnexpectedController(claim, set, pod)) return !mine.some((owner) => ownedBy(references, owner));
  if (references.some((reference) => reference.controller !== true && mine.some((owner) => reference.uid === owner.metadata.uid))) return false;
  const wanted = wantedOwner(set, pod);
  return mine.every((owner) => ownedBy(references, owner) === (owner === wanted));
}

/** The write that gives the claim the owner of the policy, or takes ours from one that somebody else controls. */
export function updateOwnersCall(claim: KubeObject, set: StatefulSet, pod: Pod): ApiCall {
  const { ownerReferences = [], ...metadata } = claim.metadata;
  const others = ownerReferences.filter((reference) => !refersTo(reference, set) && !refersTo(reference, pod));
  const wanted = hasUnexpectedController(claim, set, pod) ? undefined : wantedOwner(set, pod);
  const next = wanted === undefined || others.some((reference) => reference.uid === wanted.metadata.uid) ? others : [...others, ownerReferenceTo(wanted)];
  return { method: "PUT", path: objectPath(claim), body: { ...claim, metadata: { ...metadata, ...(next.length > 0 ? { ownerReferences: next } : {}) } }, subject: subjectOf(claim) };
}

/** PodClaimIsStale: a claim that goes with the Pod that is gone; its successor waits until it is gone too. */
export const hasStaleClaim = (set: StatefulSet, pod: Pod, view: Claims): boolean =>
  deletes(set, "whenScaled") && (set.spec.volumeClaimTemplates ?? []).some((template) => isStale(claimOf(set, template, pod, view)?.metadata.ownerReferences ?? [], pod));
