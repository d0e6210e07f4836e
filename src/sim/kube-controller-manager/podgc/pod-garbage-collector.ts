// Models kubernetes/pkg/controller/podgc/gc_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type ControllerConfig, type ControllerState, createController, type Handled, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { conditionOf, isPodTerminal } from "../pods.ts";
import { objectPath, subjectOf } from "../resources.ts";

const ID = "pod-garbage-collector";
const RESOURCES = ["pods", "nodes"] as const;
const PERIOD: Micros = 20_000_000;
/** A node must be missing for so long before its Pods are removed. */
const QUARANTINE: Micros = 40_000_000;
const TERMINATED_THRESHOLD = 12_500;

/** When each missing node was first missed. */
export interface PodGCMemory {
  readonly missing: PMap<Micros>;
}

/** gcTerminating: nobody is there to end the Pod, and somebody vouches for it. */
const isOutOfService = (node: Node): boolean => conditionOf(node, "Ready")?.status !== "True" && (node.spec?.taints?.some((taint) => taint.key === "node.kubernetes.io/out-of-service") ?? false);

const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? "";

function tick(_name: string, view: View<PodGCMemory>): Handled<PodGCMemory> {
  const pods = view.list<Pod>("pods");
  let missing = PMap.empty<Micros>();
  const keys: string[] = [];
  for (const pod of pods) {
    const node = pod.spec.nodeName;
    if (!node) {
      if (pod.metadata.deletionTimestamp !== undefined) keys.push(`unscheduled/${objectKey(pod)}`);
      continue;
    }
    const known = view.get<Node>("nodes", node);
    if (known) {
      if (pod.metadata.deletionTimestamp !== undefined && isOutOfService(known)) keys.push(`out-of-service/${objectKey(pod)}`);
      continue;
    }
    const since = view.memory.missing.get(node) ?? view.now;
    missing = missing.set(node, since);
    if (view.now - since >= QUARANTINE) keys.push(`orphan/${objectKey(pod)}`);
  }
  const terminated = pods.filter(isPodTerminal);
  const surplus = terminated.length - TERMINATED_THRESHOLD;
  if (surplus > 0) for (const pod of [...terminated].sort((a, b) => (created(a) < created(b) ? -1 : 1)).slice(0, surplus)) keys.push(`terminated/${objectKey(pod)}`);
  const same = missing.size === 0 && view.memory.missing.size === 0;
  return { keys: keys.map((key) => ({ key })), ...(same ? {} : { memory: { missing } }) };
}

function sync(key: string, view: View<PodGCMemory>): Plan<string, PodGCMemory> {
  const at = key.indexOf("/");
  const why = key.slice(0, at);
  const pod = view.get<Pod>("pods", key.slice(at + 1));
  if (!pod || (why === "orphan" && view.get("nodes", pod.spec.nodeName ?? ""))) return {};
  const failed = isPodTerminal(pod) ? {} : { phase: "Failed" };
  const condition = { type: "DisruptionTarget", status: "True", reason: "DeletionByPodGC", message: "PodGC: node no longer exists", lastTransitionTime: rfc3339(view.now) };
  const status = why === "orphan" ? { ...failed, conditions: [condition] } : failed;
  const note: Note = { text: `pod-garbage-collector deletes Pod ${pod.metadata.name ?? ""}`, why: why === "orphan" ? `its node ${pod.spec.nodeName ?? ""} does not exist any more` : why === "unscheduled" ? "it is terminating and was never bound to a node" : why === "out-of-service" ? `its node ${pod.spec.nodeName ?? ""} is not ready and was declared out of service` : "there are too many finished Pods", level: "basic", subject: subjectOf(pod) };
  const patch: ApiCall = { method: "PATCH", path: `${objectPath(pod)}/status`, contentType: "application/strategic-merge-patch+json", body: { status }, subject: subjectOf(pod) };
  const remove: ApiCall = { method: "DELETE", path: objectPath(pod), body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } }, subject: subjectOf(pod) };
  return { batches: Object.keys(status).length > 0 ? [[patch], [remove]] : [[remove]], notes: [note], next: key };
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
      tickers: [{ name: "gc", period: PERIOD, first: 11_000_000 }],
      handle: () => ({}),
      sync,
      resume: (_key, _data, answers) => {
        const error = answers.some((answer) => answer.status === 404) ? undefined : reasonOf(answers);
        return error === undefined ? {} : { error };
      },
      tick,
    },
    config,
  );

export const podGCWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
