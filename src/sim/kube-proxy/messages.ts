import type { Message } from "../kernel/types.ts";

/** One endpoint of a rule. `probability` as printed by iptables; the last of a chain has none. */
export interface EndpointRule {
  readonly ip: string;
  readonly port: number;
  readonly probability?: string;
  readonly node?: string;
}

/** What the node's kernel does with packets to one port of one Service. */
export interface PortRules {
  /** "default/nginx" */
  readonly service: string;
  readonly portName: string;
  readonly protocol: string;
  readonly clusterIP: string;
  readonly port: number;
  readonly nodePort?: number;
  /** External and load balancer addresses. */
  readonly externalIPs: readonly string[];
  /** Endpoints for traffic from inside (the internal policy's) and from outside (the external policy's). */
  readonly internal: readonly EndpointRule[];
  readonly external: readonly EndpointRule[];
  /** With no endpoint: REJECT unless the policy is Local and others have some, then DROP. */
  readonly internalVerdict: "accept" | "reject" | "drop";
  readonly externalVerdict: "accept" | "reject" | "drop";
  /** External policy Cluster hides the client's address behind the node's. */
  readonly masquerade: boolean;
  readonly affinitySeconds?: number;
}

export interface ServiceRules {
  readonly key: string;
  readonly ports: readonly PortRules[];
}

/** kube-proxy rewrites the rules of some Services; without `rules` a Service's chains are removed. `full` replaces everything. */
export interface NetlinkRulesMessage extends Message {
  readonly type: "netlink.rules";
  readonly full: boolean;
  readonly changes: readonly { readonly key: string; readonly rules?: ServiceRules }[];
}
