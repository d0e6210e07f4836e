// Models kubernetes/pkg/scheduler/framework/events.go and the plugins' EventsToRegister and QueueingHintFns
import type { KubeObject, Node, Pod } from "../api/types.ts";
import { deepEqual } from "./deep-equal.ts";
import type { SchedulerArgs } from "./args.ts";
import { type Listers, namespaceLabels, type PersistentVolumeClaim } from "./listers.ts";
import { labelsOf, namespaceOf, nodeInfoOf, podInfoOf, podKey, termMatches } from "./node-info.ts";
import { amount } from "./pod-requests.ts";
import { requiredNodeAffinityMatches } from "./node-selector.ts";
import { hostPortsOf } from "./plugins/node-ports.ts";
import { insufficientResources } from "./plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";
import { matchesSelector } from "./selector.ts";
import { constraintsOf, hasAllKeys } from "./topology-spread.ts";
import { podClaims } from "./volumes.ts";

/** Something happened that may make a rejected Pod schedulable. Pods are "assigned" or the waiting Pod itself ("own"). */
export interface ClusterEvent {
  readonly resource: "AssignedPod" | "OwnPod" | "Node" | "PersistentVolumeClaim" | "PersistentVolume" | "StorageClass" | "CSINode" | "CSIDriver" | "CSIStorageCapacity";
  readonly change: "add" | "update" | "delete";
  readonly object: KubeObject;
  readonly old?: KubeObject;
}

type Hint = (pod: Pod, event: ClusterEvent, listers: Listers, args: SchedulerArgs) => boolean;

const asPod = (object: KubeObject): Pod => object as Pod;
const asNode = (object: KubeObject): Node => object as Node;

const isNode = (e: ClusterEvent, ...changes: readonly ClusterEvent["change"][]): boolean => e.resource === "Node" && changes.includes(e.change);
const labelsChanged = (e: ClusterEvent): boolean => !deepEqual(e.old?.metadata.labels, e.object.metadata.labels);
const taintsChanged = (e: ClusterEvent): boolean => e.old !== undefined && !deepEqual(asNode(e.old).spec?.taints, asNode(e.object).spec?.taints);
const ownTolerations = (pod: Pod, e: ClusterEvent): boolean =>
  e.resource === "OwnPod" && podKey(asPod(e.object)) === podKey(pod) && e.old !== undefined && !deepEqual(asPod(e.old).spec.tolerations, asPod(e.object).spec.tolerations);

/** A filter that looks at nothing but the node: does it pass now, and did it not before? */
const nodeNowPasses = (passes: (node: Node) => boolean, e: ClusterEvent): boolean => isNode(e, "add", "update") && passes(asNode(e.object)) && (e.old === undefined || !passes(asNode(e.old)));

const bareCycle = (pod: Pod) => ({ pod }) as Parameters<typeof taintToleration.filter>[0];
const passesTaints = (pod: Pod, node: Node): boolean => taintToleration.filter(bareCycle(pod), nodeInfoOf(node, [])).code === "Success";
const passesUnschedulable = (pod: Pod, node: Node): boolean => nodeUnschedulable.filter(bareCycle(pod), nodeInfoOf(node, [])).code === "Success";

function fitsSooner(pod: Pod, e: ClusterEvent, args: SchedulerArgs): boolean {
  if (e.resource === "AssignedPod") return e.change === "delete" || (e.change === "update" && scaledDown(pod, e));
  if (e.resource === "OwnPod") return e.old !== undefined && scaledDown(pod, e);
  if (!isNode(e, "add", "update")) return false;
  const after = nodeInfoOf(asNode(e.object), []);
  const { requests } = podInfoOf(pod);
  if (insufficientResources(requests, after, args).length > 0) return false;
  if (e.old === undefined) return true;
  const before = nodeInfoOf(asNode(e.old), []);
  return ["pods", ...Object.keys(requests).filter((name) => amount(requests, name) > 0)].some((name) => amount(after.allocatable, name) > amount(before.allocatable, name));
}

function scaledDown(pod: Pod, e: ClusterEvent): boolean {
  if (e.old === undefined) return false;
  const [before, after] = [podInfoOf(asPod(e.old)).requests, podInfoOf(asPod(e.object)).requests];
  const wanted = e.resource === "OwnPod" ? before : podInfoOf(pod).requests;
  return Object.keys(wanted).some((name) => amount(wanted, name) > 0 && amount(before, name) > amount(after, name));
}

function spreadsSooner(pod: Pod, e: ClusterEvent, listers: Listers, args: SchedulerArgs): boolean {
  const constraints = constraintsOf(pod, listers, "DoNotSchedule", args);
  if (e.resource === "Node") {
    const [was, is] = [e.old !== undefined && hasAllKeys(asNode(e.old), constraints), hasAllKeys(asNode(e.object), constraints)];
    if (e.change !== "update") return is;
    return was !== is || (is && (taintsChanged(e) || constraints.some((c) => e.old !== undefined && labelsOf(e.old)[c.topologyKey] !== labelsOf(e.object)[c.topologyKey])));
  }
  if (e.resource === "OwnPod") return (e.old !== undefined && labelsChanged(e)) || (ownTolerations(pod, e) && constraints.some((c) => c.honorTaints));
  if (e.resource !== "AssignedPod" || namespaceOf(asPod(e.object)) !== namespaceOf(pod)) return false;
  const matching = (o: KubeObject): boolean => constraints.some((c) => matchesSelector(c.selector, labelsOf(o)));
  if (e.change === "update") return e.old !== undefined && matching(e.old) !== matching(e.object);
  return matching(e.object);
}

