// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: monitorNodeHealth
import type { Condition, Node, Pod } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { type Answer, bodyOf, type Enqueue, type Handled, isSuccess } from "../controller.ts";
import { objectPath, pathOf, subjectOf } from "../resources.ts";
import { endPass } from "./disruption.ts";
import { afterUpdate, observe, type Observation } from "./health.ts";
import { leaseOf, nodeEvent, type NodeLifecycleMemory, type P, queueNode, unqueueNode, type V, withZone, type Work } from "./memory.ts";
import { type PodsJob, type PodsStep, markNext } from "./pods-not-ready.ts";
import { type TaintStep, taintJob } from "./taint-requests.ts";
import { hasTaint, noExecute, NOT_READY, UNREACHABLE } from "./taints.ts";
import { isExcluded, zoneOf } from "./zones.ts";

/** The pause before a refused status is tried again, and how often. */
const RETRY_SLEEP: Micros = 20_000;
const RETRIES = 5;

const nameOf = (node: Node): string => node.metadata.name ?? "";

/** The requests on the taints that a Ready status asks for at once; the slow ones are queued by `queued`. */
function swapFor(node: Node, status: string): TaintStep | undefined {
  if (status === "True") return taintJob(node, [], [[noExecute(UNREACHABLE)], [noExecute(NOT_READY)]]);
  const [wanted, opposite] = status === "False" ? [NOT_READY, UNREACHABLE] : [UNREACHABLE, NOT_READY];
  return hasTaint(node, noExecute(opposite)) ? taintJob(node, [noExecute(wanted)], [[noExecute(opposite)]]) : undefined;
}

/** processTaintBaseEviction, as far as the queue of the zone is concerned. */
function queued(memory: NodeLifecycleMemory, node: Node, status: string, now: Micros): NodeLifecycleMemory {
  if (status === "True") return unqueueNode(memory, node);
  const [wanted, opposite] = status === "False" ? [NOT_READY, UNREACHABLE] : [UNREACHABLE, NOT_READY];
  return hasTaint(node, noExecute(opposite)) ? memory : queueNode(memory, node, hasTaint(node, noExecute(wanted)), now);
}

const counted = (memory: NodeLifecycleMemory, node: Node, current: Condition | undefined): NodeLifecycleMemory => {
  if (memory.pass === undefined || isExcluded(node)) return memory;
  const { zones } = memory.pass;
  return { ...memory, pass: { ...memory.pass, zones: zones.set(zoneOf(node), [...(zones.get(zoneOf(node)) ?? []), current?.status ?? ""]) } };
};

/** Nodes that came and went since the last pass. */
function classify(memory: NodeLifecycleMemory, nodes: readonly Node[]): { readonly memory: NodeLifecycleMemory; readonly keys: readonly Enqueue[] } {
  let next = memory;
  const keys: Enqueue[] = [];
  for (const node of nodes) {
    next = withZone(next, node);
    if (next.known.get(nameOf(node)) !== undefined) continue;
    next = { ...next, known: next.known.set(nameOf(node), node.metadata.uid ?? "") };
    keys.push({ key: `registered/${nameOf(node)}` });
  }
  if (next.known.size === nodes.length) return { memory: next, keys };
  const names = new Set(nodes.map(nameOf));
  for (const [name, uid] of next.known.sorted()) {
    if (names.has(name)) continue;
    next = { ...next, known: next.known.delete(name) };
    keys.push({ key: `removed/${name}/${uid}` });
  }
  return { memory: next, keys };
}

/** Begins a pass. What needs no request is done at once; the others get a key each, and the last of them ends the pass. */
export function beginPass(view: V): Handled<NodeLifecycleMemory> {
  // Upstream's passes follow each other: the next one begins a period after the last has ended.
  if (view.memory.pass !== undefined) return {};
  const nodes = view.list<Node>("nodes");
  const classified = classify(view.memory, nodes);
  let memory: NodeLifecycleMemory = { ...classified.memory, pass: { left: [], zones: PMap.empty() } };
  const busy: string[] = [];
  for (const node of nodes) {
    const seen = observe(memory.health.get(nameOf(node)), node, leaseOf(nameOf(node), view), view.now);
    if (seen.unheard !== undefined || memory.retry.includes(nameOf(node)) || (seen.current !== undefined && swapFor(node, seen.current.status) !== undefined)) {
      busy.push(nameOf(node));
      continue;
    }
    if (seen.health !== memory.health.get(nameOf(node))) memory = { ...memory, health: memory.health.set(nameOf(node), seen.health) };
    memory = counted(memory, node, seen.current);
    if (seen.current !== undefined) memory = queued(memory, node, seen.current.status, view.now);
  }
  const keys = [...classified.keys, ...busy.map((name) => ({ key: `node/${name}` }))];
  const begun = { ...memory, pass: { left: busy, zones: memory.pass?.zones ?? PMap.empty<readonly string[]>() } };
  if (busy.length > 0) return { memory: begun, keys };
  const ended = endPass(begun, view);
  return { memory: ended.memory, keys: [...keys, ...ended.keys] };
}

/** One node of a pass that needs requests. */
export function syncNode(name: string, view: V): P {
  const node = view.get<Node>("nodes", name);
  if (!node) return leave(name, view.memory, view);
  return look(node, 0, view);
}

