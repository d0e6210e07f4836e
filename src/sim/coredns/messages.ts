import type { TrafficRequest } from "../api/traffic.ts";
import type { MailId, Message } from "../kernel/types.ts";

/** A packet that reached a container whose program is a component of its own: the answer goes straight to who carries it back. */
export interface RelayedRequest extends Message {
  readonly type: "traffic.relayed";
  readonly request: TrafficRequest;
  readonly mail: MailId;
  readonly carrier: string;
  /** "kube-system/coredns-674b8bbfcf-abcde/coredns" */
  readonly servedBy: string;
  readonly node: string;
}
