// Models kubernetes/pkg/controller/volume/ephemeral/controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import { claimKeysOf, type PersistentVolumeClaim } from "../../api/storage.ts";
import type { Pod } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import type { Component } from "../../kernel/types.ts";
import type { View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { controllerOf, ownerReferenceTo } from "../pods.ts";
import { collectionPath, subjectOf } from "../resources.ts";

const ID = "ephemeral-volume-controller";
const RESOURCES = ["pods", "persistentvolumeclaims"] as const;

/** Names of the volumes whose claims are being made, in order. */
type Making = readonly { readonly volume: string; readonly claim: string }[];

const wanted = (pod: Pod): boolean => pod.metadata.deletionTimestamp === undefined && (pod.spec.volumes ?? []).some((volume) => volume.ephemeral !== undefined);

function handle(change: Change, resource: string, view: View): Handled<unknown> {
  // A Pod's volumes never change: only new Pods and lost claims matter.
  if (resource === "pods") return change.type === "add" && wanted(change.object as Pod) ? { keys: [{ key: objectKey(change.object) }] } : {};
  if (change.type !== "delete") return {};
  return { keys: view.byIndex<Pod>("podsByClaim", objectKey(change.object)).filter(wanted).map((pod) => ({ key: objectKey(pod) })) };
}

const failed = (pod: Pod, volume: string, cause: string): Plan<Making> => ({
  events: [{ object: pod, type: "Warning", reason: "FailedBinding", message: `ephemeral volume ${volume}: ${cause}` }],
  error: `pod ${objectKey(pod)}, ephemeral volume ${volume}: ${cause}`,
});

function sync(key: string, view: View): Plan<Making> {
  const pod = view.get<Pod>("pods", key);
  if (!pod || pod.metadata.deletionTimestamp !== undefined) return {};
  const namespace = pod.metadata.namespace ?? "";
  const making: { volume: string; claim: string }[] = [];
  const calls: ApiCall[] = [];
  for (const { name, ephemeral } of pod.spec.volumes ?? []) {
    if (ephemeral === undefined) continue;
    const claim = `${pod.metadata.name ?? ""}-${name}`;
    const found = view.get<PersistentVolumeClaim>("persistentvolumeclaims", `${namespace}/${claim}`);
    if (found && controllerOf(found)?.uid === pod.metadata.uid) continue;
    // What comes before the stranger is made, what comes after waits for the next try.
    if (found) return calls.length === 0 ? failed(pod, name, `PVC ${namespace}/${claim} was not created for pod ${key} (pod is not owner)`) : create(pod, calls, making, [{ key }]);
    const template = ephemeral.volumeClaimTemplate as { readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> }; readonly spec?: unknown } | undefined;
    const { labels, annotations } = template?.metadata ?? {};
    const metadata = { name: claim, namespace, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }), ownerReferences: [ownerReferenceTo(pod)] };
    calls.push({ method: "POST", path: collectionPath("PersistentVolumeClaim", namespace), body: { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: template?.spec ?? {} }, subject: `persistentvolumeclaim/${namespace}/${claim}` });
    making.push({ volume: name, claim });
  }
  return calls.length === 0 ? {} : create(pod, calls, making);
}

const create = (pod: Pod, calls: readonly ApiCall[], making: Making, enqueue: Plan["enqueue"] = []): Plan<Making> => ({
  batches: calls.map((call) => [call]),
  next: making,
  enqueue,
  notes: [{ text: `ephemeral-volume-controller makes claim ${making[0]?.claim ?? ""} for Pod ${pod.metadata.name ?? ""}`.slice(0, 138), why: "the Pod owns the claim: it goes with the Pod", level: "basic", subject: subjectOf(pod), status: "idle" }],
});

function resume(key: string, making: Making, answers: readonly Answer[], view: View): Plan<Making> {
  const at = answers.findIndex((answer) => answer.sent && !isSuccess(answer));
  const answer = answers[at];
  const pod = view.get<Pod>("pods", key);
  if (answer === undefined || !pod) return {};
  return failed(pod, making[at]?.volume ?? "", `create PVC ${making[at]?.claim ?? ""}: ${messageOf(answer)}`);
}

/** Makes the claims of a Pod's generic ephemeral volumes. */
export const createEphemeralVolumeController = (config: ControllerConfig): Component<ControllerState<Making>> =>
  createController<Making, unknown>(
    {
      id: ID,
      account: ID,
      eventSource: "ephemeral_volume",
      resources: RESOURCES,
      indexers: { podsByClaim: { resource: "pods", values: (object) => claimKeysOf(object as Pod) } },
      workers: 5,
      latency: "persistentvolume.sync",
      memory: undefined,
      handle,
      sync,
      resume,
    },
    config,
  );

export const ephemeralVolumeWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
