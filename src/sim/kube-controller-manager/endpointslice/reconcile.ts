// Models kubernetes/staging/src/k8s.io/endpointslice/{reconciler,utils}.go
import type { Endpoint, EndpointSlice, Node, Pod, Service } from "../../api/types.ts";
import { ownerReferenceTo } from "../pods.ts";
import { type EndpointPort, endpointPorts, podAddresses, podToEndpoint, shouldPodBeInEndpoints } from "./endpoint.ts";
import { slicePortsInOrder } from "./port-order.ts";
import type { SliceInfo } from "./topology.ts";

export const MAX_ENDPOINTS_PER_SLICE = 100;
export const MANAGED_BY = "endpointslice-controller.k8s.io";
export const LABEL_SERVICE_NAME = "kubernetes.io/service-name";
export const LABEL_MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
export const LABEL_HEADLESS = "service.kubernetes.io/headless";
const RESERVED: ReadonlySet<string> = new Set([LABEL_SERVICE_NAME, LABEL_MANAGED_BY, LABEL_HEADLESS]);

export const serviceName = (service: Service): string => `${service.metadata.namespace ?? ""}/${service.metadata.name ?? ""}`;

/** What one address family needs. Slices of another owner of the same name only go. */
export interface FamilyChanges extends SliceInfo {
  readonly delete: readonly EndpointSlice[];
  /** Pods left out because their node is not known. */
  readonly errors: readonly string[];
}

const portsKey = (ports: readonly EndpointPort[] | null | undefined): string => (ports ?? []).map((port) => `${port.name ?? ""}/${port.protocol ?? ""}/${port.port ?? 0}/${port.appProtocol ?? ""}`).sort().join(",");

const endpointKeys = new WeakMap<Endpoint, string>();

/** Addresses, host name and Pod: what makes two entries the same endpoint. */
function endpointKey(endpoint: Endpoint): string {
  let key = endpointKeys.get(endpoint);
  if (key === undefined) {
    key = `${endpoint.addresses.join(",")}|${endpoint.hostname ?? ""}|${endpoint.targetRef?.namespace ?? ""}/${endpoint.targetRef?.name ?? ""}`;
    endpointKeys.set(endpoint, key);
  }
  return key;
}

/** EndpointsEqualBeyondHash: hints are looked at later. */
function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return a === b || (
    a.conditions?.ready === b.conditions?.ready &&
    a.conditions?.serving === b.conditions?.serving &&
    a.conditions?.terminating === b.conditions?.terminating &&
    a.nodeName === b.nodeName &&
    a.zone === b.zone &&
    a.targetRef?.uid === b.targetRef?.uid &&
    a.targetRef?.kind === b.targetRef?.kind
  );
}

type Labels = Readonly<Record<string, string>>;
const plain = (labels: Labels | undefined): readonly (readonly [string, string])[] => Object.entries(labels ?? {}).filter(([key]) => !RESERVED.has(key));

const hasClusterIP = ({ spec }: Service): boolean => spec.clusterIP !== undefined && spec.clusterIP !== "" && spec.clusterIP !== "None";

/** setEndpointSliceLabels: the Service's labels, and those that mark the slice as this controller's. */
export function sliceLabels(service: Service): Labels {
  return {
    ...Object.fromEntries(plain(service.metadata.labels)),
    ...(hasClusterIP(service) ? {} : { [LABEL_HEADLESS]: "" }),
    [LABEL_SERVICE_NAME]: service.metadata.name ?? "",
    [LABEL_MANAGED_BY]: MANAGED_BY,
  };
}

/** Marks that were changed by others are no reason to write. */
function sameLabels(slice: EndpointSlice, service: Service): boolean {
  const wanted = plain(service.metadata.labels);
  const has = plain(slice.metadata.labels);
  return wanted.length === has.length && wanted.every(([key, value]) => slice.metadata.labels?.[key] === value);
}

function newSlice(service: Service, ports: readonly EndpointPort[], addressType: string, endpoints: readonly Endpoint[]): EndpointSlice {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { generateName: `${service.metadata.name ?? ""}-`, namespace: service.metadata.namespace ?? "", labels: sliceLabels(service), ownerReferences: [ownerReferenceTo(service)] },
    addressType,
    endpoints: endpoints.length === 0 ? null : endpoints,
    ports: ports.length === 0 ? null : ports,
  };
}

interface Group {
  readonly ports: readonly EndpointPort[];
  readonly desired: Endpoint[];
}

type NodeLookup = (name: string) => Node | undefined;

function desiredGroups(service: Service, pods: readonly Pod[], nodeOf: NodeLookup, addressType: string): { readonly groups: ReadonlyMap<string, Group>; readonly errors: readonly string[] } {
  const groups = new Map<string, Group>();
  const errors: string[] = [];
  // Named target ports are looked up in each Pod; numbers are the same for all.
  const named = (service.spec.ports ?? []).some((port) => typeof port.targetPort === "string");
  let common: { readonly ports: readonly EndpointPort[]; readonly key: string } | undefined;
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, true)) continue;
    if (common === undefined || named) {
      const found = slicePortsInOrder(endpointPorts(service, pod));
      common = { ports: found, key: portsKey(found) };
    }
    const { ports, key } = common;
    const group = groups.get(key) ?? { ports, desired: [] };
    groups.set(key, group);
    const node = nodeOf(pod.spec.nodeName ?? "");
    if (node === undefined && !service.spec.publishNotReadyAddresses) errors.push(`skipping Pod ${pod.metadata.name ?? ""} for Service ${serviceName(service)}: Node ${pod.spec.nodeName ?? ""} Not Found`);
    else if (podAddresses(pod, addressType).length > 0) group.desired.push(podToEndpoint(pod, node, service, addressType));
  }
  return { groups, errors };
}

