// Models kubernetes/pkg/proxy/{servicechangetracker,endpointschangetracker}.go and iptables/proxier.go: from objects to rules
import type { EndpointSlice, Service } from "../api/types.ts";
import type { EndpointRule, PortRules, ServiceRules } from "./messages.ts";
import { categorizeEndpoints, type ProxyEndpoint, type TrafficPolicy } from "./topology.ts";

const DEFAULT_AFFINITY_SECONDS = 10_800;

/** Rule i of n matches with probability 1/(n-i), so that each endpoint gets 1/n; the last matches always. */
export function ruleProbabilities(n: number): readonly (string | undefined)[] {
  return Array.from({ length: n }, (_, i) => (i === n - 1 ? undefined : (1 / (n - i)).toFixed(10)));
}

function chain(endpoints: readonly ProxyEndpoint[]): readonly EndpointRule[] {
  const sorted = [...endpoints].sort((a, b) => (a.ip === b.ip ? a.port - b.port : a.ip < b.ip ? -1 : 1));
  const probabilities = ruleProbabilities(sorted.length);
  return sorted.map(({ ip, port, node }, i) => {
    const probability = probabilities[i];
    return { ip, port, ...(probability === undefined ? {} : { probability }), ...(node === undefined ? {} : { node }) };
  });
}

/** Endpoints of one Service port from its slices. */
export function endpointsOf(slices: readonly EndpointSlice[], portName: string, nodeName: string): readonly ProxyEndpoint[] {
  const found: ProxyEndpoint[] = [];
  for (const slice of slices) {
    const port = slice.ports?.find((entry) => (entry.name ?? "") === portName)?.port;
    if (port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const ip = endpoint.addresses[0];
      if (ip === undefined) continue;
      const ready = endpoint.conditions?.ready ?? true;
      found.push({
        ip,
        port,
        ready,
        serving: endpoint.conditions?.serving ?? ready,
        terminating: endpoint.conditions?.terminating ?? false,
        isLocal: endpoint.nodeName === nodeName,
        ...(endpoint.nodeName === undefined ? {} : { node: endpoint.nodeName }),
        ...(endpoint.zone === undefined ? {} : { zone: endpoint.zone }),
        ...(endpoint.hints === undefined ? {} : { hints: endpoint.hints }),
      });
    }
  }
  return found;
}

type Verdict = PortRules["internalVerdict"];

/** The rules of one Service on one node; undefined for headless and external names, which need none. */
export function rulesOf(service: Service, slices: readonly EndpointSlice[], nodeName: string, zone: string): ServiceRules | undefined {
  const { spec, metadata } = service;
  if (!spec.clusterIP || spec.clusterIP === "None" || spec.type === "ExternalName" || metadata.labels?.["service.kubernetes.io/service-proxy-name"]) return undefined;
  const key = `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
  const balancers = service.status?.loadBalancer?.ingress?.flatMap((ingress) => (ingress.ip ? [ingress.ip] : [])) ?? [];
  const externalIPs = [...(spec.externalIPs ?? []), ...balancers];
  const ports = (spec.ports ?? []).map((port): PortRules => {
    const policy: TrafficPolicy = {
      internalLocal: spec.internalTrafficPolicy === "Local",
      externalLocal: spec.externalTrafficPolicy === "Local",
      externallyAccessible: Boolean(port.nodePort) || externalIPs.length > 0,
    };
    const groups = categorizeEndpoints(endpointsOf(slices, port.name ?? "", nodeName), policy, nodeName, zone);
    const internal = (policy.internalLocal ? groups.local : groups.cluster) ?? [];
    const external = (policy.externalLocal ? groups.local : groups.cluster) ?? [];
    const verdict = (list: readonly ProxyEndpoint[]): Verdict => (list.length > 0 ? "accept" : groups.hasAnyEndpoints ? "drop" : "reject");
    return {
      service: key,
      portName: port.name ?? "",
      protocol: port.protocol ?? "TCP",
      clusterIP: spec.clusterIP ?? "",
      port: port.port,
      ...(port.nodePort ? { nodePort: port.nodePort } : {}),
      externalIPs,
      internal: chain(internal),
      external: policy.externallyAccessible ? chain(external) : [],
      internalVerdict: verdict(internal),
      externalVerdict: verdict(external),
      masquerade: !policy.externalLocal,
      ...(spec.sessionAffinity === "ClientIP" ? { affinitySeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? DEFAULT_AFFINITY_SECONDS } : {}),
    };
  });
  return { key, ports };
}
