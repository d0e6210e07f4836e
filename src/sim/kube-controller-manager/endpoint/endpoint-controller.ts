// Models kubernetes/pkg/controller/endpoint/endpoints_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { KubeObject, Pod, Service } from "../../api/types.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { selects, servicesToUpdate } from "../endpointslice/endpointslice-controller.ts";
import { LABEL_HEADLESS } from "../endpointslice/reconcile.ts";
import { LAST_CHANGE_TRIGGER_TIME, lastChangeTriggerTime, type TriggerTimes } from "../endpointslice/trigger-time-tracker.ts";
import { repackSubsets, type Subset } from "../endpointslicemirroring/repack.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath, pathOf, subjectOf } from "../resources.ts";
import { isOverCapacity, sameSubsets, subsetsOf, truncated, written } from "./subsets.ts";

const ID = "endpoint-controller";
const RESOURCES = ["services", "pods", "endpoints"] as const;
const LABEL_MANAGED_BY = "endpoints.kubernetes.io/managed-by";
const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
const LEADER = "control-plane.alpha.kubernetes.io/leader";

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly Subset[];
}

/** Of a Service: when its last changes were, and the version of its Endpoints that was replaced already. */
interface Known {
  readonly times?: TriggerTimes;
  readonly stale?: string;
}

/** By the Service's key. */
type Memory = PMap<Known>;

/** The write under way. Plain data. */
type Writing = { readonly kind: "delete" } | { readonly kind: "create" | "update"; readonly body: Endpoints };

type Texts = Readonly<Record<string, string>>;

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  if (resource === "services") return { keys: [{ key: objectKey(change.object) }] };
  if (resource === "pods") return { keys: servicesToUpdate(change, view) };
  return change.type === "delete" ? { keys: [{ key: objectKey(change.object) }] } : {};
}

/** checkLeftoverEndpoints: once, when it starts, Endpoints are looked at whose Service may have gone meanwhile; locks of leaders have none. */
const leftovers = (view: View<Memory>): Handled<Memory> => ({ keys: view.list<Endpoints>("endpoints").filter(({ metadata }) => metadata.annotations?.[LEADER] === undefined).map((object) => ({ key: objectKey(object) })) });

/** labelsCorrectForEndpoints: the Service's labels; whether it is headless is no reason to write. */
function sameLabels(has: Texts = {}, wanted: Texts = {}): boolean {
  const own = Object.keys(has).filter((key) => key !== LABEL_HEADLESS && key !== LABEL_MANAGED_BY);
  return has[LABEL_MANAGED_BY] === ID && own.length === Object.keys(wanted).length && own.every((key) => has[key] === wanted[key]);
}

function labelsFor({ metadata, spec }: Service): Texts {
  const { [LABEL_HEADLESS]: _headless, ...labels } = metadata.labels ?? {};
  const isHeadless = spec.clusterIP === undefined || spec.clusterIP === "" || spec.clusterIP === "None";
  return { ...labels, ...(isHeadless ? { [LABEL_HEADLESS]: "" } : {}), [LABEL_MANAGED_BY]: ID };
}

const isCurrent = (current: Endpoints, service: Service, subsets: readonly Subset[]): boolean =>
  (sameSubsets(current.subsets, subsets) || sameSubsets(written(repackSubsets(current.subsets ?? [])), subsets)) &&
  sameLabels(current.metadata.labels, service.metadata.labels) && !isOverCapacity(current.subsets ?? []) && current.metadata.annotations?.[OVER_CAPACITY] === undefined;

/** The Endpoints object that a Service with a selector has, as it is written at first. */
export function endpointsOf(service: Service, pods: readonly Pod[], metadata: KubeObject["metadata"]): Endpoints {
  const subsets = written(truncated(subsetsOf(service, pods)));
  return { apiVersion: "v1", kind: "Endpoints", metadata: { ...metadata, labels: labelsFor(service) }, ...(subsets.length === 0 ? {} : { subsets }) };
}