interface Filling {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
}

interface PortChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSlice[];
}

/** One set of ports: keep what is there, fill changed slices fullest first, then an unchanged one that takes all, then new ones. */
function reconcileGroup(service: Service, group: Group, existing: readonly EndpointSlice[], addressType: string, max: number): PortChanges {
  const pending = new Map(group.desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const changed: Filling[] = [];
  const unchanged: Filling[] = [];
  const gone: EndpointSlice[] = [];
  for (const slice of existing) {
    const old = slice.endpoints ?? [];
    const kept: Endpoint[] = [];
    let touched = false;
    for (const entry of old) {
      const wanted = pending.get(endpointKey(entry));
      if (wanted === undefined) continue;
      kept.push(wanted);
      if (!sameEndpoint(entry, wanted)) touched = true;
      pending.delete(endpointKey(entry));
    }
    if (kept.length === 0 && old.length > 0) gone.push(slice);
    else if (touched || kept.length !== old.length || !sameLabels(slice, service)) changed.push({ slice, endpoints: kept });
    else unchanged.push({ slice, endpoints: [...old] });
  }
  const rest = [...pending.values()];
  if (rest.length > 0) changed.sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const entry of changed) entry.endpoints.push(...rest.splice(0, Math.max(0, max - entry.endpoints.length)));
  const create: EndpointSlice[] = [];
  while (rest.length > 0) {
    const room = rest.length < max ? sliceToFill(unchanged, rest.length, max) : undefined;
    if (room) {
      room.endpoints.push(...rest.splice(0));
      unchanged.splice(unchanged.indexOf(room), 1);
      changed.push(room);
    } else create.push(newSlice(service, group.ports, addressType, rest.splice(0, max)));
  }
  const labels = sliceLabels(service);
  return { create, delete: gone, update: changed.map(({ slice, endpoints }) => ({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: endpoints.length === 0 ? null : endpoints })) };
}

/** getSliceToFill: the slice that will be closest to full. An empty one would have to be filled to the last place. */
function sliceToFill(slices: readonly Filling[], count: number, max: number): Filling | undefined {
  let closest = max;
  let found: Filling | undefined;
  for (const entry of slices) {
    const left = max - (count + entry.endpoints.length);
    if (left >= 0 && left < closest) {
      closest = left;
      found = entry;
    }
  }
  return found;
}

const isOwned = (slice: EndpointSlice, service: Service): boolean => slice.metadata.ownerReferences?.some((owner) => owner.uid === service.metadata.uid && owner.kind === "Service" && owner.apiVersion === "v1") ?? false;

function isPlaceholder(slice: EndpointSlice, service: Service, addressType: string): boolean {
  const wanted = sliceLabels(service);
  const labels = slice.metadata.labels ?? {};
  return slice.addressType === addressType && (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0 && Object.keys(labels).length === Object.keys(wanted).length && Object.keys(wanted).every((key) => labels[key] === wanted[key]);
}

/** reconcileByAddressType: what must be written so that the slices of one family show these Pods, which must match the selector. One placeholder stands for no endpoint at all. */
export function reconcileFamily(service: Service, pods: readonly Pod[], existing: readonly EndpointSlice[], nodeOf: NodeLookup, addressType: string, max: number = MAX_ENDPOINTS_PER_SLICE): FamilyChanges {
  const { groups, errors } = desiredGroups(service, pods, nodeOf, addressType);
  const changes: PortChanges = { create: [], update: [], delete: [] };
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    if (!isOwned(slice, service)) {
      changes.delete.push(slice);
      continue;
    }
    const key = portsKey(slice.ports);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  for (const [key, group] of groups) {
    const result = reconcileGroup(service, group, byPorts.get(key) ?? [], addressType, max);
    changes.create.push(...result.create);
    changes.update.push(...result.update);
    changes.delete.push(...result.delete);
  }
  for (const [key, slices] of byPorts) if (!groups.has(key)) changes.delete.push(...slices);
  if (existing.length === changes.delete.length && changes.create.length === 0) {
    const [only] = changes.delete;
    if (changes.delete.length === 1 && only !== undefined && isPlaceholder(only, service, addressType)) changes.delete.length = 0;
    else changes.create.push(newSlice(service, [], addressType, []));
  }
  const touched = new Set([...changes.update, ...changes.delete].map((slice) => slice.metadata.name));
  return { ...changes, unchanged: existing.filter((slice) => !touched.has(slice.metadata.name)), errors };
}

/** The beginning of finalize: a slice that would be deleted is rather changed into one that would be created. */
export function recycled(service: Service, { create, update, delete: gone, ...rest }: FamilyChanges): FamilyChanges {
  const made = [...create];
  const changed = [...update];
  const left: EndpointSlice[] = [];
  for (const slice of gone) {
    const next = made.at(-1);
    if (next === undefined || next.addressType !== slice.addressType || !isOwned(slice, service)) left.push(slice);
    else {
      made.pop();
      changed.push({ ...next, metadata: { ...next.metadata, name: slice.metadata.name ?? "" } });
    }
  }
  return { ...rest, create: made, update: changed, delete: left };
}

/** getAddressTypesForService: the families of the Service; one that was never defaulted is guessed. */
export function familiesOf({ spec }: Service): readonly string[] {
  if (spec.ipFamilies !== undefined && spec.ipFamilies.length > 0) return spec.ipFamilies;
  if (spec.clusterIP === undefined || spec.clusterIP === "" || spec.clusterIP === "None") return ["IPv4", "IPv6"];
  return [spec.clusterIP.includes(":") ? "IPv6" : "IPv4"];
}