function look(node: Node, tries: number, view: V): P {
  const name = nameOf(node);
  const seen = observe(view.memory.health.get(name), node, leaseOf(name, view), view.now);
  const memory = { ...view.memory, health: view.memory.health.set(name, seen.health) };
  if (seen.unheard === undefined) return settle(node, seen, memory, view);
  const note: Note = { text: `node-lifecycle-controller declares ${name} Unknown: its kubelet has been silent for over ${seen.observed === "Unknown" ? 60 : 50} s`, why: "no lease renewal and no status within node-monitor-grace-period", level: "basic", subject: subjectOf(node) };
  return { batches: [[{ method: "PUT", path: `${objectPath(node)}/status`, body: seen.unheard, subject: subjectOf(node), level: "basic" }]], memory, notes: tries === 0 ? [note] : [], next: { step: "health", node, tries, stage: "put" } };
}

/** The status was written, or another writer was faster and the node is read again. */
export function healthAnswered(work: Extract<Work, { step: "health" }>, answer: Answer | undefined, view: V): P {
  const name = nameOf(work.node);
  if (work.stage === "get") {
    const fresh = bodyOf(answer) as Node | undefined;
    // Upstream skips a node that it cannot read: it is counted in no zone.
    return fresh === undefined || work.tries >= RETRIES ? leave(name, view.memory, view) : look(fresh, work.tries, view);
  }
  if (answer === undefined || !isSuccess(answer)) {
    return { batches: [[{ method: "GET", path: pathOf("Node", undefined, name), subject: subjectOf(work.node) }]], wait: RETRY_SLEEP, next: { ...work, tries: work.tries + 1, stage: "get" } };
  }
  const seen = observe(view.memory.health.get(name), work.node, leaseOf(name, view), view.now);
  const memory = { ...view.memory, health: view.memory.health.set(name, afterUpdate(seen.health, seen.current, leaseOf(name, view))) };
  return settle(seen.unheard ?? work.node, seen, memory, view);
}

/** The node's condition is known: its taints, then its Pods. */
function settle(node: Node, seen: Observation, before: NodeLifecycleMemory, view: V): P {
  const memory = counted(before, node, seen.current);
  if (seen.current === undefined) return leave(nameOf(node), memory, view);
  const { status } = seen.current;
  const turned = status !== "True" && seen.observed === "True";
  const step = swapFor(node, status);
  const next = status === "True" || step === undefined ? queued(memory, node, status, view.now) : memory;
  if (step === undefined) return markPods(node, turned, next, view);
  const [text, why] = status === "True" ? ["takes the NoExecute taint off", "the node is ready again: Pods that should have gone may stay"] : ["swaps the NoExecute taint of", "not ready and unreachable exclude each other"];
  const note: Note = { text: `node-lifecycle-controller ${text} ${nameOf(node)}`, why, level: "basic", subject: subjectOf(node) };
  return { batches: [[step.call]], memory: next, notes: [note], next: { step: "taints", node, turned, job: step.job } };
}

export function markPods(node: Node, turned: boolean, memory: NodeLifecycleMemory, view: V): P {
  const name = nameOf(node);
  const event = turned ? [nodeEvent(name, node.metadata.uid ?? "", "NodeNotReady", `Node ${name} status is now: NodeNotReady`)] : [];
  const again = memory.retry.includes(name) && node.status?.conditions?.some((entry) => entry.type === "Ready" && entry.status !== "True");
  if (!turned && again !== true) return leave(name, { ...memory, retry: memory.retry.filter((entry) => entry !== name) }, view);
  const step = markNext({ left: view.byIndex<Pod>("podsByNode", name), failed: false }, view.now, event);
  const note: Note = { text: `node-lifecycle-controller marks the Pods on ${name} as not ready`, why: "their node is not heard of: traffic must not go there", level: "basic", subject: subjectOf(node) };
  const plan = podsStep(node, step, memory, view);
  return step.call === undefined ? plan : { ...plan, notes: [note] };
}

export function podsStep(node: Node, step: PodsStep, memory: NodeLifecycleMemory, view: V): P {
  if (step.call !== undefined) return { events: step.events, memory, batches: [[step.call]], next: { step: "pods", node, job: step.job } };
  return finishPods(node, step.job, step.events, memory, view);
}

function finishPods(node: Node, job: PodsJob, events: readonly EventToRecord[], memory: NodeLifecycleMemory, view: V): P {
  const others = memory.retry.filter((entry) => entry !== nameOf(node));
  const plan = leave(nameOf(node), { ...memory, retry: job.failed ? [...others, nameOf(node)] : others }, view);
  return { ...plan, events };
}

/** The node is done with; the last one ends the pass. */
function leave(name: string, memory: NodeLifecycleMemory, view: V): P {
  if (memory.pass === undefined) return { memory };
  const left = memory.pass.left.filter((entry) => entry !== name);
  const next = { ...memory, pass: { ...memory.pass, left } };
  if (left.length > 0) return { memory: next, enqueue: [{ key: "taint" }] };
  const ended = endPass(next, view);
  return { memory: ended.memory, enqueue: ended.keys };
}
