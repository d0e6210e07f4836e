import type { MailId } from "../../trace/model.ts";

/** One question of a resolver, as it travels in a UDP packet. */
export interface DnsQuestion {
  /** Fully qualified, without the dot at its end. */
  readonly name: string;
  readonly qtype: "A" | "AAAA" | "SRV" | "PTR";
}

export interface DnsAnswer {
  readonly rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL";
  readonly addresses: readonly string[];
  readonly srv?: readonly { readonly target: string; readonly port: number }[];
  readonly cname?: string;
  /** Name of an address (PTR). */
  readonly ptr?: string;
  /** Seconds; of a negative answer the SOA's. */
  readonly ttl: number;
}

/** A request on the data path: from a client through a node's rules to a process, or from a kubelet's probe straight to it. */
export interface TrafficRequest {
  readonly type: "traffic.request";
  readonly protocol: "HTTP" | "TCP" | "UDP" | "gRPC";
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fromIP: string;
  readonly toIP: string;
  readonly toPort: number;
  /** The client's own port, of a UDP socket that is used again. */
  readonly fromPort?: number;
  readonly dns?: DnsQuestion;
  /** Where the client itself runs; answers go back there. */
  readonly client: string;
}

/** What came back, or what the network said instead. */
export interface TrafficResponse {
  readonly type: "traffic.response";
  readonly request: MailId;
  /** HTTP status; 0 for a plain TCP accept. */
  readonly status: number;
  /** "connection refused", "no route to host", "i/o timeout", "no such host": the text after "dial tcp IP:PORT: connect: " or its like. */
  readonly error?: string;
  readonly body?: string;
  readonly dns?: DnsAnswer;
  /** Where and why it failed, in plain words: what the client itself cannot know. */
  readonly why?: string;
  /** "default/nginx" and container that answered. */
  readonly servedBy?: string;
}

/**
 * The server's kernel has a request that will not be answered soon: who waits looks at the clock.
 * Simplified: upstream's clients set a timer for every request; here only when it can go off.
 */
export interface TrafficAccepted {
  readonly type: "traffic.accepted";
  readonly request: MailId;
}
