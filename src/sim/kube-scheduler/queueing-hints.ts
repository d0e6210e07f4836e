// Models kubernetes/pkg/scheduler/framework/events.go and the plugins' EventsToRegister and QueueingHintFns
import type { ResourceClaim } from "../api/resource-claims.ts";
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { translated } from "./csi-translation.ts";
import { deepEqual } from "./deep-equal.ts";
import type { SchedulerArgs } from "./args.ts";
import { value } from "../api/quantity.ts";
import { tolerates } from "../api/tolerations.ts";
import { type CSIDriver, type CSINode, type CSIStorageCapacity, type Listers, type PersistentVolume, type PersistentVolumeClaim, type StorageClass, type VolumeAttachment } from "./listers.ts";
import { type AffinityTerm, labelsOf, namespaceOf, nodeInfoOf, type PodInfo, podInfoOf, podKey, termMatches } from "./node-info.ts";
import { amount } from "./pod-requests.ts";
import { nodeTermsMatch, requiredNodeAffinityMatches } from "./node-selector.ts";
import { portsClash } from "./plugins/node-ports.ts";
import { insufficientResources } from "./plugins/node-resources-fit.ts";
import { hasAttachable } from "./plugins/node-volume-limits.ts";
import { claimsOf } from "./plugins/dynamic-resources.ts";
import { requiredFeatures } from "./plugins/node-declared-features.ts";
import { UNSCHEDULABLE_TAINT } from "./plugins/node-unschedulable.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";
import { claimNames, disksConflict } from "./plugins/volume-restrictions.ts";
import { topologiesOf } from "./plugins/volume-zone.ts";
import { matchesSelector } from "./selector.ts";
import { constraintsOf, hasAllKeys } from "./topology-spread.ts";
import { podClaims } from "./volumes.ts";

/** Something happened that may make a rejected Pod schedulable. Pods are "assigned" or the waiting Pod itself ("own"). */
export interface ClusterEvent {
  readonly resource: "AssignedPod" | "OwnPod" | "ForceActivate" | "Node" | "PersistentVolumeClaim" | "PersistentVolume" | "StorageClass" | "CSINode" | "CSIDriver" | "CSIStorageCapacity" | "VolumeAttachment" | "ResourceClaim" | "ResourceSlice" | "DeviceClass";
  readonly change: "add" | "update" | "delete";
  readonly object: KubeObject;
  readonly old?: KubeObject;
}

/** isFit asks without the profile's ignored resources. */
const NOTHING_IGNORED = { ignoredResources: [], ignoredResourceGroups: [] } as const;

type Hint = (pod: Pod, event: ClusterEvent, listers: Listers, args: SchedulerArgs) => boolean;

const asPod = (object: KubeObject): Pod => object as Pod;
const asNode = (object: KubeObject): Node => object as Node;

const isNode = (e: ClusterEvent, ...changes: readonly ClusterEvent["change"][]): boolean => e.resource === "Node" && changes.includes(e.change);
const labelsChanged = (e: ClusterEvent): boolean => !deepEqual(e.old?.metadata.labels, e.object.metadata.labels);
const taintsChanged = (e: ClusterEvent): boolean => e.old !== undefined && !deepEqual(asNode(e.old).spec?.taints, asNode(e.object).spec?.taints);
/** The waiting Pod's own change; that of another one in flight is none of its business. */
const isOwn = (pod: Pod, e: ClusterEvent): e is ClusterEvent & { readonly old: KubeObject } => e.resource === "OwnPod" && e.old !== undefined && podKey(asPod(e.object)) === podKey(pod);
/** UpdatePodToleration: tolerations can only be added, so that their number tells. */
const ownTolerations = (pod: Pod, e: ClusterEvent): boolean => isOwn(pod, e) && (asPod(e.old).spec.tolerations ?? []).length !== (asPod(e.object).spec.tolerations ?? []).length;

/** A filter that looks at nothing but the node: does it pass now, and did it not before? */
const nodeNowPasses = (passes: (node: Node) => boolean, e: ClusterEvent): boolean => isNode(e, "add", "update") && passes(asNode(e.object)) && (e.old === undefined || !passes(asNode(e.old)));

const bareCycle = (pod: Pod) => ({ pod }) as Parameters<typeof taintToleration.filter>[0];
const passesTaints = (pod: Pod, node: Node): boolean => taintToleration.filter(bareCycle(pod), nodeInfoOf(node, [])).code === "Success";
const toleratesCordon = (pod: Pod): boolean => tolerates(pod.spec.tolerations ?? [], UNSCHEDULABLE_TAINT);
const uncordoned = (e: ClusterEvent): boolean => isNode(e, "add", "update") && !asNode(e.object).spec?.unschedulable && (e.old === undefined || asNode(e.old).spec?.unschedulable === true);

