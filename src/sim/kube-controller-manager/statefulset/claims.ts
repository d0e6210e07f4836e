// Models kubernetes/pkg/controller/statefulset/stateful_set_utils.go: claims of a StatefulSet and who they die with
import type { KubeObject, OwnerReference, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { View } from "../caches.ts";
import { ownerReferenceTo } from "../pods.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { claimName, isCondemned, ordinalOf, type StatefulSet } from "./identity.ts";

const claimOf = (set: StatefulSet, template: KubeObject, ordinal: number, view: View): KubeObject | undefined => view.get<KubeObject>("persistentvolumeclaims", `${set.metadata.namespace ?? ""}/${claimName(template, set, ordinal)}`);

/** Creations of an ordinal's claims that are not there yet. */
export function missingClaims(set: StatefulSet, ordinal: number, view: View): readonly { readonly name: string; readonly call: ApiCall }[] {
  const namespace = set.metadata.namespace ?? "";
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template) => {
    if (claimOf(set, template, ordinal, view)) return [];
    const name = claimName(template, set, ordinal);
    const body: KubeObject = { ...template, apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { ...template.metadata, name, namespace, labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels } } };
    return [{ name, call: { method: "POST", path: collectionPath("PersistentVolumeClaim", namespace), body, subject: `persistentvolumeclaim/${namespace}/${name}` } }];
  });
}

/** The owner whose end ends the claim too, by persistentVolumeClaimRetentionPolicy: the Pod once it is scaled away, or the set. */
export function claimOwner(set: StatefulSet, pod: Pod): KubeObject | undefined {
  const { whenScaled, whenDeleted } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const scaledAway = isCondemned(set, ordinalOf(set, pod));
  if (whenScaled === "Delete" && scaledAway) return pod;
  return whenDeleted === "Delete" && !(whenScaled === "Delete" && scaledAway) ? set : undefined;
}

function withOwner(references: readonly OwnerReference[], set: StatefulSet, pod: Pod): readonly OwnerReference[] {
  const others = references.filter((reference) => reference.uid !== set.metadata.uid && reference.uid !== pod.metadata.uid);
  const owner = others.some((reference) => reference.controller === true) ? undefined : claimOwner(set, pod);
  return owner ? [...others, ownerReferenceTo(owner)] : others;
}

/** References to a set or Pod of that name that is another one by now: such a claim is left alone. */
const isStale = (references: readonly OwnerReference[], ...owners: readonly KubeObject[]): boolean => references.some((reference) => owners.some((owner) => reference.kind === owner.kind && reference.name === owner.metadata.name && reference.uid !== owner.metadata.uid));

/** Updates of a Pod's claims whose owner is not the one that the policy says. */
export function claimOwnerCalls(set: StatefulSet, pod: Pod, view: View): readonly ApiCall[] {
  const calls: ApiCall[] = [];
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const claim = claimOf(set, template, ordinalOf(set, pod), view);
    const old = claim?.metadata.ownerReferences ?? [];
    if (!claim || claim.metadata.deletionTimestamp !== undefined || isStale(old, set, pod)) continue;
    const next = withOwner(old, set, pod);
    if (next.length === old.length && next.every((reference) => old.some((entry) => entry.uid === reference.uid))) continue;
    const { ownerReferences: _old, ...metadata } = claim.metadata;
    calls.push({ method: "PUT", path: objectPath(claim), body: { ...claim, metadata: { ...metadata, ...(next.length > 0 ? { ownerReferences: next } : {}) } }, subject: subjectOf(claim) });
  }
  return calls;
}
