import type { MailId, Message } from "../kernel/types.ts";

/** One question to the cluster's DNS. With `namespace`, the asker's resolv.conf applies: ndots 5 and three search domains. */
export interface DnsRequestMessage extends Message {
  readonly type: "dns.request";
  /** Fully qualified with a trailing dot, or as a program wrote it. */
  readonly name: string;
  readonly qtype: "A" | "AAAA" | "SRV";
  readonly client: string;
  readonly namespace?: string;
}

export interface SrvRecord {
  readonly target: string;
  readonly port: number;
}

export interface DnsResponseMessage extends Message {
  readonly type: "dns.response";
  readonly request: MailId;
  readonly rcode: "NOERROR" | "NXDOMAIN" | "SERVFAIL";
  readonly addresses: readonly string[];
  readonly srv?: readonly SrvRecord[];
  /** CNAME of an ExternalName Service. */
  readonly cname?: string;
  /** The name that was found, and how many were asked before it. */
  readonly name: string;
  readonly tried: number;
  readonly ttl: number;
}