const gatesOf = (pod: KubeObject): number => (asPod(pod).spec.schedulingGates ?? []).length;
/** A Pod that takes room: an event about one that has no node, and was promised none, helps nobody. */
const holdsRoom = (e: ClusterEvent): boolean => Boolean(asPod(e.object).spec.nodeName || asPod(e.object).status?.nominatedNodeName);

function fitsSooner(pod: Pod, e: ClusterEvent): boolean {
  if (e.resource === "AssignedPod") return (e.change === "delete" && holdsRoom(e)) || (e.change === "update" && scaledDown(pod, e));
  if (e.resource === "OwnPod") return isOwn(pod, e) && asksLess(asPod(e.old), asPod(e.object));
  if (!isNode(e, "add", "update")) return false;
  const after = nodeInfoOf(asNode(e.object), []);
  const { requests } = podInfoOf(pod);
  if (insufficientResources(requests, after, NOTHING_IGNORED).length > 0) return false;
  if (e.old === undefined) return true;
  const before = nodeInfoOf(asNode(e.old), []);
  return ["pods", ...Object.keys(requests).filter((name) => amount(requests, name) > 0)].some((name) => amount(after.allocatable, name) > amount(before.allocatable, name));
}

/** UpdatePodScaleDown: some request became smaller. */
function asksLess(old: Pod, pod: Pod, names?: readonly string[]): boolean {
  const [before, after] = [podInfoOf(old).requests, podInfoOf(pod).requests];
  return (names ?? Object.keys(before)).some((name) => amount(before, name) > amount(after, name));
}

function scaledDown(pod: Pod, e: ClusterEvent): boolean {
  const wanted = podInfoOf(pod).requests;
  return e.old !== undefined && asksLess(asPod(e.old), asPod(e.object), Object.keys(wanted).filter((name) => amount(wanted, name) > 0));
}

function affineNow(pod: Pod, e: ClusterEvent, { addedAffinity }: SchedulerArgs): boolean {
  const added = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (added && isNode(e, "add", "update") && !nodeTermsMatch(added, asNode(e.object))) return false;
  return nodeNowPasses((node) => requiredNodeAffinityMatches(pod, node), e);
}

function spreadsSooner(pod: Pod, e: ClusterEvent, listers: Listers, args: SchedulerArgs): boolean {
  const constraints = constraintsOf(pod, listers, "DoNotSchedule", args);
  if (e.resource === "Node") {
    const [was, is] = [e.old !== undefined && hasAllKeys(asNode(e.old), constraints), hasAllKeys(asNode(e.object), constraints)];
    if (e.change !== "update") return is;
    return was !== is || (is && (taintsChanged(e) || constraints.some((c) => e.old !== undefined && labelsOf(e.old)[c.topologyKey] !== labelsOf(e.object)[c.topologyKey])));
  }
  const matchingDiffers = (old: KubeObject): boolean => constraints.some((c) => matchesSelector(c.selector, labelsOf(old)) !== matchesSelector(c.selector, labelsOf(e.object)));
  if (e.resource === "OwnPod") return isOwn(pod, e) && (matchingDiffers(e.old) || (ownTolerations(pod, e) && constraints.some((c) => c.honorTaints)));
  if (e.resource !== "AssignedPod" || !holdsRoom(e) || namespaceOf(asPod(e.object)) !== namespaceOf(pod)) return false;
  return e.change === "update" ? e.old !== undefined && matchingDiffers(e.old) : constraints.some((c) => matchesSelector(c.selector, labelsOf(e.object)));
}

/** Does any of the terms' topology labels come, go or change its value in the way that may help? */
function topologyHelps(terms: readonly AffinityTerm[], e: ClusterEvent, helps: (was: string | undefined, is: string | undefined) => boolean): boolean {
  const was = e.old === undefined ? undefined : labelsOf(e.old);
  return terms.some((t) => helps(was?.[t.topologyKey], labelsOf(e.object)[t.topologyKey]));
}

function affinitySoonerByNode(info: PodInfo, e: ClusterEvent): boolean {
  if (!isNode(e, "add", "update")) return false;
  const added = e.old === undefined;
  // A node without the key can take any Pod with anti-affinity, but none with affinity.
  if (topologyHelps(info.requiredAffinity, e, (was, is) => is !== undefined && was !== is)) return true;
  return topologyHelps(info.requiredAntiAffinity, e, (was, is) => added || (was !== undefined && was !== is));
}