function sync(key: string, view: View<Memory>): Plan<Writing, Memory> {
  const service = view.get<Service>("services", key);
  const [namespace = "", name = ""] = key.split("/");
  const subject = `endpoints/${key}`;
  if (!service) return { batches: [[{ method: "DELETE", path: pathOf("Endpoints", namespace, name), subject }]], next: { kind: "delete" } };
  if (service.spec.type === "ExternalName" || !service.spec.selector) return {};
  const { selector } = service.spec;
  const pods = view.byIndex<Pod>("podsByNamespace", namespace).filter((pod) => selects(selector, pod));
  const known = view.memory.get(key);
  const { trigger, times } = lastChangeTriggerTime(known?.times, service, pods);
  const memory = view.memory.set(key, { ...known, times });
  const packed = subsetsOf(service, pods);
  const current = view.get<Endpoints>("endpoints", key);
  if (current !== undefined && known?.stale === current.metadata.resourceVersion) return { memory, error: `endpoints informer cache is out of date, resource version ${known?.stale ?? ""} already processed for endpoints ${key}` };
  if (current !== undefined && isCurrent(current, service, written(packed))) return { memory };
  const { [LAST_CHANGE_TRIGGER_TIME]: _time, [OVER_CAPACITY]: _over, ...kept } = current?.metadata.annotations ?? {};
  const annotations = { ...kept, ...(trigger ? { [LAST_CHANGE_TRIGGER_TIME]: trigger } : {}), ...(isOverCapacity(packed) ? { [OVER_CAPACITY]: "truncated" } : {}) };
  const { annotations: _annotations, ...metadata } = current?.metadata ?? { name };
  const subsets = written(truncated(packed));
  const body: Endpoints = { apiVersion: "v1", kind: "Endpoints", metadata: { ...metadata, labels: labelsFor(service), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) }, ...(subsets.length === 0 ? {} : { subsets }) };
  const ready = subsets.reduce((sum, subset) => sum + (subset.addresses?.length ?? 0), 0);
  const note: Note = { text: `endpoint-controller writes Endpoints ${key}: ${ready} ready`, why: "the form of old, beside the slices: some programs still read it", subject: subjectOf(service), level: "source" };
  const call = current === undefined ? ({ method: "POST", path: collectionPath("Endpoints", namespace), body, subject } as const) : ({ method: "PUT", path: pathOf("Endpoints", namespace, name), body, subject } as const);
  return { memory, notes: [note], batches: [[call]], next: { kind: current === undefined ? "create" : "update", body } };
}

function resume(key: string, data: Writing, [answer]: readonly Answer[], view: View<Memory>): Plan<Writing, Memory> {
  if (answer === undefined) return {};
  if (data.kind === "delete") return isSuccess(answer) || answer.status === 404 ? { memory: view.memory.delete(key) } : { error: messageOf(answer) };
  if (isSuccess(answer)) {
    const before = data.body.metadata.resourceVersion;
    // A cache that still has the version that was replaced is behind.
    const replaced = data.kind === "update" && before !== undefined && (answer.body as KubeObject).metadata.resourceVersion !== before;
    return replaced ? { memory: view.memory.set(key, { ...view.memory.get(key), stale: before }) } : {};
  }
  if (data.kind === "create" && answer.status === 403 && isNamespaceTerminating(answer)) return {};
  const error = messageOf(answer);
  const told = data.kind === "create" ? { reason: "FailedToCreateEndpoint", message: `Failed to create endpoint for service ${key}: ${error}` } : { reason: "FailedToUpdateEndpoint", message: `Failed to update endpoint ${key}: ${error}` };
  return { error, events: [{ object: data.body, type: "Warning", ...told }] };
}

/** Keeps the legacy Endpoints object beside the slices (deprecated since 1.33, still written). */
export const createEndpointController = (config: ControllerConfig): Component<ControllerState<Writing, Memory>> =>
  createController<Writing, Memory>(
    {
      id: ID,
      account: ID,
      resources: RESOURCES,
      indexers: { servicesByNamespace: byNamespace("services"), podsByNamespace: byNamespace("pods") },
      workers: 5,
      maxRetries: 15,
      // It remembers which version it has replaced instead.
      consistent: [],
      latency: "endpoint.sync",
      memory: PMap.empty(),
      handle,
      synced: leftovers,
      sync,
      resume,
    },
    config,
  );

export const endpointWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);
