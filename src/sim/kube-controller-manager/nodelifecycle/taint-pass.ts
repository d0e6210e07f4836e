// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: doNoExecuteTaintingPass
import type { Node } from "../../api/types.ts";
import type { Micros, Note } from "../../kernel/types.ts";
import { subjectOf } from "../resources.ts";
import { doneNode, dueAt, retryNode, takeToken } from "./evictor.ts";
import type { NodeLifecycleMemory, P, V } from "./memory.ts";
import { taintJob } from "./taint-requests.ts";
import { noExecute, NOT_READY, UNREACHABLE } from "./taints.ts";
import { readyStatus } from "./zones.ts";

/** NodeEvictionPeriod. Only passes with something to do are run. */
const PERIOD: Micros = 100_000;
const PHASE: Micros = 61_000;
const NO_CONDITION: Micros = 50_000;

const untilPass = (now: Micros): Micros => (PERIOD - ((now + PERIOD - PHASE) % PERIOD)) % PERIOD;

/** One pass over the zones' queues: at most one node of each, if the zone's rate allows it. */
export function taintPass(view: V): P {
  const aligned = untilPass(view.now);
  if (aligned > 0) return later(view.memory, view, aligned);
  let { memory } = view;
  for (const [zone, found] of memory.evictors.sorted()) {
    let evictor = found;
    for (let due = dueAt(evictor); due !== undefined && due <= view.now; due = dueAt(evictor)) {
      const name = evictor.queue[0]?.name ?? "";
      const node = view.get<Node>("nodes", name);
      const status = node === undefined ? "True" : readyStatus(node);
      evictor = takeToken(evictor, view.now);
      if (status === undefined) evictor = retryNode(evictor, name, view.now + NO_CONDITION);
      else if (node === undefined || status === "True") evictor = doneNode(evictor, name);
      memory = { ...memory, evictors: memory.evictors.set(zone, evictor) };
      if (node === undefined || status === "True" || status === undefined) continue;
      const [wanted, opposite] = status === "False" ? [NOT_READY, UNREACHABLE] : [UNREACHABLE, NOT_READY];
      const step = taintJob(node, [noExecute(wanted)], [[noExecute(opposite)]]);
      if (step === undefined) continue;
      const note: Note = { text: `node-lifecycle-controller taints ${name}: ${wanted}:NoExecute`, why: "Pods that do not tolerate it leave, others when their tolerationSeconds are over", level: "basic", subject: subjectOf(node) };
      return { memory, notes: [note], batches: [[step.call]], next: { step: "evict", zone, job: step.job } };
    }
  }
  return later(memory, view, 0);
}

/** A node had its turn. The pass goes on with the other zones. */
export function evicted(zone: string, name: string, ok: boolean, view: V): P {
  const evictor = view.memory.evictors.get(zone);
  if (evictor === undefined) return later(view.memory, view, 0);
  const next = ok ? doneNode(evictor, name) : retryNode(evictor, name, view.now);
  return later({ ...view.memory, evictors: view.memory.evictors.set(zone, next) }, view, 0);
}

/** The next pass, when a node of some zone can have its turn; but not before `least` from now. */
function later(memory: NodeLifecycleMemory, view: V, least: Micros): P {
  const dues = memory.evictors.values().flatMap((evictor) => dueAt(evictor) ?? []);
  if (dues.length === 0) return { memory };
  const wait = Math.max(least, Math.min(...dues) - view.now, 0);
  return { memory, enqueue: [{ key: "taint", after: wait + untilPass(view.now + wait) }] };
}
