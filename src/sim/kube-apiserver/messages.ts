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
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339 */
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
  readonly follow?: Follower;
}

/** A client of the API server that keeps a stream open. */
export interface Follower {
  readonly client: string;
  readonly stream: string;
}

/** More of a stream: kubelet to API server to client; `done` ends it. */
export interface StreamData extends Follower {
  readonly type: "stream.data";
  readonly text: string;
  readonly done: boolean;
}

/** The client closed its end: client to API server to kubelet. */
export interface StreamCancel {
  readonly type: "stream.cancel";
  readonly stream: string;
}

/** The kubelet's answer: the text, or an error text with its status. */
export interface LogsResponse {
  readonly type: "logs.response";
  readonly request: MailId;
  readonly status: number;
  readonly body: string;
  /** More will come by StreamData. */
  readonly follows?: boolean;
}

/** The API server asks a node's kubelet to run a command in a container (POST /exec/NAMESPACE/POD/CONTAINER). */
export interface ExecRequest {
  readonly type: "exec.request";
  readonly name: string;
  readonly uid: string;
  readonly container: string;
  readonly command: readonly string[];
  /** What stands on its standard input. */
  readonly stdin?: string;
  /** Attaching: what the container writes from now on. */
  readonly follow?: Follower;
}

/** What the command did, or why it could not be run; `status` is that of a refusal before the stream was open. */
export type ExecResult = { readonly exitCode: number; readonly output: string; readonly follows?: boolean; readonly error?: undefined } | { readonly error: string; readonly status?: number };

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
