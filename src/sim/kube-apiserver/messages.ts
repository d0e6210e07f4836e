import type { MailId } from "../kernel/types.ts";

/** The API server asks a node's kubelet for a container's log (GET /containerLogs/NAMESPACE/POD/CONTAINER). */
export interface LogsRequest {
  readonly type: "logs.request";
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly container: string;
  readonly previous: boolean;
  readonly tailLines?: number;
}

/** The kubelet's answer: the text, or an error text with its status. */
export interface LogsResponse {
  readonly type: "logs.response";
  readonly request: MailId;
  readonly status: number;
  readonly body: string;
}
