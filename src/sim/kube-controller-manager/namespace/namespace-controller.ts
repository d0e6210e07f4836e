// Models kubernetes/pkg/controller/namespace/{namespace_controller.go,deletion/namespaced_resources_deleter.go}
import type { WatchSpec } from "../../api/http.ts";
import type { KubeObject, Namespace, Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import { customOf, DISCOVERY } from "../../client-go/discovery.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, isSuccess, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { collectionOf, objectPath, type ResourceInfo, RESOURCES, resourceOfKind } from "../resources.ts";
import { deletionConditions, NOTHING_REMAINS, type Remaining, sameConditions } from "./conditions.ts";

const ID = "namespace-controller";
/** Caches of other controllers get time to see that the namespace is going. */
const GRACE: Micros = 5_000_000;
/** Simplified: upstream discovers every namespaced resource that the server can delete; here only custom resources are discovered. */
const CONTENT: readonly ResourceInfo[] = RESOURCES.filter((info) => info.namespaced && info.kind !== "Pod");

type Step = "pods" | "found" | "left" | "remove" | "finalize";
interface SyncData {
  readonly step: Step;
  readonly listed?: readonly ResourceInfo[];
  readonly remaining?: Remaining;
}

const PODS = resourceOfKind("Pod") as ResourceInfo;
const list = (info: ResourceInfo, namespace: string): ApiCall => ({ method: "GET", path: collectionOf(info, namespace), subject: `${info.resource} of ${namespace}`, level: "source" });
const removeAll = (info: ResourceInfo, namespace: string): ApiCall => ({ method: "DELETE", path: collectionOf(info, namespace), body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" }, subject: `${info.resource} of ${namespace}` });
const discovery: ApiCall = { method: "GET", path: "/apis", accept: DISCOVERY, subject: "/apis", level: "source" };
const itemsOf = (answer: Answer | undefined): readonly KubeObject[] => (answer && isSuccess(answer) ? ((answer.body as { items?: readonly KubeObject[] }).items ?? []) : []);

function sync(name: string, view: View): Plan<SyncData> {
  const namespace = view.get<Namespace>("namespaces", name);
  if (!namespace || namespace.metadata.deletionTimestamp === undefined) return {};
  if ((namespace.spec?.finalizers ?? []).length === 0) return {};
  const note: Note = { text: `namespace-controller deletes the Pods of namespace ${name}`, why: "all Pods go first, the rest when none is left (OrderedNamespaceDeletion)", level: "basic", subject: `namespace/${name}` };
  return { batches: [[removeAll(PODS, name)], [list(PODS, name), discovery]], notes: [note], next: { step: "pods" } };
}

function resume(name: string, data: SyncData, answers: readonly Answer[], view: View): Plan<SyncData> {
  const namespace = view.get<Namespace>("namespaces", name);
  const error = reasonOf(answers.filter((answer) => answer.status !== 404 && answer.status !== 405));
  if (!namespace) return {};
  if (error !== undefined) return { error };
  switch (data.step) {
    case "pods": {
      const pods = itemsOf(answers[1]) as readonly Pod[];
      if (pods.length === 0) {
        const content = [...CONTENT, ...customOf(answers[2]?.body).filter(({ namespaced }) => namespaced)];
        return { batches: [content.map((info) => list(info, name))], next: { step: "found", listed: content } };
      }
      const grace = pods.reduce((max, pod) => Math.max(max, pod.metadata.deletionGracePeriodSeconds ?? 0), 0);
      return waitFor(namespace, NOTHING_REMAINS, (Math.floor(grace / 2) + 1) * 1_000_000, view);
    }
    case "found": {
      const kinds = (data.listed ?? []).filter((_info, i) => itemsOf(answers[i]).length > 0);
      if (kinds.length === 0) return finalize(namespace, view);
      const note: Note = { text: `namespace-controller deletes what is left in namespace ${name}`, why: kinds.map(({ kind }) => kind).join(", "), level: "basic", subject: `namespace/${name}` };
      return { batches: [kinds.map((kind) => removeAll(kind, name)), kinds.map((kind) => list(kind, name))], notes: [note], next: { step: "left", listed: kinds } };
    }
    case "left": {
      const kinds = data.listed ?? [];
      const remaining = remainingOf(kinds, answers.slice(kinds.length));
      return remaining.resources.length === 0 ? finalize(namespace, view) : waitFor(namespace, remaining, GRACE, view);
    }
    case "remove":
      return { batches: [[finalizeCall(answers[0]?.body as Namespace | undefined ?? namespace)]], next: { step: "finalize" } };
    case "finalize":
      return {};
  }
}

function remainingOf(kinds: readonly ResourceInfo[], answers: readonly Answer[]): Remaining {
  const resources: [string, number][] = [];
  const finalizers = new Map<string, number>();
  kinds.forEach((info, i) => {
    const items = itemsOf(answers[i]);
    if (items.length > 0) resources.push([`${info.resource}.${info.apiVersion.includes("/") ? (info.apiVersion.split("/")[0] ?? "") : ""}`, items.length]);
    for (const item of items) for (const finalizer of item.metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  });
  return { resources, finalizers: [...finalizers] };
}

/** Says in the status what is left; the update itself brings the namespace back after the grace period. */
function waitFor(namespace: Namespace, remaining: Remaining, after: Micros, view: View): Plan<SyncData> {
  const conditions = deletionConditions(namespace.status?.conditions, remaining, view.now);
  const name = namespace.metadata.name ?? "";
  if (sameConditions(namespace.status?.conditions, conditions)) return { enqueue: [{ key: name, after }] };
  return { batches: [[statusCall(namespace, conditions)]] };
}

const statusCall = (namespace: Namespace, conditions: readonly unknown[]): ApiCall => ({ method: "PUT", path: `${objectPath(namespace)}/status`, body: { ...namespace, status: { ...namespace.status, phase: "Terminating", conditions } }, subject: `namespace/${namespace.metadata.name ?? ""}` });

const finalizeCall = (namespace: Namespace): ApiCall => ({
  method: "PUT",
  path: `${objectPath(namespace)}/finalize`,
  body: { ...namespace, spec: { ...namespace.spec, finalizers: (namespace.spec?.finalizers ?? []).filter((entry) => entry !== "kubernetes") } },
  subject: `namespace/${namespace.metadata.name ?? ""}`,
});

function finalize(namespace: Namespace, view: View): Plan<SyncData> {
  const conditions = deletionConditions(namespace.status?.conditions, NOTHING_REMAINS, view.now);
  const name = namespace.metadata.name ?? "";
  const note: Note = { text: `namespace-controller removes the finalizer "kubernetes" of namespace ${name}`, why: "nothing is left in it: now it may vanish", level: "basic", subject: `namespace/${name}` };
  if (sameConditions(namespace.status?.conditions, conditions)) return { batches: [[finalizeCall(namespace)]], notes: [note], next: { step: "finalize" } };
  return { batches: [[statusCall(namespace, conditions)]], notes: [note], next: { step: "remove" } };
}

/** Empties namespaces that are being deleted, Pods first, and lets them go. */
export const createNamespaceController = (config: ControllerConfig): Component<ControllerState<SyncData>> =>
  createController<SyncData, unknown>(
    {
      id: ID,
      account: ID,
      resources: ["namespaces"],
      workers: 10,
      retryMax: 60_000_000,
      latency: "controller.sync",
      memory: undefined,
      handle: (change) => (change.type !== "delete" && change.object.metadata.deletionTimestamp !== undefined ? { keys: [{ key: change.object.metadata.name ?? "", after: GRACE }] } : {}),
      sync,
      resume,
    },
    config,
  );

export const namespaceWatches = (): WatchSpec[] => watchesOf(ID, ["namespaces"]);
