import type { MailId } from "../../trace/model.ts";

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
  /** Where the client itself runs; answers go back there. */
  readonly client: string;
}

/** What came back, or what the network said instead. */
export interface TrafficResponse {
  readonly type: "traffic.response";
  readonly request: MailId;
  /** HTTP status; 0 for a plain TCP accept. */
  readonly status: number;
  /** "connection refused", "i/o timeout", "no such host": the text after "dial tcp IP:PORT: connect: " or its like. */
  readonly error?: string;
  readonly body?: string;
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
