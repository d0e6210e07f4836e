import type { Message } from "../kernel/types.ts";

/** One allowed kind of traffic. `peers` undefined: anybody. */
export interface PolicyRule {
  readonly policy: string;
  readonly peers?: readonly Peer[];
  /** Undefined: any port. `named` ports are resolved per address. */
  readonly ports?: readonly PolicyPort[];
}

export type Peer = { readonly ips: readonly string[] } | { readonly cidr: string; readonly except: readonly string[] };

export interface PolicyPort {
  readonly protocol: string;
  /** Undefined: all ports of the protocol. */
  readonly from?: number;
  readonly to?: number;
  /** The port's number at each address that has one of that name. */
  readonly byAddress?: Readonly<Record<string, number>>;
}

/** What may reach a Pod and what it may reach; undefined: that direction is not isolated. */
export interface PodPolicy {
  readonly pod: string;
  readonly ingress?: readonly PolicyRule[];
  readonly egress?: readonly PolicyRule[];
}

/** The agent writes the policies of its node's Pods into the kernel: all of them, by address. */
export interface NetlinkPoliciesMessage extends Message {
  readonly type: "netlink.policies";
  readonly pods: Readonly<Record<string, PodPolicy>>;
}
