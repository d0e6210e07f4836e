// Models kubernetes/pkg/scheduler/backend/cache/{cache,snapshot,node_tree}.go
import type { Node, Pod } from "../api/types.ts";
import { deepEqual } from "./deep-equal.ts";
import { type Listers, noListers } from "./listers.ts";
import { addPod, hasAffinity, labelsOf, type NodeInfo, nodeInfoOf, podInfoOf, podKey, removePod } from "./node-info.ts";

interface Zone {
  readonly zone: string;
  readonly nodes: readonly string[];
}

/** One image name: its size as first reported, and how many nodes have it. */
export interface ImageState {
  readonly name: string;
  readonly size: number;
  readonly numNodes: number;
}

/**
 * The scheduler's cache, immutable and updated incrementally: a scheduling cycle works on the reference it started
 * with, which is what upstream's separate snapshot is for.
 */
export interface Snapshot {
  /** node_tree.go: zones in order of arrival, nodes in order of arrival within a zone. */
  readonly zones: readonly Zone[];
  /** In scheduling order: round robin across zones. */
  readonly nodes: readonly NodeInfo[];
  readonly images: readonly ImageState[];
  /** Pods bound to nodes that are not (or no longer) known. */
  readonly orphans: readonly Pod[];
  /** Pods waiting for room on their nominated node (status.nominatedNodeName). */
  readonly nominated: readonly Pod[];
  readonly listers: Listers;
}

export const emptySnapshot: Snapshot = { zones: [], nodes: [], images: [], orphans: [], nominated: [], listers: noListers };

/** component-helpers/node/topology: region and zone; "" if the node has neither. */
export function zoneKey(node: Node): string {
  const labels = labelsOf(node);
  const zone = labels["topology.kubernetes.io/zone"] ?? labels["failure-domain.beta.kubernetes.io/zone"] ?? "";
  const region = labels["topology.kubernetes.io/region"] ?? labels["failure-domain.beta.kubernetes.io/region"] ?? "";
  // A NUL keeps ("a", "b") apart from ("ab", "").
  return region === "" && zone === "" ? "" : `${region}:\u0000:${zone}`;
}

const indexes = new WeakMap<readonly NodeInfo[], ReadonlyMap<string, number>>();

function indexOf(nodes: readonly NodeInfo[]): ReadonlyMap<string, number> {
  let index = indexes.get(nodes);
  if (!index) {
    index = new Map(nodes.map((info, i) => [info.name, i]));
    indexes.set(nodes, index);
  }
  return index;
}

export function getNode(snapshot: Snapshot, name: string): NodeInfo | undefined {
  const at = indexOf(snapshot.nodes).get(name);
  return at === undefined ? undefined : snapshot.nodes[at];
}

function withNode(snapshot: Snapshot, info: NodeInfo): Snapshot {
  const at = indexOf(snapshot.nodes).get(info.name);
  if (at === undefined) return snapshot;
  const nodes = snapshot.nodes.with(at, info);
  // Same names at the same places: the index stays true.
  indexes.set(nodes, indexOf(snapshot.nodes));
  return { ...snapshot, nodes };
}

/** node_tree.go list(): one node of each zone in turn. */
function roundRobin(zones: readonly Zone[]): string[] {
  const names: string[] = [];
  const longest = zones.reduce((n, z) => Math.max(n, z.nodes.length), 0);
  for (let i = 0; i < longest; i += 1) {
    for (const { nodes } of zones) {
      const name = nodes[i];
      if (name !== undefined) names.push(name);
    }
  }
  return names;
}

/** cache.go addNodeImageStates: the size is the one that the first node reported. */
function imagesOf(nodes: readonly Node[]): ImageState[] {
  const states = new Map<string, { size: number; nodes: Set<string> }>();
  for (const node of nodes) {
    for (const image of node.status?.images ?? []) {
      for (const name of image.names ?? []) {
        const state = states.get(name) ?? { size: image.sizeBytes ?? 0, nodes: new Set() };
        state.nodes.add(node.metadata.name ?? "");
        states.set(name, state);
      }
    }
  }
  return [...states].map(([name, state]) => ({ name, size: state.size, numNodes: state.nodes.size }));
}

