// Models kubernetes/pkg/controller/endpointslice/endpointslice_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { EndpointSlice, Node, Pod, Service } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, type Plan, reasonOf, watchesOf } from "../controller.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { podEndpointsChanged } from "./endpoint.ts";
import { LABEL_MANAGED_BY, LABEL_SERVICE_NAME, MANAGED_BY, reconcileSlices } from "./reconcile.ts";
import { lastChangeTriggerTime, type TriggerTimes, withTriggerTime } from "./trigger-time-tracker.ts";

const ID = "endpointslice-controller";
const RESOURCES = ["services", "pods", "endpointslices", "nodes"] as const;

/** What was known of each Service's times when it was last synced, by its key. */
type Memory = PMap<TriggerTimes>;

const serviceKeyOf = (slice: EndpointSlice): string => `${slice.metadata.namespace ?? ""}/${slice.metadata.labels?.[LABEL_SERVICE_NAME] ?? ""}`;

/** Whether a Service's selector, a plain set of labels, picks the Pod. */
export function selects(selector: Readonly<Record<string, string>>, pod: Pod): boolean {
  const labels = pod.metadata.labels;
  for (const key in selector) if (labels?.[key] !== selector[key]) return false;
  return true;
}

/** Keys of the Services in the Pod's namespace that select these labels. */
export function servicesOfPod(pod: Pod, view: Pick<View, "byIndex">): readonly string[] {
  const keys: string[] = [];
  for (const service of view.byIndex<Service>("servicesByNamespace", pod.metadata.namespace ?? "")) {
    if (service.spec.selector && Object.keys(service.spec.selector).length > 0 && selects(service.spec.selector, pod)) keys.push(objectKey(service));
  }
  return keys;
}

/** Services that a change of a Pod concerns. */
export function servicesToUpdate(change: Change, view: Pick<View, "byIndex">): readonly Enqueue[] {
  const pod = change.object as Pod;
  if (change.type !== "update") return servicesOfPod(pod, view).map((key) => ({ key }));
  const old = change.old as Pod;
  const relabelled = old.metadata.labels !== pod.metadata.labels;
  if (!relabelled && !podEndpointsChanged(old, pod)) return [];
  const keys = new Set(servicesOfPod(pod, view));
  if (relabelled) {
    const before = servicesOfPod(old, view);
    if (!podEndpointsChanged(old, pod)) return [...new Set([...keys].filter((key) => !before.includes(key)).concat(before.filter((key) => !keys.has(key))))].map((key) => ({ key }));
    for (const key of before) keys.add(key);
  }
  return [...keys].map((key) => ({ key }));
}

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  if (resource === "services") return { keys: [{ key: objectKey(change.object) }] };
  if (resource === "pods") return { keys: servicesToUpdate(change, view) };
  if (resource !== "endpointslices") return {};
  const slice = change.object as EndpointSlice;
  // Own writes come back with what the cache wants; only a slice that vanished or was changed by others needs work.
  if (slice.metadata.labels?.[LABEL_MANAGED_BY] !== MANAGED_BY || change.type === "add") return {};
  return { keys: [{ key: serviceKeyOf(slice) }] };
}

const MAX_NAMED = 3;

function podNames(slices: readonly EndpointSlice[], wanted: (ready: boolean, serving: boolean) => boolean): string[] {
  return slices.flatMap((slice) => (slice.endpoints ?? []).filter((endpoint) => wanted(endpoint.conditions?.ready ?? false, endpoint.conditions?.serving ?? false)).map((endpoint) => endpoint.targetRef?.name ?? ""));
}

function describe(service: Service, before: readonly EndpointSlice[], after: readonly EndpointSlice[]): Note {
  const name = objectKey(service);
  const readyBefore = new Set(podNames(before, (ready) => ready));
  const listed = new Set(podNames(before, () => true));
  const became = podNames(after, (ready) => ready).filter((pod) => !readyBefore.has(pod));
  const added = podNames(after, (ready) => !ready).filter((pod) => !listed.has(pod));
  const subject = subjectOf(service);
  const some = (pods: readonly string[]): string => (pods.length > MAX_NAMED ? `${pods.length} Pods` : pods.join(", "));
  const base = { subject, level: "basic", data: { service: name, slices: after } } as const;
  if (became.length > 0) return { ...base, text: `endpointslice-controller writes ${some(became)} as ready into the EndpointSlice of ${name}`, why: "the Pod's Ready condition is True and it is not terminating" };
  if (added.length > 0) return { ...base, text: `endpointslice-controller lists ${some(added)} in the EndpointSlice of ${name} as not ready`, why: "the Pod has an address, but its Ready condition is not True yet: no traffic for it" };
  const lost = [...readyBefore].filter((pod) => !podNames(after, (ready) => ready).includes(pod));
  if (lost.length > 0) return { ...base, text: `endpointslice-controller takes ${some(lost)} out of the ready endpoints of ${name}`, why: "the Pod is terminating, not Ready any more, or gone" };
  return { ...base, level: listed.size === 0 && podNames(after, () => true).length === 0 ? "basic" : "operator", text: `endpointslice-controller writes the EndpointSlice of ${name}`, why: after.some((slice) => (slice.endpoints ?? []).length > 0) ? "a Pod, a label or a port changed" : "no Pod with an address matches the Service's selector" };
}

