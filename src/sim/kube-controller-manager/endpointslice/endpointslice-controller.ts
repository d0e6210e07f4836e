// Models kubernetes/pkg/controller/endpointslice/endpointslice_controller.go
import { objectKey, type WatchSpec } from "../../api/http.ts";
import type { EndpointSlice, KubeObject, Node, Pod, Service } from "../../api/types.ts";
import type { ApiCall } from "../../client-go/api-client.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import type { Change } from "../../client-go/informer.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { Component, Micros, Note } from "../../kernel/types.ts";
import { byNamespace, type View } from "../caches.ts";
import { type Answer, type ControllerConfig, type ControllerState, createController, type Enqueue, type Handled, isSuccess, messageOf, type Plan, watchesOf } from "../controller.ts";
import { aggregate } from "../controller-ref.ts";
import { isNamespaceTerminating } from "../pod-control.ts";
import { collectionPath, objectPath, subjectOf } from "../resources.ts";
import { podEndpointsChanged } from "./endpoint.ts";
import { familiesOf, LABEL_MANAGED_BY, LABEL_SERVICE_NAME, MANAGED_BY, reconcileFamily, recycled } from "./reconcile.ts";
import { deletionSeen, isStale, shouldSync, type Tracked, withDeleted, withWritten } from "./slice-tracker.ts";
import { addHints, cpuRatios, hintsEnabled, isNodeReady, isOverloaded, type SliceInfo, withoutHints, type Zones } from "./topology.ts";
import { followsTrafficDistribution, trafficHints } from "./traffic-distribution.ts";
import { lastChangeTriggerTime, type TriggerTimes, withTriggerTime } from "./trigger-time-tracker.ts";

const ID = "endpointslice-controller";
const RESOURCES = ["services", "pods", "endpointslices", "nodes"] as const;

/** What is known of a Service: when its last changes were, which slices were written for it, and its endpoints a zone by family if it has hints. */
interface Known {
  readonly times?: TriggerTimes;
  readonly slices?: Tracked;
  readonly hints?: Readonly<Record<string, Zones>>;
}

/** By the Service's key. */
type Memory = PMap<Known>;

const known = (memory: Memory, key: string): Known => memory.get(key) ?? {};

interface Op {
  readonly family: string;
  readonly kind: "create" | "update" | "delete" | "drop";
  readonly slice: EndpointSlice;
}

/** What is left of a sync: one write after the other. Plain data. */
interface Writing {
  readonly service: Service;
  readonly ops: readonly Op[];
  readonly errors: readonly string[];
  readonly events: readonly EventToRecord[];
}

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
  const changed = podEndpointsChanged(old, pod);
  if (!changed.labels) return changed.pod ? servicesOfPod(pod, view).map((key) => ({ key })) : [];
  const now = servicesOfPod(pod, view);
  const before = servicesOfPod(old, view);
  // With nothing but other labels a Service that selects both is not concerned.
  const both = changed.pod ? [] : now.filter((key) => before.includes(key));
  return [...new Set([...now, ...before])].filter((key) => !both.includes(key)).map((key) => ({ key }));
}

/** Work that a change of a slice by somebody else makes comes so much later, so that several are one. */
const SLICE_DELAY: Micros = 1_000_000;

const isManaged = (slice: EndpointSlice): boolean => slice.metadata.labels?.[LABEL_MANAGED_BY] === MANAGED_BY;
const later = (...slices: readonly EndpointSlice[]): Handled<Memory> => ({ keys: slices.filter((slice) => slice.metadata.labels?.[LABEL_SERVICE_NAME]).map((slice) => ({ key: serviceKeyOf(slice), after: SLICE_DELAY })) });

function onSlice(change: Change, view: View<Memory>): Handled<Memory> {
  const slice = change.object as EndpointSlice;
  const key = serviceKeyOf(slice);
  const { slices, ...rest } = known(view.memory, key);
  if (change.type === "delete") {
    if (!isManaged(slice) || slices === undefined) return {};
    const { tracked, expected } = deletionSeen(slices, slice);
    return { memory: view.memory.set(key, { ...rest, slices: tracked }), ...(expected ? {} : later(slice)) };
  }
  const old = change.type === "update" ? (change.old as EndpointSlice) : slice;
  if (serviceKeyOf(old) !== key) return later(slice, old);
  return isManaged(old) !== isManaged(slice) || (isManaged(slice) && shouldSync(slices, slice)) ? later(slice) : {};
}

