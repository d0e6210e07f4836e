// Models kubernetes/pkg/controller/endpointslicemirroring/{reconciler,reconciler_helpers,utils}.go
import type { Endpoint, EndpointSlice, KubeObject } from "../../api/types.ts";
import { slicePortsInOrder } from "../endpointslice/port-order.ts";
import { LABEL_MANAGED_BY, LABEL_SERVICE_NAME } from "../endpointslice/reconcile.ts";
import { ownerReferenceTo } from "../pods.ts";
import { type EndpointAddress, repackSubsets, type Subset, type SubsetPort } from "./repack.ts";

export const MIRRORED_BY = "endpointslicemirroring-controller.k8s.io";
const MAX_ENDPOINTS_PER_SUBSET = 1000;
const NOT_MIRRORED: ReadonlySet<string> = new Set(["endpoints.kubernetes.io/last-change-trigger-time", "kubectl.kubernetes.io/last-applied-configuration"]);

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly Subset[];
}

interface Group {
  readonly addressType: "IPv4" | "IPv6";
  readonly ports: readonly SubsetPort[];
  readonly endpoints: Endpoint[];
}

export interface Mirror {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
  /** Addresses that are none. */
  readonly invalid: number;
  /** Addresses left out, the invalid ones among them. */
  readonly skipped: number;
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function typeOf(ip: string): Group["addressType"] | undefined {
  if (ip.includes(":")) return /^[0-9a-fA-F:.]+$/.test(ip) ? "IPv6" : undefined;
  const parts = IPV4.exec(ip);
  return parts?.slice(1).every((part) => Number(part) <= 255) ? "IPv4" : undefined;
}

const toEndpoint = (address: EndpointAddress, ready: boolean): Endpoint => ({
  addresses: [address.ip],
  conditions: { ready },
  ...(address.targetRef === undefined ? {} : { targetRef: address.targetRef }),
  ...(address.nodeName === undefined ? {} : { nodeName: address.nodeName }),
  ...(address.hostname ? { hostname: address.hostname } : {}),
}) as Endpoint;

const slicePorts = (ports: readonly SubsetPort[]): NonNullable<EndpointSlice["ports"]> => slicePortsInOrder(ports).map((port) => ({ name: port.name ?? "", port: port.port, protocol: port.protocol ?? "TCP", ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }) }));

const groupKey = (addressType: string, ports: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string; readonly appProtocol?: string }[] | null | undefined): string =>
  `${addressType}-${(ports ?? []).map((port) => `${port.name ?? ""}/${port.port ?? 0}/${port.protocol ?? "TCP"}/${port.appProtocol ?? ""}`).sort().join(",")}`;

function desiredGroups(endpoints: Endpoints): { readonly groups: ReadonlyMap<string, Group>; readonly invalid: number; readonly skipped: number } {
  const groups = new Map<string, Group>();
  let invalid = 0;
  let skipped = 0;
  for (const { addresses, notReadyAddresses, ports } of repackSubsets(endpoints.subsets ?? [])) {
    let added = 0;
    for (const [address, ready] of [...addresses.map((entry) => [entry, true] as const), ...notReadyAddresses.map((entry) => [entry, false] as const)]) {
      if (added >= MAX_ENDPOINTS_PER_SUBSET) break;
      const addressType = typeOf(address.ip);
      if (addressType === undefined) {
        invalid++;
        continue;
      }
      const key = groupKey(addressType, slicePorts(ports));
      const group = groups.get(key) ?? { addressType, ports, endpoints: [] };
      groups.set(key, group);
      group.endpoints.push(toEndpoint(address, ready));
      added++;
    }
    skipped += addresses.length + notReadyAddresses.length - added;
  }
  return { groups, invalid, skipped };
}

const identity = (endpoint: Endpoint): string => `${endpoint.addresses.join(",")}|${endpoint.hostname ?? ""}|${endpoint.targetRef?.namespace ?? ""}/${endpoint.targetRef?.name ?? ""}`;
const details = (endpoint: Endpoint): string => `${endpoint.nodeName ?? ""}|${endpoint.conditions?.ready ?? ""}|${endpoint.targetRef?.uid ?? ""}`;

