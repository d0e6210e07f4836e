// Models kubernetes/pkg/controller/ttl/ttl_controller.go
import type { WatchSpec } from "../../api/http.ts";
import type { Node } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, watchesOf } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "ttl-controller";
const RESOURCES = ["nodes"] as const;
export const TTL_ANNOTATION = "node.alpha.kubernetes.io/ttl";

interface Boundary {
  readonly min: number;
  readonly max: number;
  readonly seconds: number;
}

const BOUNDARIES: readonly Boundary[] = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1000, seconds: 30 },
  { min: 900, max: 2000, seconds: 60 },
  { min: 1800, max: 2_147_483_647, seconds: 300 },
];

/** How many nodes were counted, and in which of the overlapping ranges the cluster is. */
export interface TTLMemory {
  readonly nodes: number;
  readonly step: number;
}

/** The range moves by at most one step a node, up beyond its maximum and down below its minimum. */
export function countNodes({ nodes, step }: TTLMemory, by: 1 | -1): TTLMemory {
  const count = nodes + by;
  const range = BOUNDARIES[step];
  if (range === undefined) return { nodes: count, step };
  if (by > 0 && count > range.max) return { nodes: count, step: step + 1 };
  return { nodes: count, step: by < 0 && count < range.min ? step - 1 : step };
}

export const secondsOf = ({ step }: TTLMemory): number => BOUNDARIES[step]?.seconds ?? 0;

/** What a cluster that has grown to so many nodes tells its kubelets (seconds). */
export function secondsFor(nodes: number): number {
  let memory: TTLMemory = { nodes: 0, step: 0 };
  for (let i = 0; i < nodes; i++) memory = countNodes(memory, 1);
  return secondsOf(memory);
}

function handle(change: Change, _resource: string, view: View<TTLMemory>): Handled<TTLMemory> {
  const keys = [{ key: change.object.metadata.name ?? "" }];
  if (change.type === "update") return { keys };
  return change.type === "add" ? { keys, memory: countNodes(view.memory, 1) } : { memory: countNodes(view.memory, -1) };
}

function sync(key: string, view: View<TTLMemory>): Plan<unknown, TTLMemory> {
  const node = view.get<Node>("nodes", key);
  const seconds = String(secondsOf(view.memory));
  if (!node || node.metadata.annotations?.[TTL_ANNOTATION] === seconds) return {};
  return { batches: [[{ method: "PATCH", path: objectPath(node), contentType: "application/strategic-merge-patch+json", body: { metadata: { annotations: { [TTL_ANNOTATION]: seconds } } }, subject: subjectOf(node) }]] };
}

/** Tells kubelets by an annotation for how long they may cache Secrets and ConfigMaps: longer in larger clusters. */
export const createTTLController = (config: ControllerConfig): Component<ControllerState<unknown, TTLMemory>> =>
  createController<unknown, TTLMemory>({ id: ID, account: ID, resources: RESOURCES, workers: 5, latency: "controller.sync", memory: { nodes: 0, step: 0 }, handle, sync }, config);

export const ttlWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
