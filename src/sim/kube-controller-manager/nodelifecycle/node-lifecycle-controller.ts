// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go
import type { WatchSpec } from "../../api/http.ts";
import type { Lease, Node, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { type Health, isSilent, MONITOR_PERIOD, notReadyStatus, observe, unknownConditions } from "./health.ts";
import { hasNoExecute, NOT_READY, patchTaints, UNREACHABLE, withNoExecute, withNoSchedule } from "./taints.ts";
import { readyStatus, taintInterval, type ZoneState, zoneOf, zoneStates } from "./zones.ts";

const ID = "node-lifecycle-controller";
const RESOURCES = ["nodes", "leases", "pods"] as const;
/** The pass over nodes that wait for a NoExecute taint. */
const TAINT_PASS: Micros = 100_000;

/** What it remembers: signs of life, nodes that wait for a NoExecute taint, and when each zone had its last. */
export interface NodeLifecycleMemory {
  readonly health: PMap<Health>;
  readonly waiting: readonly string[];
  readonly lastTaint: PMap<Micros>;
  readonly zones: PMap<ZoneState>;
}

const EMPTY: NodeLifecycleMemory = { health: PMap.empty(), waiting: [], lastTaint: PMap.empty(), zones: PMap.empty() };

type MemoryView = View<NodeLifecycleMemory>;
interface SyncData {
  readonly step: "silent" | "pods";
  readonly node: string;
  readonly pods?: readonly Pod[];
}

function handle(change: Change, resource: string, view: MemoryView): Handled<NodeLifecycleMemory> {
  if (resource !== "nodes") return {};
  const node = change.object as Node;
  const name = node.metadata.name ?? "";
  if (change.type === "delete") return { keys: [{ key: `removed/${name}` }], memory: { ...view.memory, health: view.memory.health.delete(name), waiting: view.memory.waiting.filter((entry) => entry !== name) } };
  // A heartbeat that changes no status needs no look at the taints.
  const keys: Enqueue[] = withNoSchedule(node, view.now) === undefined ? [] : [{ key: `taints/${name}` }];
  const registered = change.type === "add" && !view.memory.health.has(name) && view.now > 0 && node.metadata.creationTimestamp !== undefined && node.metadata.creationTimestamp >= "2026-01-01";
  return { keys: registered ? [...keys, { key: `registered/${name}` }] : keys };
}

/** monitorNodeHealth: reads every node's signs of life and decides who needs what. */
function tick(_name: string, view: MemoryView): Handled<NodeLifecycleMemory> {
  const nodes = view.list<Node>("nodes");
  const keys: Enqueue[] = [];
  let { health, waiting, zones } = view.memory;
  const states = zoneStates(nodes);
  const isDown = (state: ZoneState): boolean => state === "FullDisruption";
  const allDown = states.size > 0 && [...states.values()].every(({ state }) => isDown(state));
  const allWereDown = zones.size > 0 && zones.values().every(isDown);
  for (const node of nodes) {
    const name = node.metadata.name ?? "";
    const old = health.get(name);
    let seen = observe(old, node, view.get<Lease>("leases", `kube-node-lease/${name}`), view.now);
    // When all was lost and something is back, nobody is blamed for the silence before.
    if (allWereDown && !allDown) seen = { ...seen, probe: view.now };
    health = health.set(name, seen);
    const ready = readyStatus(node);
    if (isSilent(seen, node, view.now) && unknownConditions(node, view.now) !== node.status?.conditions) keys.push({ key: `health/${name}` });
    if (ready === "True") {
      waiting = waiting.filter((entry) => entry !== name);
      if (hasNoExecute(node, NOT_READY) || hasNoExecute(node, UNREACHABLE)) keys.push({ key: `reachable/${name}` });
    } else if (allDown) {
      waiting = waiting.filter((entry) => entry !== name);
      if (hasNoExecute(node, NOT_READY) || hasNoExecute(node, UNREACHABLE)) keys.push({ key: `reachable/${name}` });
    } else if (!hasNoExecute(node, ready === "Unknown" ? UNREACHABLE : NOT_READY) && !waiting.includes(name)) {
      // Already tainted as the other kind: swapped at once, without the rate limit.
      if (hasNoExecute(node, NOT_READY) || hasNoExecute(node, UNREACHABLE)) keys.push({ key: `swap/${name}` });
      else waiting = [...waiting, name];
    }
  }
  zones = PMap.from([...states].map(([zone, { state }]) => [zone, state] as const));
  for (const zone of new Set(waiting.map((name) => zoneOf(view.get<Node>("nodes", name) ?? { apiVersion: "v1", kind: "Node", metadata: {} })))) keys.push({ key: `zone/${zone}`, after: TAINT_PASS });
  return { keys, memory: { ...view.memory, health, waiting, zones } };
}

function sync(key: string, view: MemoryView): Plan<SyncData, NodeLifecycleMemory> {
  const at = key.indexOf("/");
  const name = key.slice(at + 1);
  const kind = key.slice(0, at);
  if (kind === "zone") return taintZone(name, view);
  const node = view.get<Node>("nodes", name);
  if (kind === "removed") {
    const gone: Node = { apiVersion: "v1", kind: "Node", metadata: { name } };
    return node ? {} : { events: [{ object: gone, type: "Normal", reason: "RemovingNode", message: `Node ${name} event: Removing Node ${name} from Controller` }] };
  }
  if (!node) return {};
  switch (kind) {
    case "registered":
      return { events: [{ object: node, type: "Normal", reason: "RegisteredNode", message: `Node ${name} event: Registered Node ${name} in Controller` }], memory: { ...view.memory, health: view.memory.health.set(name, observe(undefined, node, undefined, view.now)) } };
    case "health":
      return declareUnknown(node, view);
    case "taints": {
      const taints = withNoSchedule(node, view.now);
      return taints === undefined ? {} : { batches: [[patchTaints(node, taints)]], notes: [taintNote(node, taints.map((taint) => `${taint.key}:${taint.effect}`), "its conditions or its cordon changed")] };
    }
    case "reachable": {
      const taints = withNoExecute(node, undefined, view.now);
      return taints === undefined ? {} : { batches: [[patchTaints(node, taints)]], notes: [taintNote(node, ["no NoExecute taint"], "the node is ready again, or every node of the cluster is down")] };
    }
    default:
      return taintNode(node, view);
  }
}

function taintNote(node: Node, taints: readonly string[], why: string): Note {
  return { text: `node-lifecycle-controller sets the taints of ${node.metadata.name ?? ""}: ${taints.join(", ") || "none"}`, why, level: "basic", subject: subjectOf(node) };
}

function declareUnknown(node: Node, view: MemoryView): Plan<SyncData, NodeLifecycleMemory> {
  const conditions = unknownConditions(node, view.now);
  if (conditions === node.status?.conditions) return {};
  const name = node.metadata.name ?? "";
  const wasReady = readyStatus(node) === "True";
  const note: Note = { text: `node-lifecycle-controller declares ${name} Unknown: its kubelet has been silent for over 50 s`, why: "no lease renewal and no status within node-monitor-grace-period", level: "basic", subject: subjectOf(node) };
  const body: Node = { ...node, status: { ...node.status, conditions } };
  return { batches: [[{ method: "PUT", path: `${objectPath(node)}/status`, body, subject: subjectOf(node) }]], notes: [note], ...(wasReady ? { next: { step: "silent", node: name } } : {}) };
}

function resume(_key: string, data: SyncData, answers: readonly Answer[], view: MemoryView): Plan<SyncData, NodeLifecycleMemory> {
  const node = view.get<Node>("nodes", data.node);
  if (data.step === "pods") {
    const pods = data.pods ?? [];
    const events = pods.filter((_pod, i) => answers[i] !== undefined && isSuccess(answers[i])).map((pod): EventToRecord => ({ object: pod, type: "Warning", reason: "NodeNotReady", message: "Node is not ready" }));
    return { events };
  }
  const error = reasonOf(answers);
  if (error !== undefined || !node) return error === undefined ? {} : { error };
  const event: EventToRecord = { object: node, type: "Normal", reason: "NodeNotReady", message: `Node ${data.node} status is now: NodeNotReady` };
  const pods = view.byIndex<Pod>("podsByNode", data.node);
  const marked = pods.flatMap((pod) => {
    const status = notReadyStatus(pod, view.now);
    return status === undefined ? [] : [{ pod, status }];
  });
  const calls = marked.map(({ pod, status }): ApiCall => ({ method: "PUT", path: `${objectPath(pod)}/status`, body: { ...pod, status }, subject: subjectOf(pod) }));
  const note: Note = { text: `node-lifecycle-controller marks ${calls.length} Pods on ${data.node} as not ready`, why: "their node is not heard of: traffic must not go there", level: "basic", subject: subjectOf(node) };
  const others = view.list<Node>("nodes").filter((entry) => entry.metadata.name !== data.node);
  // In a cluster without any ready node nothing is evicted.
  const disrupted = others.every((entry) => readyStatus(entry) !== "True");
  const waiting = disrupted || view.memory.waiting.includes(data.node) ? view.memory.waiting : [...view.memory.waiting, data.node];
  const base = { events: [event], memory: { ...view.memory, waiting }, ...(disrupted ? {} : { enqueue: [{ key: `zone/${zoneOf(node)}`, after: TAINT_PASS }] }) };
  return calls.length === 0 ? base : { ...base, batches: [calls], notes: [note], next: { step: "pods", node: data.node, pods: marked.map((entry) => entry.pod) } };
}

/** One pass over a zone's queue: at most one node, if the zone's rate allows it. */
function taintZone(zone: string, view: MemoryView): Plan<SyncData, NodeLifecycleMemory> {
  const { waiting, lastTaint } = view.memory;
  const here = waiting.filter((name) => {
    const node = view.get<Node>("nodes", name);
    return node !== undefined && zoneOf(node) === zone;
  });
  const first = here[0] === undefined ? undefined : view.get<Node>("nodes", here[0]);
  if (!first) return {};
  const state = zoneStates(view.list<Node>("nodes")).get(zone) ?? { state: "Normal" as const, size: 1 };
  const interval = taintInterval(state.state, state.size);
  // The next monitor pass asks again.
  if (interval === undefined) return {};
  const last = lastTaint.get(zone);
  const wait = last === undefined ? 0 : last + interval - view.now;
  if (wait > 0) return { enqueue: [{ key: `zone/${zone}`, after: wait }] };
  const name = first.metadata.name ?? "";
  const memory = { ...view.memory, waiting: waiting.filter((entry) => entry !== name), lastTaint: lastTaint.set(zone, view.now) };
  const more = here.length > 1 ? { enqueue: [{ key: `zone/${zone}`, after: interval }] } : {};
  if (readyStatus(first) === "True") return { memory, ...more };
  return { ...taintNode(first, view), memory, ...more };
}

function taintNode(node: Node, view: MemoryView): Plan<SyncData, NodeLifecycleMemory> {
  const ready = readyStatus(node);
  if (ready === "True") return {};
  const key = ready === "Unknown" ? UNREACHABLE : NOT_READY;
  const taints = withNoExecute(node, key, view.now);
  if (taints === undefined) return {};
  return { batches: [[patchTaints(node, taints)]], notes: [taintNote(node, [`${key}:NoExecute`], "Pods that do not tolerate it leave, others when their tolerationSeconds are over")] };
}

/** Hears of nodes through leases and statuses; a silent one becomes Unknown, its Pods not ready, and it is tainted. */
export const createNodeLifecycleController = (config: ControllerConfig): Component<ControllerState<SyncData, NodeLifecycleMemory>> =>
  createController<SyncData, NodeLifecycleMemory>(
    {
      id: ID,
      account: "node-controller",
      eventSource: "node-controller",
      resources: RESOURCES,
      indexers: { podsByNode: { resource: "pods", values: (object) => [(object as Pod).spec.nodeName ?? ""] } },
      workers: 8,
      latency: "nodelifecycle.sync",
      memory: EMPTY,
      tickers: [{ name: "monitor", period: MONITOR_PERIOD, first: 2_500_000 }],
      handle,
      sync,
      resume,
      tick,
    },
    config,
  );

export const nodeLifecycleWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