function sameEndpoints(slice: EndpointSlice, wanted: readonly Endpoint[]): boolean {
  const known = new Map((slice.endpoints ?? []).map((endpoint) => [identity(endpoint), details(endpoint)]));
  return known.size === wanted.length && (slice.endpoints ?? []).length === wanted.length && wanted.every((endpoint) => known.get(identity(endpoint)) === details(endpoint));
}

type Texts = Readonly<Record<string, string>>;
const without = (map: Texts | undefined, drop: (name: string) => boolean): Texts => Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => !drop(name)));
const sameTexts = (a: Texts, b: Texts): boolean => Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);

function sameMetadata(endpoints: Endpoints, slice: EndpointSlice): boolean {
  const rebuilt = slice.metadata.ownerReferences?.some((owner) => owner.kind === "Endpoints" && owner.name === endpoints.metadata.name && owner.uid !== endpoints.metadata.uid) ?? false;
  return !rebuilt && sameTexts(endpoints.metadata.labels ?? {}, without(slice.metadata.labels, (name) => name === LABEL_MANAGED_BY || name === LABEL_SERVICE_NAME)) &&
    sameTexts(without(endpoints.metadata.annotations, (name) => NOT_MIRRORED.has(name)), slice.metadata.annotations ?? {});
}

function newSlice(endpoints: Endpoints, group: Group, name: string): EndpointSlice {
  const annotations = without(endpoints.metadata.annotations, (entry) => NOT_MIRRORED.has(entry));
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      ...(name === "" ? { generateName: `${endpoints.metadata.name ?? ""}-` } : { name }),
      namespace: endpoints.metadata.namespace ?? "",
      labels: { ...endpoints.metadata.labels, [LABEL_SERVICE_NAME]: endpoints.metadata.name ?? "", [LABEL_MANAGED_BY]: MIRRORED_BY },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [ownerReferenceTo(endpoints)],
    },
    addressType: group.addressType,
    ports: slicePorts(group.ports),
    endpoints: group.endpoints,
  } as EndpointSlice;
}

/** What must be written so that slices show a hand-made Endpoints object: one slice for each set of ports and address family. */
export function mirrorEndpoints(endpoints: Endpoints, existing: readonly EndpointSlice[]): Mirror {
  const { groups, invalid, skipped } = desiredGroups(endpoints);
  const byKey = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const key = groupKey(slice.addressType ?? "IPv4", slice.ports);
    byKey.set(key, [...(byKey.get(key) ?? []), slice]);
  }
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const gone: EndpointSlice[] = [];
  for (const [key, slices] of byKey) if (!groups.has(key)) gone.push(...slices);
  for (const [key, group] of groups) {
    const [first, ...rest] = byKey.get(key) ?? [];
    gone.push(...rest);
    if (first === undefined) create.push(newSlice(endpoints, group, ""));
    else if (!sameEndpoints(first, group.endpoints) || !sameMetadata(endpoints, first)) update.push(newSlice(endpoints, group, first.metadata.name ?? ""));
  }
  // A slice that would be deleted is rather changed into one that would be created; its family cannot change.
  const wanted = create.slice();
  for (const made of wanted) {
    const at = gone.findIndex((slice) => slice.addressType === made.addressType);
    const reused = gone[at];
    if (reused === undefined) continue;
    create.splice(create.indexOf(made), 1);
    gone.splice(at, 1);
    const { generateName: _generated, ...metadata } = made.metadata;
    update.push({ ...made, metadata: { ...metadata, name: reused.metadata.name ?? "" } });
  }
  return { create: endpoints.metadata.deletionTimestamp === undefined ? create : [], update, delete: gone, invalid, skipped };
}

export const tooMany = (skipped: number): string => `A max of ${MAX_ENDPOINTS_PER_SUBSET} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
