// Models kubernetes/pkg/controller/podgc/gc_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, Node, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { conditionOf, isPodTerminal, withCondition } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "pod-garbage-collector";
const RESOURCES = ["pods", "nodes"] as const;
const PERIOD: Micros = 20_000_000;
/** A node must be missing for so long before the server is asked whether it is gone. */
const QUARANTINE: Micros = 40_000_000;
const TERMINATED_THRESHOLD = 12_500;

/** When the quarantine of each missing node began. */
export interface PodGCMemory {
  readonly missing: PMap<Micros>;
}

type Reason = "orphan" | "unscheduled" | "out-of-service" | "terminated";

const WHY: Readonly<Record<Reason, (node: string) => string>> = {
  orphan: (node) => `its node ${node} does not exist any more`,
  unscheduled: () => "it is terminating and was never bound to a node",
  "out-of-service": (node) => `its node ${node} is not ready and was declared out of service`,
  terminated: () => "there are too many finished Pods",
};

const keyOf = (reason: Reason, pod: Pod): string => `${reason}/${objectKey(pod)}`;

/** gcTerminating: nobody is there to end the Pod, and somebody vouches for it. */
const isOutOfService = (node: Node): boolean => conditionOf(node, "Ready")?.status !== "True" && (node.spec?.taints?.some((taint) => taint.key === "node.kubernetes.io/out-of-service") ?? false);

const isEvicted = ({ status }: Pod): boolean => status?.phase === "Failed" && status.reason === "Evicted";
const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? "";

/** byEvictionAndCreationTimestamp: the evicted first, then the oldest. */
function olderFirst(a: Pod, b: Pod): number {
  if (isEvicted(a) !== isEvicted(b)) return isEvicted(a) ? -1 : 1;
  if (created(a) !== created(b)) return created(a) < created(b) ? -1 : 1;
  return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
}

/** gcOrphaned: missing nodes go into quarantine; those that come out of it are asked for. */
function missingNodes(pods: readonly Pod[], view: View<PodGCMemory>): { readonly due: readonly string[]; readonly missing: PMap<Micros> } {
  const names = [...new Set(pods.map(({ spec }) => spec.nodeName ?? "").filter((name) => name !== "" && view.get("nodes", name) === undefined))];
  const isDue = (name: string): boolean => view.now - (view.memory.missing.get(name) ?? view.now) >= QUARANTINE;
  return { due: names.filter(isDue), missing: PMap.from(names.map((name) => [name, isDue(name) ? view.now : (view.memory.missing.get(name) ?? view.now)] as const)) };
}

function tick(_name: string, view: View<PodGCMemory>): Handled<PodGCMemory> {
  const pods = view.list<Pod>("pods");
  const terminated = pods.filter(isPodTerminal);
  const surplus = terminated.length - TERMINATED_THRESHOLD;
  const terminating = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined);
  const { due, missing } = missingNodes(pods, view);
  const outOfService = terminating.filter((pod) => {
    const node = view.get<Node>("nodes", pod.spec.nodeName ?? "");
    return node !== undefined && isOutOfService(node);
  });
  const keys = [
    ...(surplus > 0 ? terminated.toSorted(olderFirst).slice(0, surplus).map((pod) => keyOf("terminated", pod)) : []),
    ...outOfService.toSorted(olderFirst).map((pod) => keyOf("out-of-service", pod)),
    ...due.map((name) => `node/${name}`),
    ...terminating.filter(({ spec }) => !spec.nodeName).map((pod) => keyOf("unscheduled", pod)),
  ];
  const same = missing.size === 0 && view.memory.missing.size === 0;
  return { keys: keys.map((key) => ({ key })), ...(same ? {} : { memory: { missing } }) };
}

/** markFailedAndDeletePod: nobody else would tell that it has failed. */
function endPod(pod: Pod, reason: Reason, now: Micros): Plan<string, PodGCMemory> {
  const { name = "", uid, generation } = pod.metadata;
  const subject = subjectOf(pod);
  const note: Note = { text: `pod-garbage-collector deletes Pod ${name}`.slice(0, 138), why: WHY[reason](pod.spec.nodeName ?? ""), level: "basic", subject };
  const remove: ApiCall = { method: "DELETE", path: objectPath(pod), body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 }, subject };
  if (isPodTerminal(pod)) return { batches: [[remove]], notes: [note], next: reason };
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const told: Condition = { type: "DisruptionTarget", status: "True", reason: "DeletionByPodGC", message: "PodGC: node no longer exists", ...observed, lastTransitionTime: rfc3339(now) };
  const target = reason === "orphan" ? { conditions: withCondition(pod.status?.conditions?.filter(({ type }) => type === told.type), told) } : {};
  const body = { metadata: { uid }, status: { ...observed, phase: "Failed", ...target } };
  const patch: ApiCall = { method: "PATCH", path: `${objectPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body, subject };
  return { batches: [[patch], [remove]], notes: [note], next: reason };
}

function sync(key: string, view: View<PodGCMemory>): Plan<string, PodGCMemory> {
  const at = key.indexOf("/");
  const name = key.slice(at + 1);
  if (key.startsWith("node/")) return { batches: [[{ method: "GET", path: `/api/v1/nodes/${name}`, subject: `node/${name}`, level: "source" }]], next: "node" };
  const pod = view.get<Pod>("pods", name);
  return pod === undefined ? {} : endPod(pod, key.slice(0, at) as Reason, view.now);
}

/** The server has no such node either: its Pods go. What fails is left for the next round. */
function resume(key: string, next: string, answers: readonly Answer[], view: View<PodGCMemory>): Plan<string, PodGCMemory> {
  const node = key.slice("node/".length);
  if (next === "node") return answers[0]?.status === 404 ? { enqueue: view.list<Pod>("pods").filter(({ spec }) => spec.nodeName === node).map((pod) => ({ key: keyOf("orphan", pod) })) } : {};
  const failed = answers.find((answer) => answer.sent && !isSuccess(answer) && answer.status !== 404);
  return failed === undefined ? {} : { notes: [{ text: `pod-garbage-collector could not delete ${key.slice(key.indexOf("/") + 1)}`.slice(0, 138), why: messageOf(failed), status: "idle" }] };
}

/** Every 20 s removes Pods that nobody else will: of missing nodes, terminating on nodes out of service, terminating without a node, finished beyond the limit. */
export const createPodGarbageCollector = (config: ControllerConfig): Component<ControllerState<string, PodGCMemory>> =>
  createController<string, PodGCMemory>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      workers: 4,
      latency: "controller.sync",
      memory: { missing: PMap.empty() },
      tickers: [{ name: "gc", period: PERIOD, first: 11_000_000, cold: 100_000 }],
      handle: () => ({}),
      sync,
      resume,
      tick,
    },
    config,
  );

export const podGCWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
