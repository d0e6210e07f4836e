// Models kubernetes/pkg/controller/tainteviction/taint_eviction.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { evictAfter, noExecuteTaints } from "./evict.ts";

const ID = "taint-eviction-controller";
const RESOURCES = ["nodes", "pods"] as const;

interface Scheduled {
  readonly uid: string;
  readonly created: Micros;
  readonly at: Micros;
}

/** Pods that will be evicted, by key, and those whose eviction was called off and must be told. */
export interface EvictionMemory {
  readonly scheduled: PMap<Scheduled>;
}

type MemoryView = View<EvictionMemory>;

/** Looks at one Pod on one node: schedules, keeps or calls off its eviction. */
function consider(memory: EvictionMemory, pod: Pod, node: Node | undefined, now: Micros): { memory: EvictionMemory; key?: Enqueue } {
  const key = objectKey(pod);
  const old = memory.scheduled.get(key);
  const seconds = node && pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod) ? evictAfter(noExecuteTaints(node.spec?.taints), pod.spec.tolerations) : undefined;
  if (seconds === undefined) return old ? { memory: { scheduled: memory.scheduled.delete(key) }, ...(pod.metadata.deletionTimestamp === undefined ? { key: { key: `cancel/${key}` } } : {}) } : { memory };
  const at = now + seconds * 1_000_000;
  // An eviction already under way keeps its earlier time.
  if (old && old.uid === pod.metadata.uid && old.created + seconds * 1_000_000 < at && seconds > 0) return { memory };
  return { memory: { scheduled: memory.scheduled.set(key, { uid: pod.metadata.uid ?? "", created: old?.created ?? now, at }) }, key: { key: `evict/${key}`, after: at - now } };
}

function handle(change: Change, resource: string, view: MemoryView): Handled<EvictionMemory> {
  let { memory } = view;
  const keys: Enqueue[] = [];
  const look = (pod: Pod, node: Node | undefined): void => {
    const result = consider(memory, pod, node, view.now);
    memory = result.memory;
    if (result.key) keys.push(result.key);
  };
  if (resource === "nodes") {
    const node = change.object as Node;
    const had = change.type === "update" ? noExecuteTaints((change.old as Node).spec?.taints).length : 0;
    if (change.type === "update" && change.old.spec === node.spec) return {};
    if (had === 0 && noExecuteTaints(node.spec?.taints).length === 0) return {};
    for (const pod of view.byIndex<Pod>("podsByNode", node.metadata.name ?? "")) look(pod, change.type === "delete" ? undefined : node);
    return { keys, memory };
  }
  const pod = change.object as Pod;
  if (change.type === "delete") return memory.scheduled.has(objectKey(pod)) ? { memory: { scheduled: memory.scheduled.delete(objectKey(pod)) } } : {};
  if (!pod.spec.nodeName || (change.type === "update" && change.old.spec === pod.spec && change.old.metadata.deletionTimestamp === pod.metadata.deletionTimestamp)) return {};
  const node = view.get<Node>("nodes", pod.spec.nodeName);
  if (noExecuteTaints(node?.spec?.taints).length === 0 && !memory.scheduled.has(objectKey(pod))) return {};
  look(pod, node);
  return { keys, memory };
}

function sync(key: string, view: MemoryView): Plan<string, EvictionMemory> {
  const podKey = key.slice(key.indexOf("/") + 1);
  const pod = view.get<Pod>("pods", podKey);
  if (!pod) return {};
  const [namespace = "", name = ""] = podKey.split("/");
  if (key.startsWith("cancel/")) return { events: [{ object: pod, type: "Normal", reason: "TaintManagerEviction", message: `Cancelling deletion of Pod ${namespace}/${name}` }] };
  const scheduled = view.memory.scheduled.get(podKey);
  if (!scheduled || scheduled.uid !== pod.metadata.uid || scheduled.at > view.now) return {};
  const event: EventToRecord = { object: pod, type: "Normal", reason: "TaintManagerEviction", message: `Marking for deletion Pod ${namespace}/${name}` };
  const condition = { type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager", message: "Taint manager: deleting due to NoExecute taint", lastTransitionTime: rfc3339(view.now) };
  const note: Note = { text: `taint-eviction-controller deletes Pod ${name}`, why: "its node has a NoExecute taint and the Pod's tolerationSeconds are over", level: "basic", subject: subjectOf(pod) };
  return {
    events: [event],
    notes: [note],
    batches: [
      [{ method: "PATCH", path: `${objectPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body: { status: { conditions: [condition] } }, subject: subjectOf(pod) }],
      [{ method: "DELETE", path: objectPath(pod), subject: subjectOf(pod) }],
    ],
    next: podKey,
  };
}

/** Evicts Pods from nodes with NoExecute taints that they do not tolerate, or not for ever. */
export const createTaintEvictionController = (config: ControllerConfig): Component<ControllerState<string, EvictionMemory>> =>
  createController<string, EvictionMemory>(
    {
      id: ID,
      account: "node-controller",
      eventSource: ID,
      resources: RESOURCES,
      indexers: { podsByNode: { resource: "pods", values: (object) => [(object as Pod).spec.nodeName ?? ""] } },
      workers: 8,
      latency: "controller.sync",
      memory: { scheduled: PMap.empty() },
      handle,
      sync,
      resume: (_key, podKey, answers, view) => {
        const missing = answers.some((answer) => answer.status === 404);
        const error = reasonOf(answers);
        return error === undefined || missing ? { memory: { scheduled: view.memory.scheduled.delete(podKey) } } : { error };
      },
    },
    config,
  );

export const taintEvictionWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