function affinitySooner(pod: Pod, e: ClusterEvent, listers: Listers): boolean {
  const info = podInfoOf(pod);
  if (e.resource === "Node") return e.change === "add" || (e.change === "update" && labelsChanged(e));
  if (e.resource !== "AssignedPod") return e.resource === "OwnPod" && e.old !== undefined && labelsChanged(e);
  const other = asPod(e.object);
  const matches = (p: Pod): boolean => info.requiredAffinity.some((t) => termMatches(t, p, namespaceLabels(listers, namespaceOf(p))));
  const repels = (p: Pod): boolean =>
    info.requiredAntiAffinity.some((t) => termMatches(t, p, namespaceLabels(listers, namespaceOf(p)))) ||
    podInfoOf(p).requiredAntiAffinity.some((t) => termMatches(t, pod, namespaceLabels(listers, namespaceOf(pod))));
  if (e.change === "add") return matches(other);
  if (e.change === "delete") return repels(other);
  const old = e.old === undefined ? other : asPod(e.old);
  return matches(old) !== matches(other) || (repels(old) && !repels(other));
}

const claimOfPod = (pod: Pod, claim: PersistentVolumeClaim): boolean => (claim.metadata.namespace ?? "") === namespaceOf(pod) && podClaims(pod).some((c) => c.name === claim.metadata.name);

function volumesSooner(pod: Pod, e: ClusterEvent): boolean {
  if (e.change === "delete") return false;
  switch (e.resource) {
    case "PersistentVolumeClaim":
      return claimOfPod(pod, e.object as PersistentVolumeClaim);
    case "Node":
      return e.change === "add" || labelsChanged(e);
    case "PersistentVolume":
    case "CSIStorageCapacity":
      return true;
    case "StorageClass":
    case "CSINode":
    case "CSIDriver":
      return e.old === undefined || !deepEqual((e.old as { allowedTopologies?: unknown }).allowedTopologies, (e.object as { allowedTopologies?: unknown }).allowedTopologies);
    default:
      return false;
  }
}

/** Which events a plugin that rejected a Pod wants to be told of, and whether this one helps. */
const HINTS: Readonly<Record<string, Hint>> = {
  NodeUnschedulable: (pod, e) => ownTolerations(pod, e) || nodeNowPasses((node) => passesUnschedulable(pod, node), e),
  NodeName: (_pod, e) => isNode(e, "add"),
  TaintToleration: (pod, e) => ownTolerations(pod, e) || nodeNowPasses((node) => passesTaints(pod, node), e),
  NodeAffinity: (pod, e) => nodeNowPasses((node) => requiredNodeAffinityMatches(pod, node), e),
  NodePorts: (pod, e) => isNode(e, "add") || (e.resource === "AssignedPod" && e.change === "delete" && hostPortsOf(asPod(e.object)).some((used) => hostPortsOf(pod).some((p) => p.port === used.port && p.protocol === used.protocol))),
  NodeResourcesFit: (pod, e, _listers, args) => fitsSooner(pod, e, args),
  VolumeRestrictions: (pod, e) => isNode(e, "add") || (e.resource === "AssignedPod" && e.change === "delete" && namespaceOf(asPod(e.object)) === namespaceOf(pod)) || (e.resource === "PersistentVolumeClaim" && e.change === "add" && claimOfPod(pod, e.object as PersistentVolumeClaim)),
  NodeVolumeLimits: (pod, e) => (e.resource === "CSINode" && e.change !== "delete") || (e.resource === "AssignedPod" && e.change === "delete" && podClaims(asPod(e.object)).length > 0) || (e.resource === "PersistentVolumeClaim" && e.change === "add" && claimOfPod(pod, e.object as PersistentVolumeClaim)),
  VolumeBinding: (pod, e) => volumesSooner(pod, e),
  VolumeZone: (pod, e) => volumesSooner(pod, e),
  PodTopologySpread: spreadsSooner,
  InterPodAffinity: affinitySooner,
  NodeDeclaredFeatures: (_pod, e) => isNode(e, "add", "update") && (e.old === undefined || !deepEqual(asNode(e.old).status?.declaredFeatures, asNode(e.object).status?.declaredFeatures)),
};

/**
 * isPodWorthRequeuing: is the event of use to a Pod that these plugins rejected? A Pod that no plugin rejected (an error)
 * is always worth another try.
 */
export const isWorthRequeuing = (pod: Pod, plugins: readonly string[], event: ClusterEvent, listers: Listers, args: SchedulerArgs): boolean =>
  plugins.length === 0 || plugins.some((name) => HINTS[name]?.(pod, event, listers, args) ?? false);