function affinitySooner(pod: Pod, e: ClusterEvent): boolean {
  const info = podInfoOf(pod);
  if (e.resource === "Node") return affinitySoonerByNode(info, e);
  if (e.resource !== "AssignedPod") return isOwn(pod, e) && labelsChanged(e);
  if (!holdsRoom(e)) return false;
  // One Pod must satisfy all the terms; no terms match nothing. Hints do not look up the labels of namespaces.
  const all = (terms: readonly AffinityTerm[], p: Pod): boolean => terms.length > 0 && terms.every((t) => termMatches(t, p, {}));
  const other = asPod(e.object);
  if (e.change === "add") return all(info.requiredAffinity, other);
  if (e.change === "delete") return all(info.requiredAntiAffinity, other) || all(podInfoOf(other).requiredAntiAffinity, pod);
  if (e.old === undefined || !labelsChanged(e)) return false;
  const old = asPod(e.old);
  return (!all(info.requiredAffinity, old) && all(info.requiredAffinity, other)) || (all(info.requiredAntiAffinity, old) && !all(info.requiredAntiAffinity, other));
}

const claimOfPod = (pod: Pod, claim: PersistentVolumeClaim, withEphemeral = true): boolean =>
  (claim.metadata.namespace ?? "") === namespaceOf(pod) && podClaims(pod).some((c) => c.name === claim.metadata.name && (withEphemeral || !c.ephemeral));

const MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins";
const limitOf = (c: CSIStorageCapacity): number | undefined => {
  const limit = c.maximumVolumeSize ?? c.capacity;
  return limit === undefined ? undefined : value(limit);
};

function bindsSooner(pod: Pod, e: ClusterEvent): boolean {
  if (e.change === "delete") return false;
  switch (e.resource) {
    case "PersistentVolumeClaim":
      return claimOfPod(pod, e.object as PersistentVolumeClaim);
    case "Node":
      return e.change === "add" || labelsChanged(e);
    case "PersistentVolume":
      return true;
    case "StorageClass":
      return e.old === undefined || !deepEqual((e.old as StorageClass).allowedTopologies, (e.object as StorageClass).allowedTopologies);
    case "CSINode":
      return e.old === undefined || e.old.metadata.annotations?.[MIGRATED] !== e.object.metadata.annotations?.[MIGRATED];
    case "CSIDriver":
      return e.old !== undefined && (pod.spec.volumes ?? []).some((v) => v.csi?.driver === e.object.metadata.name) && Boolean((e.old as CSIDriver).spec.storageCapacity) && !(e.object as CSIDriver).spec.storageCapacity;
    case "CSIStorageCapacity": {
      const limit = limitOf(e.object as CSIStorageCapacity);
      const before = e.old && limitOf(e.old as CSIStorageCapacity);
      return e.old === undefined || (limit !== undefined && (before === undefined || limit > before));
    }
    default:
      return false;
  }
}

function zonedSooner(pod: Pod, e: ClusterEvent): boolean {
  switch (e.resource) {
    case "StorageClass":
      return e.change === "add" && (e.object as StorageClass).volumeBindingMode === "WaitForFirstConsumer";
    case "Node":
      return e.change === "add" || (e.change === "update" && labelsChanged(e));
    case "PersistentVolumeClaim":
      return e.change !== "delete" && claimOfPod(pod, e.object as PersistentVolumeClaim, false);
    case "PersistentVolume":
      return e.change !== "delete" && (e.old === undefined || !deepEqual(topologiesOf(e.old as PersistentVolume), topologiesOf(e.object as PersistentVolume)));
    default:
      return false;
  }
}

/** The name of a volume's driver is the same on every node. */
const ANY_CSI_NODE: CSINode = { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: {}, spec: {} };

function attachesSooner(pod: Pod, e: ClusterEvent): boolean {
  if (e.resource === "AssignedPod") return e.change === "delete" && holdsRoom(e) && hasAttachable(asPod(e.object));
  if (e.resource === "VolumeAttachment") return e.change === "delete" && ((pod.spec.volumes ?? []).some((v) => v.persistentVolumeClaim || translated(v, ANY_CSI_NODE)?.driver === (e.object as VolumeAttachment).spec.attacher));
  if (e.resource === "PersistentVolumeClaim") return e.change === "add" && claimOfPod(pod, e.object as PersistentVolumeClaim);
  if (e.resource !== "CSINode" || e.change === "delete") return false;
  const limits = (node: KubeObject | undefined): ReadonlyMap<string, number> => new Map(((node as CSINode | undefined)?.spec.drivers ?? []).map((d) => [d.name, d.allocatable?.count ?? 0]));
  const before = limits(e.old);
  return e.old === undefined || [...limits(e.object)].some(([driver, count]) => count > (before.get(driver) ?? 0));
}

