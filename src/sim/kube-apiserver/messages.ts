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

/** The API server asks a node's kubelet to run a command in a container (POST /exec/NAMESPACE/POD/CONTAINER). */
export interface ExecRequest {
  readonly type: "exec.request";
  readonly name: string;
  readonly uid: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** What the command did, or why it could not be run; `status` is that of a refusal before the stream was open. */
export type ExecResult = { readonly exitCode: number; readonly output: string; readonly error?: undefined } | { readonly error: string; readonly status?: number };

export interface ExecResponse {
  readonly type: "exec.response";
  readonly request: MailId;
  readonly result: ExecResult;
}

/** A request that another server answers (an APIService leads there): the proxy passes it on. */
export interface AggregatedRequest {
  readonly type: "aggregated.request";
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export interface AggregatedResponse {
  readonly type: "aggregated.response";
  readonly request: MailId;
  readonly status: number;
  readonly body: unknown;
}
