// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: what the Controller struct holds
import type { Lease, Node } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { View } from "../caches.ts";
import type { Plan } from "../controller.ts";
import { addNode, type Evictor, newEvictor, removeNode } from "./evictor.ts";
import type { Health } from "./health.ts";
import type { PodsJob } from "./pods-not-ready.ts";
import type { TaintJob } from "./taint-requests.ts";
import { NORMAL_INTERVAL, type ZoneState, zoneOf } from "./zones.ts";

/** A pass over all nodes that is under way. */
export interface Pass {
  /** Nodes whose requests are not through. */
  readonly left: readonly string[];
  /** Ready statuses of the nodes that are, by zone. */
  readonly zones: PMap<readonly string[]>;
}

export interface NodeLifecycleMemory {
  /** Uid of each node that was registered. */
  readonly known: PMap<string>;
  readonly health: PMap<Health>;
  readonly zones: PMap<ZoneState>;
  /** By zone: who waits for a NoExecute taint. */
  readonly evictors: PMap<Evictor>;
  /** Nodes whose Pods could not all be marked. */
  readonly retry: readonly string[];
  readonly pass: Pass | undefined;
}

export const EMPTY: NodeLifecycleMemory = { known: PMap.empty(), health: PMap.empty(), zones: PMap.empty(), evictors: PMap.empty(), retry: [], pass: undefined };

/** What a sync goes on with. */
export type Work =
  | { readonly step: "health"; readonly node: Node; readonly tries: number; readonly stage: "put" | "get" }
  | { readonly step: "taints"; readonly node: Node; readonly turned: boolean; readonly job: TaintJob }
  | { readonly step: "pods"; readonly node: Node; readonly job: PodsJob }
  | { readonly step: "node taints"; readonly job: TaintJob }
  | { readonly step: "labels"; readonly labels: Readonly<Record<string, string>>; readonly stage: "get" | "patch"; readonly tries: number }
  | { readonly step: "evict"; readonly zone: string; readonly job: TaintJob }
  | { readonly step: "reachable"; readonly job: TaintJob }
  | { readonly step: "pod"; readonly job: PodsJob };

export type V = View<NodeLifecycleMemory>;
export type P = Plan<Work, NodeLifecycleMemory>;

export const leaseOf = (name: string, view: V): Lease | undefined => view.get<Lease>("leases", `kube-node-lease/${name}`);

export const nodeEvent = (name: string, uid: string, reason: string, message: string): EventToRecord => ({ object: { apiVersion: "v1", kind: "Node", metadata: { name, uid } }, type: "Normal", reason, message });

/** addPodEvictorForNewZone */
export function withZone(memory: NodeLifecycleMemory, node: Node): NodeLifecycleMemory {
  const zone = zoneOf(node);
  if (memory.zones.get(zone) !== undefined) return memory;
  return { ...memory, zones: memory.zones.set(zone, "Initial"), evictors: memory.evictors.set(zone, newEvictor(NORMAL_INTERVAL)) };
}

function withEvictor(memory: NodeLifecycleMemory, node: Node, change: (evictor: Evictor) => Evictor): NodeLifecycleMemory {
  const zone = zoneOf(node);
  const old = memory.evictors.get(zone) ?? newEvictor(NORMAL_INTERVAL);
  const next = change(old);
  return next === old ? memory : { ...memory, evictors: memory.evictors.set(zone, next) };
}

/** markNodeForTainting: a node that lacks the taint begins anew. */
export const queueNode = (memory: NodeLifecycleMemory, node: Node, tainted: boolean, now: number): NodeLifecycleMemory => withEvictor(memory, node, (evictor) => addNode(tainted ? evictor : removeNode(evictor, node.metadata.name ?? ""), node.metadata.name ?? "", now));

export const unqueueNode = (memory: NodeLifecycleMemory, node: Node): NodeLifecycleMemory => withEvictor(memory, node, (evictor) => removeNode(evictor, node.metadata.name ?? ""));
