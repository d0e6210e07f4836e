// Models kubernetes/staging/src/k8s.io/endpointslice/reconciler.go
import type { Endpoint, EndpointSlice, Node, Pod, Service } from "../../api/types.ts";
import { ownerReferenceTo } from "../pods.ts";
import { type EndpointPort, endpointPorts, podAddresses, podToEndpoint, shouldPodBeInEndpoints } from "./endpoint.ts";

export const MAX_ENDPOINTS_PER_SLICE = 100;
export const MANAGED_BY = "endpointslice-controller.k8s.io";
export const LABEL_SERVICE_NAME = "kubernetes.io/service-name";
export const LABEL_MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
export const LABEL_HEADLESS = "service.kubernetes.io/headless";

export interface SliceChanges {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

const portsKey = (ports: readonly EndpointPort[] | null | undefined): string => (ports ?? []).map((port) => `${port.name ?? ""}/${port.protocol ?? ""}/${port.port ?? 0}/${port.appProtocol ?? ""}`).sort().join(",");

const endpointKeys = new WeakMap<Endpoint, string>();

/** Address and Pod: what makes two entries the same endpoint. */
function endpointKey(endpoint: Endpoint): string {
  let key = endpointKeys.get(endpoint);
  if (key === undefined) {
    key = `${endpoint.addresses.join(",")}|${endpoint.targetRef?.uid ?? ""}|${endpoint.targetRef?.name ?? ""}`;
    endpointKeys.set(endpoint, key);
  }
  return key;
}

const sameNames = (a: readonly { readonly name: string }[] | undefined, b: readonly { readonly name: string }[] | undefined): boolean => (a?.length ?? 0) === (b?.length ?? 0) && (a ?? []).every((entry, i) => entry.name === b?.[i]?.name);

function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  if (a === b) return true;
  return (
    sameNames(a.hints?.forZones, b.hints?.forZones) &&
    sameNames(a.hints?.forNodes, b.hints?.forNodes) &&
    a.conditions?.ready === b.conditions?.ready &&
    a.conditions?.serving === b.conditions?.serving &&
    a.conditions?.terminating === b.conditions?.terminating &&
    a.hostname === b.hostname &&
    a.nodeName === b.nodeName &&
    a.zone === b.zone
  );
}

/** The Service's labels plus the two that mark the slice as this controller's. */
export function sliceLabels(service: Service): Readonly<Record<string, string>> {
  return {
    ...service.metadata.labels,
    ...(service.spec.clusterIP === "None" ? { [LABEL_HEADLESS]: "" } : {}),
    [LABEL_MANAGED_BY]: MANAGED_BY,
    [LABEL_SERVICE_NAME]: service.metadata.name ?? "",
  };
}

function sameLabels(a: Readonly<Record<string, string>> | undefined, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a ?? {});
  return keys.length === Object.keys(b).length && keys.every((key) => a?.[key] === b[key]);
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
  readonly desired: readonly Endpoint[];
}

function desiredGroups(service: Service, pods: readonly Pod[], nodeOf: (name: string) => Node | undefined, addressType: string): Map<string, Group> {
  const groups = new Map<string, { ports: readonly EndpointPort[]; desired: Endpoint[] }>();
  // Named target ports are looked up in each Pod; numbers are the same for all.
  const named = (service.spec.ports ?? []).some((port) => typeof port.targetPort === "string");
  let common: { readonly ports: readonly EndpointPort[]; readonly key: string } | undefined;
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, true) || podAddresses(pod, addressType).length === 0) continue;
    if (common === undefined || named) {
      const found = endpointPorts(service, pod);
      common = { ports: found, key: portsKey(found) };
    }
    const { ports, key } = common;
    const group = groups.get(key) ?? { ports, desired: [] };
    group.desired.push(podToEndpoint(pod, nodeOf(pod.spec.nodeName ?? ""), service, addressType));
    groups.set(key, group);
  }
  return groups;
}

