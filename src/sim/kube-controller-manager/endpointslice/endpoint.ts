// Models kubernetes/staging/src/k8s.io/endpointslice/{utils.go,util/controller_utils.go}
import { intValue } from "../../api/int-or-string.ts";
import type { Endpoint, Node, Pod, Service, ServicePort } from "../../api/types.ts";
import { conditionOf, isPodReady, isPodTerminal } from "../pods.ts";

export interface EndpointPort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
}

/** In a slice: has an address and has not finished. Legacy Endpoints leave terminating Pods out too. */
export function shouldPodBeInEndpoints(pod: Pod, includeTerminating: boolean): boolean {
  if (isPodTerminal(pod)) return false;
  if (!pod.status?.podIP && !pod.status?.podIPs?.length) return false;
  return includeTerminating || pod.metadata.deletionTimestamp === undefined;
}

const isIPv6 = (address: string): boolean => address.includes(":");

/** The Pod's addresses of one family. */
export function podAddresses(pod: Pod, addressType: string): readonly string[] {
  const all = pod.status?.podIPs?.map((entry) => entry.ip) ?? (pod.status?.podIP ? [pod.status.podIP] : []);
  return all.filter((address) => isIPv6(address) === (addressType === "IPv6"));
}

/** ready = publishNotReadyAddresses or (serving and not terminating); serving = the Pod is Ready. */
export function endpointConditions(pod: Pod, publishNotReadyAddresses: boolean): { ready: boolean; serving: boolean; terminating: boolean } {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  return { ready: publishNotReadyAddresses || (serving && !terminating), serving, terminating };
}

interface Made {
  readonly service: Service;
  readonly node: Node | undefined;
  readonly addressType: string;
  readonly endpoint: Endpoint;
}

// Objects never change, so a Pod's endpoint is made once as long as its Service and node are the same objects.
const made = new WeakMap<Pod, Made>();

/** The Pod as an entry of a slice. */
export function podToEndpoint(pod: Pod, node: Node | undefined, service: Service, addressType: string): Endpoint {
  const known = made.get(pod);
  if (known && known.service === service && known.node === node && known.addressType === addressType) return known.endpoint;
  const endpoint = makeEndpoint(pod, node, service, addressType);
  made.set(pod, { service, node, addressType, endpoint });
  return endpoint;
}

/** Hints of the Service's trafficDistribution: each ready endpoint is meant for its own zone, or node first. */
function hintsOf(service: Service, ready: boolean, zone: string | undefined, nodeName: string | undefined): Endpoint["hints"] | undefined {
  const mode = service.spec?.trafficDistribution;
  if (mode === undefined || !ready || zone === undefined) return undefined;
  const forZones = [{ name: zone }];
  return mode === "PreferSameNode" && nodeName !== undefined ? { forZones, forNodes: [{ name: nodeName }] } : { forZones };
}

function makeEndpoint(pod: Pod, node: Node | undefined, service: Service, addressType: string): Endpoint {
  const conditions = endpointConditions(pod, service.spec?.publishNotReadyAddresses ?? false);
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"];
  const hints = hintsOf(service, conditions.ready, zone, pod.spec.nodeName);
  const named = pod.spec.hostname && pod.spec.subdomain === service.metadata.name && pod.metadata.namespace === service.metadata.namespace;
  return {
    addresses: podAddresses(pod, addressType),
    conditions,
    ...(named ? { hostname: pod.spec.hostname } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }), name: pod.metadata.name ?? "", ...(pod.metadata.uid === undefined ? {} : { uid: pod.metadata.uid }) },
    ...(zone ? { zone } : {}),
    ...(hints ? { hints } : {}),
  } as Endpoint;
}

/** The number a Service port stands for in this Pod; undefined when the Pod has no port of that name. */
export function findPort(pod: Pod, port: ServicePort): number | undefined {
  const target = port.targetPort ?? port.port;
  if (typeof target === "number") return target === 0 ? port.port : target;
  if (target === "") return port.port;
  const sidecars = pod.spec.initContainers?.filter((container) => container.restartPolicy === "Always") ?? [];
  for (const container of [...pod.spec.containers, ...sidecars]) {
    for (const candidate of container.ports ?? []) if (candidate.name === target && (candidate.protocol ?? "TCP") === (port.protocol ?? "TCP")) return candidate.containerPort;
  }
  return /^\d+$/.test(target) ? intValue(target) : undefined;
}

/** The ports of a slice for this Pod: Pods whose named ports differ land in different slices. */
export function endpointPorts(service: Service, pod: Pod): readonly EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const port of service.spec.ports ?? []) {
    const number = findPort(pod, port);
    if (number === undefined) continue;
    ports.push({ name: port.name ?? "", protocol: port.protocol ?? "TCP", port: number, ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }) });
  }
  return ports;
}

/** Whether an update of a Pod can matter to a Service's endpoints. */
export function podEndpointsChanged(old: Pod, now: Pod): boolean {
  return (
    old.status?.podIP !== now.status?.podIP ||
    old.status?.podIPs?.length !== now.status?.podIPs?.length ||
    old.spec.nodeName !== now.spec.nodeName ||
    old.status?.phase !== now.status?.phase ||
    conditionOf(old, "Ready")?.status !== conditionOf(now, "Ready")?.status ||
    old.metadata.deletionTimestamp !== now.metadata.deletionTimestamp ||
    old.spec.hostname !== now.spec.hostname
  );
}
