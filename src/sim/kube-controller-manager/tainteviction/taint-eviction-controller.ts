// Models kubernetes/pkg/controller/tainteviction/taint_eviction.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Node, Pod, Taint } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, watchesOf } from "../controller.ts";
import { type Deletion, deletionAnswered, getPod, podEvent } from "./delete-pod.ts";
import { matchingTolerations, minTolerationSeconds, noExecuteTaints, sameTaints, sameTolerations } from "./evict.ts";
import { addWork, cancelWork, timerOf, type TimedWorkers } from "./timed-workers.ts";

const ID = "taint-eviction-controller";
const RESOURCES = ["nodes", "pods"] as const;
/** Upstream handles changes with 8 workers, which ask the server nothing; every deletion runs on its own. */
const WORKERS = 1000;

export interface EvictionMemory {
  /** NoExecute taints of the nodes that have some, as they were handled last. */
  readonly tainted: PMap<readonly Taint[]>;
  readonly workers: TimedWorkers;
}

type V = View<EvictionMemory>;
type P = Plan<Deletion, EvictionMemory>;

function handle(change: Change, resource: string, view: V): Handled<EvictionMemory> {
  if (resource === "nodes") {
    const { spec, metadata } = change.object as Node;
    const name = metadata.name ?? "";
    const taints = change.type === "delete" ? [] : noExecuteTaints(spec?.taints);
    const before = change.type === "update" ? noExecuteTaints((change.old as Node).spec?.taints) : change.type === "delete" ? noExecuteTaints(spec?.taints) : [];
    return sameTaints(taints, before) && !(change.type === "add" && view.memory.tainted.has(name)) ? {} : { keys: [{ key: `node/${name}` }] };
  }
  const pod = change.object as Pod;
  const key = objectKey(pod);
  if (change.type === "delete") return view.memory.workers.has(key) ? { keys: [{ key: `pod/${key}` }] } : {};
  if (!pod.spec.nodeName || !view.memory.tainted.has(pod.spec.nodeName)) return {};
  if (change.type === "update" && (change.old as Pod).spec.nodeName === pod.spec.nodeName && sameTolerations((change.old as Pod).spec.tolerations, pod.spec.tolerations)) return {};
  return { keys: [{ key: `pod/${key}` }] };
}

interface Turn {
  memory: EvictionMemory;
  readonly events: EventToRecord[];
  readonly enqueue: Enqueue[];
}

function cancel(turn: Turn, key: string): void {
  const { workers, told } = cancelWork(turn.memory.workers, key);
  turn.memory = { ...turn.memory, workers };
  if (told) turn.events.push(podEvent(key, "Cancelling deletion of Pod"));
}

function schedule(turn: Turn, key: string, created: number, at: number, now: number): void {
  turn.memory = { ...turn.memory, workers: addWork(turn.memory.workers, key, created, at) };
  turn.enqueue.push(at > now ? { key: `evict/${key}`, after: at - now } : { key: `evict/${key}` });
}

/** processPodOnNode: deletes the Pod at once, when its tolerations are over, or not. */
function processPod(turn: Turn, pod: Pod, taints: readonly Taint[], now: number): void {
  const key = objectKey(pod);
  const used = matchingTolerations(taints, pod.spec.tolerations);
  if (used === undefined) {
    cancel(turn, key);
    return schedule(turn, key, now, now, now);
  }
  const seconds = minTolerationSeconds(used);
  if (seconds === undefined) return cancel(turn, key);
  const scheduled = timerOf(turn.memory.workers, key);
  // A deletion that is scheduled keeps its time, whatever the tolerations say by now.
  if (scheduled !== undefined && scheduled.created < now) return;
  if (scheduled !== undefined) cancel(turn, key);
  schedule(turn, key, scheduled?.created ?? now, now + seconds * 1_000_000, now);
}

function sync(key: string, view: V): P {
  const at = key.indexOf("/");
  const name = key.slice(at + 1);
  if (key.startsWith("evict/")) return evict(name, view);
  const turn: Turn = { memory: view.memory, events: [], enqueue: [] };
  if (key.startsWith("pod/")) {
    const pod = view.get<Pod>("pods", name);
    const taints = pod && view.memory.tainted.get(pod.spec.nodeName ?? "");
    if (pod === undefined) cancel(turn, name);
    else if (taints !== undefined) processPod(turn, pod, taints, view.now);
    return turn;
  }
  const node = view.get<Node>("nodes", name);
  const taints = noExecuteTaints(node?.spec?.taints);
  turn.memory = { ...turn.memory, tainted: taints.length === 0 ? turn.memory.tainted.delete(name) : turn.memory.tainted.set(name, taints) };
  // Deletions that were scheduled on a node that is gone go on.
  if (node === undefined) return turn;
  for (const pod of view.byIndex<Pod>("podsByNode", name)) {
    if (taints.length === 0) cancel(turn, objectKey(pod));
    else processPod(turn, pod, taints, view.now);
  }
  return { ...turn, notes: taints.length === 0 ? [] : [tainted(name, taints, turn)] };
}

const tainted = (name: string, taints: readonly Taint[], turn: Turn): Note => ({
  text: `taint-eviction-controller sees ${taints.map((taint) => taint.key).join(", ")}:NoExecute on ${name}`.slice(0, 138),
  why: turn.enqueue.length === 0 ? "no Pod there has to go, or the time of those that have to is set already" : `${turn.enqueue.length} Pods there have to go: at once, or when the shortest tolerationSeconds that fits is over`,
  level: "basic", subject: `node/${name}`,
});

/** The timer of a Pod has fired. */
function evict(key: string, view: V): P {
  const worker = view.memory.workers.get(key);
  if (worker === undefined || worker.running) return {};
  // An older timer of a deletion that was called off and scheduled anew.
  if (worker.at > view.now) return { enqueue: [{ key: `evict/${key}`, after: worker.at - view.now }] };
  const note: Note = { text: `taint-eviction-controller deletes Pod ${key}`.slice(0, 138), why: "its node has a NoExecute taint that it does not tolerate, or no longer", level: "basic", subject: `pod/${key}` };
  return { events: [podEvent(key, "Marking for deletion Pod")], notes: [note], memory: { ...view.memory, workers: view.memory.workers.set(key, { ...worker, running: true }) }, ...getPod(key, 0) };
}

/** Evicts Pods from nodes with NoExecute taints that they do not tolerate, or not for ever. */
export const createTaintEvictionController = (config: ControllerConfig): Component<ControllerState<Deletion, EvictionMemory>> =>
  createController<Deletion, EvictionMemory>(
    {
      id: ID,
      account: "node-controller",
      eventSource: ID,
      resources: RESOURCES,
      indexers: { podsByNode: { resource: "pods", values: (object) => [(object as Pod).spec.nodeName ?? ""] } },
      workers: WORKERS,
      latency: "controller.sync",
      memory: { tainted: PMap.empty(), workers: PMap.empty() },
      handle,
      sync,
      resume: (_key, work, answers, view) => deletionAnswered(work, answers[0], view.now) ?? { memory: { ...view.memory, workers: view.memory.workers.delete(work.pod) } },
    },
    config,
  );

export const taintEvictionWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
