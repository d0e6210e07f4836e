// Models kubernetes/pkg/proxy/topology.go
import type { Endpoint } from "../api/types.ts";

/** An endpoint as kube-proxy keeps it. */
export interface ProxyEndpoint {
  readonly ip: string;
  readonly port: number;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly isLocal: boolean;
  readonly node?: string;
  readonly zone?: string;
  readonly hints?: Endpoint["hints"];
}

export interface TrafficPolicy {
  readonly internalLocal: boolean;
  readonly externalLocal: boolean;
  /** Has a node port, a load balancer or an external address. */
  readonly externallyAccessible: boolean;
}

export interface Categories {
  /** Undefined when no policy of the Service looks at the whole cluster. */
  readonly cluster?: readonly ProxyEndpoint[];
  /** Undefined when no policy is Local. */
  readonly local?: readonly ProxyEndpoint[];
  readonly allReachable: readonly ProxyEndpoint[];
  readonly hasAnyEndpoints: boolean;
}

type TopologyMode = "" | "PreferSameNode" | "PreferSameZone";

/** Hints count only when every ready endpoint has them and at least one is meant for this place. */
function topologyMode(endpoints: readonly ProxyEndpoint[], node: string, zone: string): TopologyMode {
  const ready = endpoints.filter((endpoint) => endpoint.ready);
  const all = (field: "forNodes" | "forZones"): boolean => ready.every((endpoint) => (endpoint.hints?.[field]?.length ?? 0) > 0);
  const some = (field: "forNodes" | "forZones", name: string): boolean => ready.some((endpoint) => endpoint.hints?.[field]?.some((hint) => hint.name === name));
  if (all("forNodes") && some("forNodes", node)) return "PreferSameNode";
  return all("forZones") && some("forZones", zone) ? "PreferSameZone" : "";
}

function available(endpoint: ProxyEndpoint, mode: TopologyMode, node: string, zone: string): boolean {
  if (mode === "PreferSameNode") return endpoint.hints?.forNodes?.some((hint) => hint.name === node) ?? false;
  if (mode === "PreferSameZone") return endpoint.hints?.forZones?.some((hint) => hint.name === zone) ?? false;
  return true;
}

const fallback = (endpoint: ProxyEndpoint): boolean => endpoint.serving && endpoint.terminating;

/** CategorizeEndpoints: ready endpoints, or else serving ones that terminate; per policy, near ones first when hinted. */
export function categorizeEndpoints(endpoints: readonly ProxyEndpoint[], policy: TrafficPolicy, node: string, zone: string): Categories {
  // What comes from outside needs the whole cluster's endpoints even under policy Local: Pods that use an outside address are let past it.
  const usesCluster = !policy.internalLocal || policy.externallyAccessible;
  const usesLocal = policy.internalLocal || (policy.externallyAccessible && policy.externalLocal);
  const mode = usesCluster ? topologyMode(endpoints, node, zone) : "";
  let cluster = usesCluster ? endpoints.filter((endpoint) => endpoint.ready && available(endpoint, mode, node, zone)) : undefined;
  if (cluster?.length === 0) cluster = endpoints.filter(fallback);
  if (!usesLocal) return { ...(cluster === undefined ? {} : { cluster }), allReachable: cluster ?? [], hasAnyEndpoints: (cluster?.length ?? 0) > 0 };
  const localReady = endpoints.filter((endpoint) => endpoint.isLocal && endpoint.ready);
  const local = localReady.length > 0 ? localReady : endpoints.filter((endpoint) => endpoint.isLocal && fallback(endpoint));
  const hasAnyEndpoints = (cluster?.length ?? 0) > 0 || endpoints.some((endpoint) => endpoint.ready || fallback(endpoint));
  if (cluster === undefined) return { local, allReachable: local, hasAnyEndpoints };
  if (mode === "" && (localReady.length > 0 || local.length === 0)) return { cluster, local, allReachable: cluster, hasAnyEndpoints };
  const reachable = new Set([...cluster, ...local]);
  return { cluster, local, allReachable: endpoints.filter((endpoint) => reachable.has(endpoint)), hasAnyEndpoints };
}