function addImages(images: readonly ImageState[], node: Node): readonly ImageState[] {
  const mine = new Map((node.status?.images ?? []).flatMap((image) => (image.names ?? []).map((name) => [name, image.sizeBytes ?? 0] as const)));
  if (mine.size === 0) return images;
  const known = images.map((state) => (mine.delete(state.name) ? { ...state, numNodes: state.numNodes + 1 } : state));
  return [...known, ...[...mine].map(([name, size]) => ({ name, size, numNodes: 1 }))];
}

const imageIndexes = new WeakMap<readonly ImageState[], ReadonlyMap<string, ImageState>>();
const nodeImages = new WeakMap<Node, ReadonlySet<string>>();

/** The state of an image on one node; undefined if the node does not have it. */
export function imageOnNode(snapshot: Snapshot, node: Node, name: string): ImageState | undefined {
  let names = nodeImages.get(node);
  if (!names) {
    names = new Set((node.status?.images ?? []).flatMap((image) => image.names ?? []));
    nodeImages.set(node, names);
  }
  if (!names.has(name)) return undefined;
  let index = imageIndexes.get(snapshot.images);
  if (!index) {
    index = new Map(snapshot.images.map((state) => [state.name, state]));
    imageIndexes.set(snapshot.images, index);
  }
  return index.get(name);
}

function addToZone(zones: readonly Zone[], zone: string, name: string): readonly Zone[] {
  const at = zones.findIndex((z) => z.zone === zone);
  const found = zones[at];
  return found ? zones.with(at, { zone, nodes: [...found.nodes, name] }) : [...zones, { zone, nodes: [name] }];
}

const dropFromZone = (zones: readonly Zone[], name: string): readonly Zone[] =>
  zones.map((z) => (z.nodes.includes(name) ? { zone: z.zone, nodes: z.nodes.filter((n) => n !== name) } : z)).filter((z) => z.nodes.length > 0);

function ordered(snapshot: Snapshot, zones: readonly Zone[], infos: readonly NodeInfo[]): Snapshot {
  const byName = new Map(infos.map((info) => [info.name, info]));
  const nodes = roundRobin(zones).flatMap((name) => byName.get(name) ?? []);
  return { ...snapshot, zones, nodes };
}

const sameImages = (a: Node, b: Node): boolean => deepEqual(a.status?.images, b.status?.images);

/** A node was added or changed. */
export function setNode(snapshot: Snapshot, node: Node): Snapshot {
  const name = node.metadata.name ?? "";
  const old = getNode(snapshot, name);
  if (old && old.node === node) return snapshot;
  const mine = (pod: Pod): boolean => pod.spec.nodeName === name;
  const pods = old ? old.pods : snapshot.orphans.filter(mine).map(podInfoOf);
  const info = nodeInfoOf(node, pods);
  let next: Snapshot;
  if (old && zoneKey(old.node) === zoneKey(node)) next = withNode(snapshot, info);
  else next = ordered(snapshot, addToZone(dropFromZone(snapshot.zones, name), zoneKey(node), name), [...snapshot.nodes.filter((n) => n.name !== name), info]);
  if (pods.length > 0 && !old) next = { ...next, orphans: snapshot.orphans.filter((p) => !mine(p)) };
  if (!old) return { ...next, images: addImages(snapshot.images, node) };
  return sameImages(old.node, node) ? next : { ...next, images: imagesOf(next.nodes.map((n) => n.node)) };
}

