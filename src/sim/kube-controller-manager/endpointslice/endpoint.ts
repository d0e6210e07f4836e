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
  readonly endpoint: Endpoint;
}

// Objects never change, so a Pod's endpoint of a family is made once as long as its Service and node are the same objects.
const made: Readonly<Record<string, WeakMap<Pod, Made>>> = { IPv4: new WeakMap<Pod, Made>(), IPv6: new WeakMap<Pod, Made>() };

/** The Pod as an entry of a slice. Hints are given later. */
export function podToEndpoint(pod: Pod, node: Node | undefined, service: Service, addressType: string): Endpoint {
  const known = made[addressType]?.get(pod);
  if (known && known.service === service && known.node === node) return known.endpoint;
  const endpoint = makeEndpoint(pod, node, service, addressType);
  made[addressType]?.set(pod, { service, node, endpoint });
  return endpoint;
}

/** ShouldSetHostname: the Pod names this Service as its subdomain. */
export const showsHostname = (pod: Pod, service: Service): boolean => Boolean(pod.spec.hostname) && pod.spec.subdomain === service.metadata.name && pod.metadata.namespace === service.metadata.namespace;

function makeEndpoint(pod: Pod, node: Node | undefined, service: Service, addressType: string): Endpoint {
  const conditions = endpointConditions(pod, service.spec?.publishNotReadyAddresses ?? false);
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"];
  return {
    addresses: podAddresses(pod, addressType),
    conditions,
    ...(showsHostname(pod, service) ? { hostname: pod.spec.hostname } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: "Pod", ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }), name: pod.metadata.name ?? "", ...(pod.metadata.uid === undefined ? {} : { uid: pod.metadata.uid }) },
    ...(zone ? { zone } : {}),
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

const sameIPs = (a: Pod, b: Pod): boolean => {
  const [x, y] = [a.status?.podIPs ?? [], b.status?.podIPs ?? []];
  return x.length === y.length && x.every(({ ip }, i) => ip === y[i]?.ip);
};

const sameTexts = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => a === b || (Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]));

/** podEndpointsChanged: whether an update of a Pod can change its endpoints, and which Services it may belong to. */
export const podEndpointsChanged = (old: Pod, now: Pod): { readonly pod: boolean; readonly labels: boolean } => ({
  pod: old.metadata.deletionTimestamp !== now.metadata.deletionTimestamp || conditionOf(old, "Ready")?.status !== conditionOf(now, "Ready")?.status || !sameIPs(old, now),
  labels: !sameTexts(old.metadata.labels, now.metadata.labels) || old.spec.hostname !== now.spec.hostname || old.spec.subdomain !== now.spec.subdomain,
});
