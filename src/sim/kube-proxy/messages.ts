import type { Message } from "../kernel/types.ts";

/** One endpoint of a rule: `serving` answers, though it may be ending; `local` is on the node whose rules these are. */
export interface EndpointRule {
  readonly ip: string;
  readonly port: number;
  readonly node?: string;
  readonly local: boolean;
}

/** What kube-proxy knows of one port of one Service on its node, from which every rule follows. */
export interface PortRules {
  /** "default/nginx" */
  readonly service: string;
  readonly portName: string;
  readonly protocol: string;
  readonly clusterIP: string;
  readonly port: number;
  readonly nodePort?: number;
  readonly externalIPs: readonly string[];
  /** Load balancer addresses that arrive as they are (ipMode VIP). */
  readonly loadBalancerIPs: readonly string[];
  /** CIDRs that may use the load balancer's addresses; empty for all. */
  readonly sourceRanges: readonly string[];
  readonly healthCheckNodePort?: number;
  /** Endpoints for traffic policy Cluster, and those of this node for Local; which policies count is in the flags. */
  readonly cluster: readonly EndpointRule[];
  readonly local: readonly EndpointRule[];
  /** Endpoints that need a chain of their own. */
  readonly reachable: readonly EndpointRule[];
  /** Some node has an endpoint that can be used. */
  readonly hasEndpoints: boolean;
  readonly internalLocal: boolean;
  readonly externalLocal: boolean;
  /** ClientIP affinity and how long it lasts, in seconds. */
  readonly affinitySeconds?: number;
  /** "ip:port" of everything that still answers, for UDP connections that may stay. */
  readonly serving: readonly string[];
}

export interface ServiceRules {
  readonly key: string;
  readonly ports: readonly PortRules[];
}

/** How the rules are written and what their kernel does with addresses that no Service has. */
export type ProxyMode = "iptables" | "nftables";

/** kube-proxy rewrites the rules of some Services; without `rules` a Service's chains are removed. `full` replaces everything. */
export interface NetlinkRulesMessage extends Message {
  readonly type: "netlink.rules";
  readonly mode: ProxyMode;
  readonly full: boolean;
  readonly changes: readonly { readonly key: string; readonly rules?: ServiceRules }[];
}