export function deleteNode(snapshot: Snapshot, name: string): Snapshot {
  const old = getNode(snapshot, name);
  if (!old) return snapshot;
  const next = ordered(snapshot, dropFromZone(snapshot.zones, name), snapshot.nodes.filter((n) => n.name !== name));
  return { ...next, images: imagesOf(next.nodes.map((n) => n.node)), orphans: [...snapshot.orphans, ...old.pods.map((p) => p.pod)] };
}

/** A Pod with spec.nodeName (bound or assumed) was added or changed. */
export function setPod(snapshot: Snapshot, pod: Pod): Snapshot {
  const key = podKey(pod);
  const info = getNode(snapshot, pod.spec.nodeName ?? "");
  if (!info) return { ...snapshot, orphans: [...snapshot.orphans.filter((p) => podKey(p) !== key), pod] };
  const at = info.pods.findIndex((p) => p.key === key);
  if (at < 0) return withNode(snapshot, addPod(info, podInfoOf(pod)));
  if (info.pods[at]?.pod === pod) return snapshot;
  const before = info.pods[at];
  const now = podInfoOf(pod);
  const pods = info.pods.with(at, now);
  // A status seldom changes what the Pod asks for: then the node's sums stay.
  if (before !== undefined && before.nonZeroCPU === now.nonZeroCPU && before.nonZeroMemory === now.nonZeroMemory && deepEqual(before.requests, now.requests)) return withNode(snapshot, { name: info.name, node: info.node, pods, allocatable: info.allocatable, requested: info.requested, nonZeroCPU: info.nonZeroCPU, nonZeroMemory: info.nonZeroMemory });
  return withNode(snapshot, nodeInfoOf(info.node, pods));
}

/** A Pod left the node in its spec.nodeName. */
export function deletePod(snapshot: Snapshot, pod: Pod): Snapshot {
  const key = podKey(pod);
  const info = getNode(snapshot, pod.spec.nodeName ?? "");
  if (info) {
    const next = removePod(info, key);
    return next === info ? snapshot : withNode(snapshot, next);
  }
  if (!snapshot.orphans.some((p) => podKey(p) === key)) return snapshot;
  return { ...snapshot, orphans: snapshot.orphans.filter((p) => podKey(p) !== key) };
}

/** Builds a snapshot from whole lists, nodes in order of arrival. Terminal Pods are not counted, as in upstream's informer filter. */
export function snapshotOf(nodes: readonly Node[], pods: readonly Pod[], listers: Listers = noListers): Snapshot {
  let zones: readonly Zone[] = [];
  for (const node of nodes) zones = addToZone(zones, zoneKey(node), node.metadata.name ?? "");
  const live = pods.filter((p) => p.status?.phase !== "Succeeded" && p.status?.phase !== "Failed");
  const names = new Set(nodes.map((n) => n.metadata.name ?? ""));
  const byNode = new Map<string, Pod[]>();
  for (const pod of live) {
    const on = pod.spec.nodeName;
    if (on) byNode.set(on, [...(byNode.get(on) ?? []), pod]);
  }
  const infos = nodes.map((node) => nodeInfoOf(node, (byNode.get(node.metadata.name ?? "") ?? []).map(podInfoOf)));
  const base: Snapshot = {
    ...emptySnapshot,
    images: imagesOf(nodes),
    orphans: live.filter((p) => p.spec.nodeName && !names.has(p.spec.nodeName)),
    nominated: live.filter((p) => !p.spec.nodeName && p.status?.nominatedNodeName),
    listers,
  };
  return ordered(base, zones, infos);
}

const affine = new WeakMap<NodeInfo, readonly NodeInfo["pods"][number][]>();

/** NodeInfo.PodsWithAffinity: Pods on the node that carry any affinity or anti-affinity term. */
export function podsWithAffinity(info: NodeInfo): NodeInfo["pods"] {
  let pods = affine.get(info);
  if (!pods) {
    pods = info.pods.filter(hasAffinity);
    affine.set(info, pods);
  }
  return pods;
}