/** One set of ports: keep what is there, fill changed slices fullest first, then an unchanged one that takes all, then new ones. */
function reconcileGroup(service: Service, group: Group, existing: readonly EndpointSlice[], addressType: string, max: number): { create: EndpointSlice[]; update: EndpointSlice[]; delete: EndpointSlice[] } {
  const pending = new Map(group.desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const labels = sliceLabels(service);
  const changed: { slice: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const unchanged: { slice: EndpointSlice; endpoints: Endpoint[] }[] = [];
  const gone: EndpointSlice[] = [];
  for (const slice of existing) {
    const kept: Endpoint[] = [];
    let touched = !sameLabels(slice.metadata.labels, labels);
    for (const old of slice.endpoints ?? []) {
      const wanted = pending.get(endpointKey(old));
      pending.delete(endpointKey(old));
      if (wanted === undefined) touched = true;
      else if (sameEndpoint(old, wanted)) kept.push(old);
      else {
        kept.push(wanted);
        touched = true;
      }
    }
    if (kept.length === 0) gone.push(slice);
    else (touched ? changed : unchanged).push({ slice, endpoints: kept });
  }
  let rest = [...pending.values()];
  changed.sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const entry of changed) entry.endpoints.push(...rest.splice(0, Math.max(0, max - entry.endpoints.length)));
  const create: EndpointSlice[] = [];
  while (rest.length > 0) {
    const room = rest.length < max ? unchanged.filter((entry) => entry.endpoints.length + rest.length <= max).sort((a, b) => b.endpoints.length - a.endpoints.length)[0] : undefined;
    if (room) {
      room.endpoints.push(...rest);
      changed.push(room);
      rest = [];
    } else create.push(newSlice(service, group.ports, addressType, rest.splice(0, max)));
  }
  return { create, delete: gone, update: changed.map(({ slice, endpoints }) => ({ ...slice, metadata: { ...slice.metadata, labels }, endpoints })) };
}

/**
 * What must be written so that the slices of one address family show these Pods. Pods must match the selector.
 * An emptied slice is reused for what would be created; one placeholder remains when there is no endpoint at all.
 */
export function reconcileSlices(service: Service, pods: readonly Pod[], existing: readonly EndpointSlice[], nodeOf: (name: string) => Node | undefined, addressType = "IPv4", max: number = MAX_ENDPOINTS_PER_SLICE): SliceChanges {
  const groups = desiredGroups(service, pods, nodeOf, addressType);
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const remove: EndpointSlice[] = [];
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    if (slice.addressType !== addressType || !slice.metadata.ownerReferences?.some((owner) => owner.uid === service.metadata.uid)) {
      remove.push(slice);
      continue;
    }
    const key = portsKey(slice.ports);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  for (const [key, slices] of byPorts) if (!groups.has(key)) remove.push(...slices);
  for (const [key, group] of groups) {
    const result = reconcileGroup(service, group, byPorts.get(key) ?? [], addressType, max);
    create.push(...result.create);
    update.push(...result.update);
    remove.push(...result.delete);
  }
  const own = remove.filter((slice) => slice.addressType === addressType);
  if (create.length === 0 && existing.length === remove.length) {
    const placeholder = own.find((slice) => (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0 && sameLabels(slice.metadata.labels, sliceLabels(service)));
    if (placeholder && remove.length === 1) remove.length = 0;
    else create.push(newSlice(service, [], addressType, []));
  }
  // A slice that would be deleted is rather changed into one that would be created.
  while (create.length > 0 && remove.length > 0) {
    const made = create.shift();
    const reused = remove.shift();
    if (made && reused) update.push({ ...reused, metadata: { ...reused.metadata, labels: made.metadata.labels ?? {}, ownerReferences: made.metadata.ownerReferences ?? [] }, endpoints: made.endpoints, ports: made.ports ?? null });
  }
  return { create, update, delete: remove };
}
