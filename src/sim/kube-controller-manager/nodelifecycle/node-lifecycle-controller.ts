// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { type Answer, bodyOf, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, watchesOf } from "../controller.ts";
import { objectPath, pathOf, subjectOf } from "../resources.ts";
import { MONITOR_PERIOD, settledHealth } from "./health.ts";
import { labelsToUpdate } from "./labels.ts";
import { EMPTY, leaseOf, nodeEvent, type NodeLifecycleMemory, type P, type V, type Work } from "./memory.ts";
import { beginPass, healthAnswered, markPods, podsStep, syncNode } from "./monitor.ts";
import { marked, markNext } from "./pods-not-ready.ts";
import { evicted, taintPass } from "./taint-pass.ts";
import { nextTaintStep, taintJob, type TaintJob, type TaintStep } from "./taint-requests.ts";
import { noExecute, NOT_READY, noScheduleDiff, UNREACHABLE } from "./taints.ts";

export type { NodeLifecycleMemory } from "./memory.ts";

const ID = "node-lifecycle-controller";
const RESOURCES = ["nodes", "leases", "pods"] as const;
/** Workers of nodes, of Pods and of a pass together. */
const WORKERS = 20;
const FIRST_PASS = 2_500_000;
/** A controller that starts looks each 100 ms whether its caches are filled, and then begins its first pass at once. */
const CACHE_POLL = 100_000;
const LABEL_TRIES = 5;
const LABEL_BACKOFF = 100_000;

function handle(change: Change, resource: string, view: V): Handled<NodeLifecycleMemory> {
  if (resource === "pods") return handlePod(change, view);
  if (resource !== "nodes") return {};
  const node = change.object as Node;
  const name = node.metadata.name ?? "";
  if (change.type === "delete") return view.memory.retry.includes(name) ? { memory: { ...view.memory, retry: view.memory.retry.filter((entry) => entry !== name) } } : {};
  // A heartbeat that changes no status needs no look at the taints.
  const keys: readonly Enqueue[] = noScheduleDiff(node) === undefined && labelsToUpdate(node) === undefined ? [] : [{ key: `update/${name}` }];
  // The story begins in a cluster whose nodes have been known for long.
  if (view.now > 0) return { keys };
  return { keys, memory: { ...view.memory, known: view.memory.known.set(name, node.metadata.uid ?? ""), health: view.memory.health.set(name, settledHealth(node, leaseOf(name, view), FIRST_PASS - MONITOR_PERIOD)) } };
}

/** A Pod that has come to a node which was not ready when last seen is not ready either. */
function handlePod(change: Change, view: V): Handled<NodeLifecycleMemory> {
  const pod = change.object as Pod;
  const { nodeName } = pod.spec;
  if (change.type === "delete" || !nodeName || (change.type === "update" && (change.old as Pod).spec.nodeName === nodeName)) return {};
  const ready = view.memory.health.get(nodeName)?.ready;
  return ready === undefined || ready.status === "True" ? {} : { keys: [{ key: `pod/${objectKey(pod)}` }] };
}

function sync(key: string, view: V): P {
  if (key === "taint") return taintPass(view);
  const at = key.indexOf("/");
  const kind = key.slice(0, at);
  const name = key.slice(at + 1);
  switch (kind) {
    case "node": return syncNode(name, view);
    case "pod": return syncPod(name, view);
    case "removed": {
      const [gone = "", uid = ""] = name.split("/");
      return { events: [nodeEvent(gone, uid, "RemovingNode", `Node ${gone} event: Removing Node ${gone} from Controller`)] };
    }
    default: {
      const node = view.get<Node>("nodes", name);
      return node === undefined ? {} : syncKnown(kind, node);
    }
  }
}

function syncKnown(kind: string, node: Node): P {
  const name = node.metadata.name ?? "";
  if (kind === "update") return updateTaints(node);
  const events = kind === "registered" ? [nodeEvent(name, node.metadata.uid ?? "", "RegisteredNode", `Node ${name} event: Registered Node ${name} in Controller`)] : [];
  const step = taintJob(node, [], [[noExecute(UNREACHABLE)], [noExecute(NOT_READY)]]);
  return { events, ...(step === undefined ? {} : { batches: [[step.call]], notes: [taintNote(node, ["no NoExecute taint"], kind === "registered" ? "this controller has just begun: it judges the node anew" : "every node of the cluster is down")], next: { step: "reachable", job: step.job } }) };
}

const taintNote = (node: Node, taints: readonly string[], why: string): Note => ({ text: `node-lifecycle-controller sets the taints of ${node.metadata.name ?? ""}: ${taints.join(", ")}`.slice(0, 138), why, level: "basic", subject: subjectOf(node) });

