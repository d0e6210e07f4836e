// Models kubernetes/pkg/scheduler/framework/plugins/volumebinding/{volume_binding,binder}.go
import { value } from "../../api/quantity.ts";
import type { Node, Pod } from "../../api/types.ts";
import { type Cycle, failed, type Plugin, skip, type StateKey, type Status, success, unresolvable } from "../framework.ts";
import { getFrom, type Listers, type PersistentVolume, type PersistentVolumeClaim, type StorageClass } from "../listers.ts";
import { labelsOf, namespaceOf, type NodeInfo } from "../node-info.ts";
import { compileSelector, matchesSelector } from "../selector.ts";
import { findMatchingVolume, isFullyBound, NOT_SUPPORTED_PROVISIONER, ownedByPod, podClaims, requestedStorage, SELECTED_NODE, storageClassOf, volumeReaches } from "../volumes.ts";

interface PodVolumeClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** WaitForFirstConsumer: bound only once the Pod has a node. */
  readonly delayed: readonly PersistentVolumeClaim[];
  readonly immediate: readonly PersistentVolumeClaim[];
}

/** What binding the Pod to one node means for its claims; carried out before the Binding (PreBind). */
export interface PodVolumes {
  readonly staticBindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

const claimsKey: StateKey<PodVolumeClaims> = { name: "VolumeBinding" };
const NOTHING_TO_DO: PodVolumes = { staticBindings: [], provisions: [] };

/** The first thing wrong with the Pod's claims, whatever the node; undefined if none. */
function claimProblem(pod: Pod, listers: Listers): string | undefined {
  for (const { name, ephemeral } of podClaims(pod)) {
    const claim = getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name);
    if (!claim) return ephemeral ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"` : `persistentvolumeclaim "${name}" not found`;
    if (claim.status?.phase === "Lost") return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ""}"`;
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`;
    if (ephemeral && !ownedByPod(pod, claim)) {
      return `PVC ${namespaceOf(pod)}/${name} was not created for pod ${namespaceOf(pod)}/${pod.metadata.name ?? ""} (pod is not owner)`;
    }
  }
  return undefined;
}

function sortClaims(pod: Pod, listers: Listers): PodVolumeClaims | string {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  const immediate: PersistentVolumeClaim[] = [];
  for (const { name } of podClaims(pod)) {
    const claim = getFrom(listers.persistentVolumeClaims, namespaceOf(pod), name);
    if (!claim) continue;
    if (isFullyBound(claim)) {
      bound.push(claim);
      continue;
    }
    const className = storageClassOf(claim);
    const storageClass = className === "" ? undefined : getFrom(listers.storageClasses, "", className);
    if (className !== "" && storageClass && !storageClass.volumeBindingMode) return `VolumeBindingMode not set for StorageClass "${className}"`;
    const waits = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
    (waits && !claim.spec.volumeName ? delayed : immediate).push(claim);
  }
  return { bound, delayed, immediate };
}

const topologyAllows = ({ allowedTopologies }: StorageClass, node: Node): boolean => {
  if (!allowedTopologies || allowedTopologies.length === 0) return true;
  const labels = labelsOf(node);
  return allowedTopologies.some((term) => (term.matchLabelExpressions ?? []).every((e) => e.values.includes(labels[e.key] ?? "")));
};

/** Drivers that publish their capacity must have a segment reachable from the node with room for the claim. */
function hasCapacity(listers: Listers, storageClass: StorageClass, claim: PersistentVolumeClaim, node: Node): boolean {
  if (claim.spec.resources?.requests?.["storage"] === undefined) return true;
  if (!getFrom(listers.csiDrivers, "", storageClass.provisioner ?? "")?.spec.storageCapacity) return true;
  return listers.csiStorageCapacities.some((c) => {
    const limit = c.maximumVolumeSize ?? c.capacity;
    return c.storageClassName === storageClass.metadata.name && limit !== undefined && value(limit) >= requestedStorage(claim) && matchesSelector(compileSelector(c.nodeTopology), labelsOf(node));
  });
}

type Verdict = { readonly reasons: readonly string[]; readonly volumes: PodVolumes; readonly error?: string };

/** FindPodVolumes: can all claims of the Pod be met on this node, and how? */
function findPodVolumes({ snapshot, state }: Cycle, { node, name }: NodeInfo): Verdict {
  const { listers } = snapshot;
  const claims = state.read(claimsKey) ?? { bound: [], delayed: [], immediate: [] };
  const reasons: string[] = [];
  const volumes = claims.bound.map((claim) => getFrom(listers.persistentVolumes, "", claim.spec.volumeName ?? ""));
  // Upstream stops at the first claim that fails, so only one of the two reasons is given.
  const at = volumes.findIndex((v) => !v || !volumeReaches(v, node));
  const missing = at >= 0 && volumes[at] === undefined;
  if (at >= 0 && !missing) reasons.push("node(s) didn't match PersistentVolume's node affinity");
  const delayed = bindDelayed(listers, claims.delayed, node, name);
  if (!delayed.satisfied) reasons.push("node(s) didn't find available persistent volumes to bind");
  if (!delayed.sufficient) reasons.push("node(s) did not have enough free storage");
  if (missing) reasons.push("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
  return { reasons, volumes: delayed.volumes, ...(delayed.error === undefined ? {} : { error: delayed.error }) };
}

interface Delayed {
  readonly satisfied: boolean;
  readonly sufficient: boolean;
  readonly volumes: PodVolumes;
  readonly error?: string;
}

function bindDelayed(listers: Listers, claims: readonly PersistentVolumeClaim[], node: Node, name: string): Delayed {
  const no = (satisfied: boolean, sufficient: boolean, error?: string): Delayed => ({ satisfied, sufficient, volumes: NOTHING_TO_DO, ...(error === undefined ? {} : { error }) });
  const selectedNode = (claim: PersistentVolumeClaim): string | undefined => claim.metadata.annotations?.[SELECTED_NODE];
  if (claims.some((claim) => (selectedNode(claim) ?? name) !== name)) return no(false, true);
  const provisions = claims.filter((claim) => selectedNode(claim) !== undefined);
  const staticBindings: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
  const bySize = claims.filter((claim) => selectedNode(claim) === undefined).toSorted((a, b) => requestedStorage(a) - requestedStorage(b));
  const taken = new Set<string>();
  for (const claim of bySize) {
    const volume = findMatchingVolume(claim, listers.persistentVolumes.filter((v) => storageClassOf(v) === storageClassOf(claim)), node, taken);
    if (volume) {
      taken.add(volume.metadata.name ?? "");
      staticBindings.push({ claim, volume });
    } else provisions.push(claim);
  }
  for (const claim of provisions) {
    const storageClass = getFrom(listers.storageClasses, "", storageClassOf(claim));
    if (!storageClass) return no(false, false, `failed to find storage class "${storageClassOf(claim)}"`);
    if (!storageClass.provisioner || storageClass.provisioner === NOT_SUPPORTED_PROVISIONER || !topologyAllows(storageClass, node)) return no(false, true);
    if (!hasCapacity(listers, storageClass, claim, node)) return no(true, false);
  }
  return { satisfied: true, sufficient: true, volumes: { staticBindings, provisions } };
}

/** What PreBind has to do before the Pod may be bound to the node: PVs to claim and claims to annotate. */
export const podVolumesOn = (cycle: Cycle, node: NodeInfo): PodVolumes => findPodVolumes(cycle, node).volumes;

/** Claims decide: bound volumes pin the Pod to where they are; delayed ones are found or provisioned where the Pod goes. */
export const volumeBinding = {
  name: "VolumeBinding",
  also: ["score", "reserve", "preBind"],

  preFilter({ pod, snapshot, state }) {
    const problem = claimProblem(pod, snapshot.listers);
    if (problem !== undefined) return { status: unresolvable(problem) };
    if (podClaims(pod).length === 0) return { status: skip };
    const claims = sortClaims(pod, snapshot.listers);
    if (typeof claims === "string") return { status: failed(claims) };
    if (claims.immediate.length > 0) return { status: unresolvable("pod has unbound immediate PersistentVolumeClaims") };
    state.write(claimsKey, claims);
    return { status: success };
  },

  filter(cycle, node): Status {
    const { reasons, error } = findPodVolumes(cycle, node);
    if (error !== undefined) return failed(error);
    return reasons.length > 0 ? unresolvable(...reasons) : success;
  },

  // Scoring by storage capacity is behind an alpha gate.
  preScore: () => skip,
} satisfies Plugin;
