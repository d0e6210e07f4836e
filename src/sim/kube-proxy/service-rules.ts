// Models kubernetes/pkg/proxy/{serviceport,servicechangetracker,endpointslicecache}.go: from objects to what rules are made of
import type { EndpointSlice, Service } from "../api/types.ts";
import type { EndpointRule, PortRules, ServiceRules } from "./messages.ts";
import { categorizeEndpoints, type ProxyEndpoint, type TrafficPolicy } from "./topology.ts";

const DEFAULT_AFFINITY_SECONDS = 10_800;
/** Labels that take a Service away from kube-proxy (KubeProxyConfiguration has no say in it). */
const OTHER_PROXY = "service.kubernetes.io/service-proxy-name";
const HEADLESS = "service.kubernetes.io/headless";

/** "10.244.1.5:80" */
export const endpointText = (endpoint: { readonly ip: string; readonly port: number }): string => `${endpoint.ip}:${endpoint.port}`;

/** What fmt's %0.10f makes of 1/n: rule i of n endpoints matches with probability(n - i), so that each gets 1/n. */
export const probability = (n: number): string => (1 / n).toFixed(10);

/** The probability of each of n rules; the last matches always. */
export const ruleProbabilities = (n: number): readonly (string | undefined)[] => Array.from({ length: n }, (_, i) => (i === n - 1 ? undefined : probability(n - i)));

const asRule = ({ ip, port, node, isLocal }: ProxyEndpoint): EndpointRule => ({ ip, port, local: isLocal, ...(node === undefined ? {} : { node }) });

/** Endpoints of one Service port from its slices, one an address, in upstream's order (as text). */
export function endpointsOf(slices: readonly EndpointSlice[], portName: string, nodeName: string, protocol = "TCP"): readonly ProxyEndpoint[] {
  const found = new Map<string, ProxyEndpoint>();
  for (const slice of slices) {
    if (slice.addressType === "IPv6" || slice.addressType === "FQDN") continue;
    const port = slice.ports?.find((entry) => (entry.name ?? "") === portName && (entry.protocol ?? "TCP") === protocol)?.port;
    if (port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const ip = endpoint.addresses[0];
      if (ip === undefined) continue;
      const text = endpointText({ ip, port });
      const terminating = endpoint.conditions?.terminating ?? false;
      // A Pod that runs wins over one that ends and had its address before.
      if (found.has(text) && terminating) continue;
      found.set(text, {
        ip,
        port,
        ready: endpoint.conditions?.ready ?? true,
        serving: endpoint.conditions?.serving ?? true,
        terminating,
        isLocal: endpoint.nodeName === nodeName,
        ...(endpoint.nodeName === undefined ? {} : { node: endpoint.nodeName }),
        ...(endpoint.zone === undefined ? {} : { zone: endpoint.zone }),
        ...(endpoint.hints === undefined ? {} : { hints: endpoint.hints }),
      });
    }
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, endpoint]) => endpoint);
}

const isIPv4 = (address: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(address);

/** loadBalancerSourceRanges as kube-proxy reads them: trimmed, what cannot be read left out, and none when one of them is everything. */
function sourceRanges(service: Service): readonly string[] {
  const ranges = (service.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim()).filter((range) => /^\d+\.\d+\.\d+\.\d+\/\d+$/.test(range));
  return ranges.some((range) => range.endsWith("/0")) ? [] : ranges;
}

const balancerIPs = (service: Service): readonly string[] => service.status?.loadBalancer?.ingress?.flatMap(({ ip, ipMode }) => (ip !== undefined && isIPv4(ip) && (ipMode ?? "VIP") === "VIP" ? [ip] : [])) ?? [];

interface Common {
  readonly key: string;
  readonly externalLocal: boolean;
  readonly externalIPs: readonly string[];
  readonly loadBalancerIPs: readonly string[];
}

function portRules(service: Service, port: NonNullable<Service["spec"]["ports"]>[number], { key, externalLocal, externalIPs, loadBalancerIPs }: Common, endpoints: readonly ProxyEndpoint[], node: string, zone: string): PortRules {
  const { spec } = service;
  const policy: TrafficPolicy = { internalLocal: spec.internalTrafficPolicy === "Local", externalLocal, externallyAccessible: Boolean(port.nodePort) || externalIPs.length > 0 || loadBalancerIPs.length > 0 };
  const groups = categorizeEndpoints(endpoints, policy, node, zone);
  const needsHealthCheck = spec.type === "LoadBalancer" && externalLocal;
  return {
    service: key,
    portName: port.name ?? "",
    protocol: port.protocol ?? "TCP",
    clusterIP: spec.clusterIP ?? "",
    port: port.port,
    ...(port.nodePort ? { nodePort: port.nodePort } : {}),
    externalIPs,
    loadBalancerIPs,
    sourceRanges: sourceRanges(service),
    ...(needsHealthCheck && spec.healthCheckNodePort ? { healthCheckNodePort: spec.healthCheckNodePort } : {}),
    cluster: (groups.cluster ?? []).map(asRule),
    local: (groups.local ?? []).map(asRule),
    reachable: groups.allReachable.map(asRule),
    hasEndpoints: groups.hasAnyEndpoints,
    internalLocal: policy.internalLocal,
    externalLocal,
    ...(spec.sessionAffinity === "ClientIP" ? { affinitySeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? DEFAULT_AFFINITY_SECONDS } : {}),
    serving: endpoints.filter((endpoint) => endpoint.serving).map(endpointText),
  };
}

/** The rules of one Service on one node; undefined for headless and external names, which need none. Simplified: upstream runs one proxier for each IP family; the clusters here have IPv4 alone. */
export function rulesOf(service: Service, slices: readonly EndpointSlice[], nodeName: string, zone: string): ServiceRules | undefined {
  const { spec, metadata } = service;
  if (!spec.clusterIP || !isIPv4(spec.clusterIP) || spec.type === "ExternalName" || metadata.labels?.[OTHER_PROXY] !== undefined || metadata.labels?.[HEADLESS] !== undefined) return undefined;
  const key = `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
  const loadBalancerIPs = balancerIPs(service);
  // ExternalPolicyLocal: only what is reachable from outside has an external policy.
  const external = spec.type === "LoadBalancer" || spec.type === "NodePort" || (spec.externalIPs?.length ?? 0) > 0;
  const common: Common = { key, externalLocal: external && spec.externalTrafficPolicy === "Local", externalIPs: (spec.externalIPs ?? []).filter(isIPv4), loadBalancerIPs };
  const ports = (spec.ports ?? []).map((port) => {
    const endpoints = endpointsOf(slices, port.name ?? "", nodeName, port.protocol ?? "TCP");
    return portRules(service, port, common, endpoints, nodeName, zone);
  });
  return { key, ports };
}

/** The endpoints to which a policy sends, or what happens without one. */
export function destinations(rules: PortRules, local: boolean): readonly EndpointRule[] | "reject" | "drop" {
  if (!rules.hasEndpoints) return "reject";
  const list = local ? rules.local : rules.cluster;
  return local && list.length === 0 ? "drop" : list;
}

export const isExternallyAccessible = (rules: PortRules): boolean => rules.nodePort !== undefined || rules.externalIPs.length > 0 || rules.loadBalancerIPs.length > 0;