const zoneOf = (node: KubeObject): string | undefined => node.metadata.labels?.["topology.kubernetes.io/zone"];

/** checkNodeTopologyDistribution: Services whose hints do not fit the nodes any more. */
function onNode(change: Change, view: View<Memory>): Handled<Memory> {
  if (change.type === "update" && isNodeReady(change.old as Node) === isNodeReady(change.object as Node) && zoneOf(change.old) === zoneOf(change.object)) return {};
  const hinted = view.memory.sorted().filter(([, { hints }]) => hints !== undefined);
  if (hinted.length === 0) return {};
  const ratios = cpuRatios(view.list<Node>("nodes"));
  return { keys: hinted.filter(([, { hints }]) => Object.values(hints ?? {}).some((zones) => isOverloaded(zones, ratios))).map(([key]) => ({ key })) };
}

function handle(change: Change, resource: string, view: View<Memory>): Handled<Memory> {
  switch (resource) {
    case "services":
      return { keys: [{ key: objectKey(change.object) }] };
    case "pods":
      return { keys: servicesToUpdate(change, view) };
    case "nodes":
      return onNode(change, view);
    default:
      return onSlice(change, view);
  }
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

function sync(key: string, view: View<Memory>): Plan<Writing, Memory> {
  const service = view.get<Service>("services", key);
  if (!service) return view.memory.has(key) ? { memory: view.memory.delete(key) } : {};
  if (service.spec.type === "ExternalName" || !service.spec.selector) return {};
  const { selector } = service.spec;
  const pods = view.byIndex<Pod>("podsByNamespace", service.metadata.namespace ?? "").filter((pod) => selects(selector, pod));
  const existing = view.byIndex<EndpointSlice>("slicesByService", key).filter((slice) => slice.metadata.deletionTimestamp === undefined);
  const before = known(view.memory, key);
  if (isStale(before.slices, existing)) return { error: "EndpointSlice informer cache is out of date" };
  const { trigger, times } = lastChangeTriggerTime(before.times, service, pods);
  const families = familiesOf(service);
  let { hints } = before;
  const ops: Op[] = [];
  const errors: string[] = [];
  const events: EventToRecord[] = [];
  for (const family of families) {
    const found = reconcileFamily(service, pods, existing.filter((slice) => slice.addressType === family), (name) => view.get<Node>("nodes", name), family);
    const hinted = withHints(service, family, found, hints, view);
    hints = hinted.hints;
    if (hinted.event !== undefined) events.push(hinted.event);
    errors.push(...found.errors);
    const changes = recycled(service, { ...found, ...hinted.info });
    // The garbage collector removes the slices of a Service that is going: no new ones meanwhile.
    if (service.metadata.deletionTimestamp === undefined) ops.push(...changes.create.map((slice): Op => ({ family, kind: "create", slice: withTriggerTime(slice, trigger) })));
    ops.push(...changes.update.map((slice): Op => ({ family, kind: "update", slice: withTriggerTime(slice, trigger) })), ...changes.delete.map((slice): Op => ({ family, kind: "delete", slice })));
  }
  ops.push(...existing.filter((slice) => !families.includes(slice.addressType ?? "")).map((slice): Op => ({ family: "", kind: "drop", slice })));
  const { hints: _hints, ...rest } = before;
  const memory = view.memory.set(key, { ...rest, times, ...(hints === undefined ? {} : { hints }) });
  return { ...write(key, { service, ops, errors, events }), memory, ...(ops.length === 0 ? {} : { notes: [describe(service, existing, afterwards(existing, ops))] }) };
}

/** The slices as they will be. */
function afterwards(existing: readonly EndpointSlice[], ops: readonly Op[]): readonly EndpointSlice[] {
  const touched = new Set(ops.map(({ slice }) => slice.metadata.name));
  return [...existing.filter((slice) => !touched.has(slice.metadata.name)), ...ops.filter(({ kind }) => kind === "create" || kind === "update").map(({ slice }) => slice)];
}

interface HintedFamily {
  readonly info: SliceInfo;
  readonly hints: Known["hints"];
  readonly event?: EventToRecord;
}

const without = (hints: Known["hints"], family: string): Known["hints"] => {
  const { [family]: _gone, ...rest } = hints ?? {};
  return Object.keys(rest).length === 0 ? undefined : rest;
};

/** Hints by the Service's annotation, or by its trafficDistribution, or none. */
function withHints(service: Service, family: string, found: SliceInfo, hints: Known["hints"], view: View<Memory>): HintedFamily {
  const tell = (type: "Normal" | "Warning", reason: string, text: string): EventToRecord => ({ object: service, type, reason, message: `${text}, addressType: ${family}` });
  if (hintsEnabled(service)) {
    const hinted = addHints(cpuRatios(view.list<Node>("nodes")), found);
    if ("why" in hinted) return { info: hinted.info, hints: without(hints, family), event: tell("Warning", "TopologyAwareHintsDisabled", hinted.why) };
    return { info: hinted.info, hints: { ...hints, [family]: hinted.zones }, ...(hints === undefined ? { event: tell("Normal", "TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled") } : {}) };
  }
  const info = followsTrafficDistribution(service) ? trafficHints(service, found) : withoutHints(found);
  return { info, hints: without(hints, family), ...(hints === undefined ? {} : { event: tell("Warning", "TopologyAwareHintsDisabled", "Topology Aware Hints has been disabled") }) };
}

const callOf = ({ kind, slice }: Op): ApiCall =>
  kind === "create" ? { method: "POST", path: collectionPath("EndpointSlice", slice.metadata.namespace), body: slice, subject: `endpointslice/${slice.metadata.namespace ?? ""}/${slice.metadata.generateName ?? ""}` }
  : kind === "update" ? { method: "PUT", path: objectPath(slice), body: slice, subject: subjectOf(slice) } : { method: "DELETE", path: objectPath(slice), subject: subjectOf(slice) };

/** The next write, or the end of the sync. */
function write(key: string, data: Writing): Plan<Writing, Memory> {
  const { service, ops: [op], errors, events } = data;
  if (op !== undefined) return { batches: [[callOf(op)]], next: data };
  const error = aggregate(errors);
  if (error === undefined) return { events };
  return { error, events: [...events, { object: service, type: "Warning", reason: "FailedToUpdateEndpointSlices", message: `Error updating Endpoint Slices for Service ${key}: ${error}` }] };
}

function resume(key: string, data: Writing, [answer]: readonly Answer[], view: View<Memory>): Plan<Writing, Memory> {
  const [op, ...ops] = data.ops;
  if (op === undefined || answer === undefined) return write(key, data);
  const { slice, kind, family } = op;
  if (isSuccess(answer)) {
    const before = known(view.memory, key);
    const slices = kind === "create" || kind === "update" ? withWritten(before.slices, answer.body as EndpointSlice) : withDeleted(before.slices, slice);
    return { ...write(key, { ...data, ops }), memory: view.memory.set(key, { ...before, slices }) };
  }
  // After a failure the rest of the family waits for the next try.
  const left = kind === "drop" ? ops : ops.filter((entry) => entry.family !== family);
  if (kind === "create" && isNamespaceTerminating(answer)) return write(key, { ...data, ops: left });
  const what = kind === "create" ? "failed to create" : kind === "drop" ? `error deleting ${slice.metadata.name ?? ""}` : `failed to ${kind} ${slice.metadata.name ?? ""}`;
  return write(key, { ...data, ops: left, errors: [...data.errors, `${what} EndpointSlice for Service ${key}: ${messageOf(answer)}`] });
}

/** Keeps, for each Service with a selector, slices with the addresses of its Pods and whether each may get traffic. */
export const createEndpointSliceController = (config: ControllerConfig): Component<ControllerState<Writing, Memory>> =>
  createController<Writing, Memory>(
    {
      id: ID,
      account: ID,
      eventSource: "endpoint-slice-controller",
      resources: RESOURCES,
      indexers: {
        servicesByNamespace: byNamespace("services"),
        podsByNamespace: byNamespace("pods"),
        slicesByService: { resource: "endpointslices", values: (object) => (isManaged(object as EndpointSlice) ? [serviceKeyOf(object as EndpointSlice)] : []) },
      },
      workers: 5,
      maxRetries: 15,
      retryBase: 1_000_000,
      retryMax: 1_000_000_000,
      // It has a tracker of its own writes instead.
      consistent: [],
      latency: "endpointslice.sync",
      memory: PMap.empty(),
      handle,
      sync,
      resume,
    },
    config,
  );

export const endpointSliceWatches = (): WatchSpec[] => watchesOf(ID, RESOURCES);