function sync(key: string, view: View<Memory>): Plan<unknown, Memory> {
  const service = view.get<Service>("services", key);
  if (!service) return { memory: view.memory.delete(key) };
  // Slices of a deleted Service go by garbage collection; one without selector has its slices made by others.
  if (service.metadata.deletionTimestamp !== undefined || service.spec.type === "ExternalName") return {};
  if (!service.spec.selector) return {};
  const namespace = service.metadata.namespace ?? "";
  const { selector } = service.spec;
  const pods = view.byIndex<Pod>("podsByNamespace", namespace).filter((pod) => selects(selector, pod));
  const existing = view.byIndex<EndpointSlice>("slicesByService", key).filter((slice) => slice.metadata.deletionTimestamp === undefined);
  // Simplified: upstream writes one set of slices for each of the Service's address families.
  const addressType = service.spec.ipFamilies?.[0] ?? "IPv4";
  const changes = reconcileSlices(service, pods, existing, (name) => view.get<Node>("nodes", name), addressType);
  const { trigger, times } = lastChangeTriggerTime(view.memory.get(key), service, pods);
  const memory = view.memory.set(key, times);
  const calls: ApiCall[] = [
    ...changes.create.map((slice): ApiCall => ({ method: "POST", path: collectionPath("EndpointSlice", namespace), body: withTriggerTime(slice, trigger), subject: `endpointslice/${namespace}/${service.metadata.name ?? ""}-` })),
    ...changes.update.map((slice): ApiCall => ({ method: "PUT", path: objectPath(slice), body: withTriggerTime(slice, trigger), subject: subjectOf(slice) })),
    ...changes.delete.map((slice): ApiCall => ({ method: "DELETE", path: objectPath(slice), subject: subjectOf(slice) })),
  ];
  if (calls.length === 0) return { memory };
  const rest = existing.filter((slice) => !changes.delete.includes(slice) && !changes.update.some((entry) => entry.metadata.name === slice.metadata.name));
  return { batches: [calls], notes: [describe(service, existing, [...rest, ...changes.update, ...changes.create])], next: key, memory };
}

function resume(key: string, _data: unknown, answers: readonly Answer[], view: View<Memory>): Plan<unknown, Memory> {
  const failed = answers.filter((answer) => !(answer.status === 404));
  const error = reasonOf(failed);
  const service = view.get<Service>("services", key);
  // A namespace that is going refuses new slices: upstream does not retry then.
  if (error === undefined || !service || error.includes("because it is being terminated")) return {};
  return { error, events: [{ object: service, type: "Warning", reason: "FailedToUpdateEndpointSlices", message: `Error updating Endpoint Slices for Service ${key}: ${error}` }] };
}

/** Keeps, for each Service with a selector, slices with the addresses of its Pods and whether each may get traffic. */
export const createEndpointSliceController = (config: ControllerConfig): Component<ControllerState<unknown, Memory>> =>
  createController<unknown, Memory>(
    {
      id: ID,
      account: ID,
      eventSource: "endpoint-slice-controller",
      resources: RESOURCES,
      indexers: {
        servicesByNamespace: byNamespace("services"),
        podsByNamespace: byNamespace("pods"),
        slicesByService: { resource: "endpointslices", values: (object) => (object.metadata.labels?.[LABEL_MANAGED_BY] === MANAGED_BY ? [serviceKeyOf(object as EndpointSlice)] : []) },
      },
      workers: 5,
      maxRetries: 15,
      retryBase: 1_000_000,
      retryMax: 1_000_000_000,
      latency: "endpointslice.sync",
      memory: PMap.empty(),
      handle,
      sync,
      resume,
    },
    config,
  );

export const endpointSliceWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);

