// Models kubernetes/pkg/controller/endpoint/endpoints_controller.go: what an Endpoints object should hold
import type { Pod, Service } from "../../api/types.ts";
import { findPort, shouldPodBeInEndpoints, showsHostname } from "../endpointslice/endpoint.ts";
import { type EndpointAddress, type PackedSubset, repackSubsets, type Subset, type SubsetPort } from "../endpointslicemirroring/repack.ts";
import { isPodReady } from "../pods.ts";

/** Beyond this the object is cut and annotated. */
const MAX_ADDRESSES = 1000;

/** The Service's first family; of one that was never defaulted that of its address, or the Pod's. */
function wantsIPv6({ spec }: Service, pod: Pod): boolean {
  const family = spec.ipFamilies?.[0];
  if (family !== undefined) return family === "IPv6";
  const address = spec.clusterIP !== undefined && spec.clusterIP !== "" && spec.clusterIP !== "None" ? spec.clusterIP : (pod.status?.podIP ?? "");
  return address.includes(":");
}

function addressOf(pod: Pod, service: Service): EndpointAddress | undefined {
  const ips = pod.status?.podIPs?.map(({ ip }) => ip) ?? (pod.status?.podIP ? [pod.status.podIP] : []);
  const ip = ips.find((address) => address.includes(":") === wantsIPv6(service, pod));
  if (ip === undefined) return undefined;
  return {
    ip,
    ...(showsHostname(pod, service) ? { hostname: pod.spec.hostname ?? "" } : {}),
    nodeName: pod.spec.nodeName ?? "",
    targetRef: { kind: "Pod", namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "", uid: pod.metadata.uid ?? "" },
  };
}

/** One port of the Service for one Pod: nothing when the Pod has no port of that name. A headless Service may have no ports. */
function portsFor(pod: Pod, service: Service): readonly (readonly SubsetPort[])[] {
  const ports = service.spec.ports ?? [];
  if (ports.length === 0) return service.spec.clusterIP === "None" ? [[]] : [];
  return ports.flatMap((port) => {
    const number = findPort(pod, port);
    return number === undefined ? [] : [[{ ...(port.name ? { name: port.name } : {}), port: number, protocol: port.protocol ?? "TCP", ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }) }]];
  });
}

/** Ready and not ready addresses by set of ports; terminating Pods are left out unless all may be published. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly PackedSubset[] {
  const all = service.spec.publishNotReadyAddresses ?? false;
  const subsets = pods.flatMap((pod): Subset[] => {
    const address = shouldPodBeInEndpoints(pod, all) ? addressOf(pod, service) : undefined;
    if (address === undefined) return [];
    return portsFor(pod, service).map((ports) => ({ ...(all || isPodReady(pod) ? { addresses: [address] } : { notReadyAddresses: [address] }), ports }));
  });
  return repackSubsets(subsets);
}

const count = (subsets: readonly Subset[], field: "addresses" | "notReadyAddresses"): number => subsets.reduce((sum, subset) => sum + (subset[field]?.length ?? 0), 0);

export const isOverCapacity = (subsets: readonly Subset[]): boolean => count(subsets, "addresses") + count(subsets, "notReadyAddresses") > MAX_ADDRESSES;

/** truncateEndpoints: each subset keeps its share, rounded up as long as there is room; ready ones first. */
export function truncated(subsets: readonly PackedSubset[]): readonly PackedSubset[] {
  if (!isOverCapacity(subsets)) return subsets;
  const ready = count(subsets, "addresses");
  const field = ready > MAX_ADDRESSES ? "addresses" : "notReadyAddresses";
  const max = field === "addresses" ? MAX_ADDRESSES : MAX_ADDRESSES - ready;
  const total = count(subsets, field);
  let room = max;
  return subsets.map((subset) => {
    const kept = subset[field].slice(0, Math.min(room, Math.ceil((subset[field].length / total) * max)));
    room -= kept.length;
    return field === "addresses" ? { ...subset, addresses: kept, notReadyAddresses: [] } : { ...subset, notReadyAddresses: kept };
  });
}

/** As it is written: empty lists are left out. */
export const written = (subsets: readonly PackedSubset[]): readonly Subset[] =>
  subsets.map(({ addresses, notReadyAddresses, ports }) => ({ ...(addresses.length > 0 ? { addresses } : {}), ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}), ...(ports.length > 0 ? { ports } : {}) }));

const sameList = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined, same: (x: T, y: T) => boolean): boolean => (a?.length ?? 0) === (b?.length ?? 0) && (a ?? []).every((entry, i) => b?.[i] !== undefined && same(entry, b[i]));
const sameAddress = (a: EndpointAddress, b: EndpointAddress): boolean => a.ip === b.ip && a.nodeName === b.nodeName && a.targetRef?.uid === b.targetRef?.uid && a.targetRef?.name === b.targetRef?.name && a.hostname === b.hostname;
const samePort = (a: SubsetPort, b: SubsetPort): boolean => a.name === b.name && a.port === b.port && a.protocol === b.protocol && a.appProtocol === b.appProtocol;
const sameSubset = (a: Subset, b: Subset): boolean => sameList(a.addresses, b.addresses, sameAddress) && sameList(a.notReadyAddresses, b.notReadyAddresses, sameAddress) && sameList(a.ports, b.ports, samePort);

export const sameSubsets = (a: readonly Subset[] | undefined, b: readonly Subset[]): boolean => sameList(a, b, sameSubset);