/** The deleted Pod used a disk or a claim of this one. */
function disksFree(pod: Pod, e: ClusterEvent): boolean {
  if (isNode(e, "add")) return true;
  if (e.resource === "PersistentVolumeClaim") return e.change === "add" && claimOfPod(pod, e.object as PersistentVolumeClaim, false);
  if (e.resource !== "AssignedPod" || e.change !== "delete" || namespaceOf(asPod(e.object)) !== namespaceOf(pod)) return false;
  const claims = claimNames(pod);
  return disksConflict(pod, asPod(e.object)) || claimNames(asPod(e.object)).some((name) => claims.includes(name));
}

const portsFree = (pod: Pod, e: ClusterEvent): boolean => isNode(e, "add") || (e.resource === "AssignedPod" && e.change === "delete" && holdsRoom(e) && portsClash(pod, asPod(e.object)));

/** The events that DynamicResources registers for, whatever it makes of them. */
function concernsDevices(e: ClusterEvent): boolean {
  if (e.resource === "OwnPod") return e.old !== undefined && !deepEqual(asPod(e.old).status?.resourceClaimStatuses, asPod(e.object).status?.resourceClaimStatuses);
  if (e.change === "delete") return false;
  if (e.resource === "Node") return e.change === "add" || labelsChanged(e) || !deepEqual(asNode(e.old ?? e.object).status?.allocatable, asNode(e.object).status?.allocatable);
  return e.resource === "ResourceClaim" || e.resource === "ResourceSlice" || e.resource === "DeviceClass";
}

/** A claim of the Pod is there, or its status is another; or any claim gave its devices back. */
function devicesSooner(pod: Pod, e: ClusterEvent, listers: Listers): boolean {
  if (!concernsDevices(e)) return false;
  if (e.resource === "OwnPod") return isOwn(pod, e) && typeof claimsOf(asPod(e.object), listers) !== "string";
  if (e.resource !== "ResourceClaim") return true;
  const claims = claimsOf(pod, listers);
  if (typeof claims === "string") return false;
  const [before, after] = [(e.old as ResourceClaim | undefined)?.status, (e.object as ResourceClaim).status];
  if (before?.allocation && !after?.allocation) return true;
  return claims.some((claim) => claim.metadata.uid === e.object.metadata.uid) && (e.old === undefined || !deepEqual(before ?? {}, after ?? {}));
}

/** Which events a plugin that rejected a Pod wants to be told of, and whether this one helps. */
const HINTS: Readonly<Record<string, Hint>> = {
  SchedulingGates: (pod, e) => isOwn(pod, e) && gatesOf(e.old) > 0 && gatesOf(e.object) === 0,
  NodeUnschedulable: (pod, e) => (ownTolerations(pod, e) && toleratesCordon(asPod(e.object))) || uncordoned(e),
  NodeName: (_pod, e) => isNode(e, "add"),
  TaintToleration: (pod, e) => ownTolerations(pod, e) || nodeNowPasses((node) => passesTaints(pod, node), e),
  NodeAffinity: (pod, e, _listers, args) => affineNow(pod, e, args),
  NodePorts: portsFree,
  NodeResourcesFit: (pod, e) => fitsSooner(pod, e),
  VolumeRestrictions: disksFree,
  NodeVolumeLimits: attachesSooner,
  VolumeBinding: bindsSooner,
  VolumeZone: zonedSooner,
  PodTopologySpread: spreadsSooner,
  InterPodAffinity: affinitySooner,
  DynamicResources: devicesSooner,
  NodeDeclaredFeatures: (pod, e) => (isOwn(pod, e) && !deepEqual(requiredFeatures(asPod(e.old)), requiredFeatures(asPod(e.object)))) || (isNode(e, "add", "update") && (e.old === undefined || !deepEqual(asNode(e.old).status?.declaredFeatures, asNode(e.object).status?.declaredFeatures))),
};

/** GatingPluginEvents: a gated Pod is looked at only for what the plugin that gates it asked for. */
const GATE_EVENTS: Readonly<Record<string, (e: ClusterEvent) => boolean>> = {
  DynamicResources: concernsDevices,
  DefaultPreemption: (e) => e.resource === "AssignedPod" && e.change === "delete",
};

export const isOfInterestToGate = (plugin: string, event: ClusterEvent): boolean => GATE_EVENTS[plugin]?.(event) ?? false;

/**
 * isPodWorthRequeuing: is the event of use to a Pod that these plugins rejected? A Pod that no plugin rejected (an error)
 * is always worth another try.
 */
export function isWorthRequeuing(pod: Pod, plugins: readonly string[], event: ClusterEvent, listers: Listers, args: SchedulerArgs): boolean {
  if (plugins.length === 0) return true;
  if (event.resource === "ForceActivate") return podKey(asPod(event.object)) === podKey(pod);
  return plugins.some((name) => HINTS[name]?.(pod, event, listers, args) ?? false);
}