/** doNodeProcessingPassWorker: the NoSchedule taints, then the labels. */
function updateTaints(node: Node): P {
  const diff = noScheduleDiff(node);
  const step = diff && taintJob(node, diff.add, [diff.remove]);
  if (diff === undefined || step === undefined) return updateLabels(node);
  const words = [...diff.add.map((taint) => `+${taint.key}:NoSchedule`), ...diff.remove.map((taint) => `-${taint.key}:NoSchedule`)];
  return { batches: [[step.call]], notes: [taintNote(node, words, "its conditions or its cordon changed")], next: { step: "node taints", job: step.job } };
}

function updateLabels(node: Node): P {
  const labels = labelsToUpdate(node);
  return labels === undefined ? {} : readForLabels(node.metadata.name ?? "", labels, 0);
}

const readForLabels = (name: string, labels: Readonly<Record<string, string>>, tries: number): P => ({
  batches: [[{ method: "GET", path: pathOf("Node", undefined, name), ...(tries === 0 ? { query: { resourceVersion: "0" } } : {}), subject: `node/${name}` }]],
  ...(tries === 0 ? {} : { wait: LABEL_BACKOFF }),
  next: { step: "labels", labels, stage: "get", tries },
});

function labelsAnswered(name: string, work: Extract<Work, { step: "labels" }>, answer: Answer | undefined): P {
  if (work.stage === "patch") return answer?.status === 409 && work.tries + 1 < LABEL_TRIES ? readForLabels(name, work.labels, work.tries + 1) : {};
  const node = bodyOf(answer);
  if (node === undefined) return {};
  return { batches: [[{ method: "PATCH", path: objectPath(node), contentType: "application/strategic-merge-patch+json", body: { metadata: { labels: work.labels } }, subject: subjectOf(node) }]], next: { ...work, stage: "patch" } };
}

function syncPod(key: string, view: V): P {
  const pod = view.get<Pod>("pods", key);
  if (!pod || view.get("nodes", pod.spec.nodeName ?? "") === undefined) return {};
  const ready = view.memory.health.get(pod.spec.nodeName ?? "")?.ready;
  if (ready === undefined || ready.status === "True") return {};
  const step = markNext({ left: [pod], failed: false }, view.now);
  return step.call === undefined ? {} : { batches: [[step.call]], next: { step: "pod", job: step.job } };
}

/** Goes on with a job on taints; `end` says what follows it. */
function taintAnswered(job: TaintJob, answer: Answer | undefined, view: V, work: (job: TaintJob) => Work, end: (ok: boolean) => P): P {
  const next: TaintStep | "done" | "failed" = nextTaintStep(job, answer, view.now, view.rand(`taint/${job.node}/${view.now}`, job.tries));
  if (next === "done" || next === "failed") return end(next === "done");
  return { batches: [[next.call]], ...(next.wait === undefined ? {} : { wait: next.wait }), next: work(next.job) };
}

function resume(key: string, work: Work, [answer]: readonly Answer[], view: V): P {
  switch (work.step) {
    case "health": return healthAnswered(work, answer, view);
    case "taints":
      return taintAnswered(work.job, answer, view, (job) => ({ ...work, job }), () => markPods(work.node, work.turned, view.memory, view));
    case "pods": return podsStep(work.node, marked(work.job, answer, view.now), view.memory, view);
    case "node taints":
      return taintAnswered(work.job, answer, view, (job) => ({ ...work, job }), (ok) => {
        const node = view.get<Node>("nodes", work.job.node);
        return ok && node !== undefined ? updateLabels(node) : {};
      });
    case "labels": return labelsAnswered(key.slice(key.indexOf("/") + 1), work, answer);
    case "evict": return taintAnswered(work.job, answer, view, (job) => ({ ...work, job }), (ok) => evicted(work.zone, work.job.node, ok, view));
    case "reachable": return taintAnswered(work.job, answer, view, (job) => ({ ...work, job }), () => ({}));
    default: {
      const step = marked(work.job, answer, view.now);
      return { events: step.events, ...(step.job.failed ? { error: answer !== undefined && !isSuccess(answer) ? `HTTP ${answer.status}` : "no answer" } : {}) };
    }
  }
}

/** Hears of nodes through leases and statuses; a silent one becomes Unknown, its Pods not ready, and it is tainted. */
export const createNodeLifecycleController = (config: ControllerConfig): Component<ControllerState<Work, NodeLifecycleMemory>> =>
  createController<Work, NodeLifecycleMemory>(
    {
      id: ID,
      account: "node-controller",
      eventSource: "node-controller",
      resources: RESOURCES,
      indexers: { podsByNode: { resource: "pods", values: (object) => [(object as Pod).spec.nodeName ?? ""] } },
      workers: WORKERS,
      latency: "nodelifecycle.sync",
      memory: EMPTY,
      tickers: [{ name: "monitor", period: MONITOR_PERIOD, first: FIRST_PASS, cold: CACHE_POLL }],
      handle,
      sync,
      resume,
      tick: (_name, view) => beginPass(view),
    },
    config,
  );

export const nodeLifecycleWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
