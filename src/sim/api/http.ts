import type { MailId } from "../../trace/model.ts";
import type { KubeObject } from "./types.ts";

/** What a client shows at the door: the API server's authenticators turn it into a user. */
export interface Credential {
  readonly kind: "client-certificate" | "service-account-token" | "bearer-token" | "none";
  /** Certificate CN, "system:serviceaccount:NS:NAME", or a token's text. */
  readonly name: string;
  /** Certificate O: the user's groups. */
  readonly groups?: readonly string[];
}

/** One HTTP/2 request to the API server. Bodies are parsed JSON; they are shared, never changed. */
export interface HttpRequest {
  readonly type: "http.request";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** "/api/v1/namespaces/default/pods/nginx/status" */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly credential: Credential;
  /** For watches: the name under which events will arrive ("kube-scheduler/pods"). */
  readonly stream?: string;
  /** For watches: only what is told of owners is wanted. */
  readonly ownership?: true;
}

/** The answer, naming the request's mail. Refusals carry a Status as body. */
export interface HttpResponse {
  readonly type: "http.response";
  readonly request: MailId;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject;
}

/** One line of a watch stream. */
export interface WatchEventMessage {
  readonly type: "watch.event";
  readonly stream: string;
  readonly event: WatchEvent;
}

/** The server ended a watch stream (its deadline, or the client fell behind). */
export interface WatchClosedMessage {
  readonly type: "watch.closed";
  readonly stream: string;
}

/** A watch a component holds: the API server is born with the settled world's watches open, a restarted client opens its own. */
export interface WatchSpec {
  /** The watching component; also where events go. */
  readonly component: string;
  /** Plural resource name: "pods", "endpointslices". */
  readonly resource: string;
  /** Collection path over all namespaces: "/api/v1/pods", "/apis/apps/v1/replicasets". */
  readonly path: string;
  /** "spec.nodeName=worker-node-03" */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /**
   * Of a controller that monitors every resource: "metadata" brings PartialObjectMetadata, "ownership" only changes of owners, finalizers and deletion.
   * Simplified: upstream's controllers hear every change from the informer that they share, and are told by bookmarks how far it is; both would cost here and show nothing.
   */
  readonly monitor?: "ownership" | "metadata";
}

/** The stream name of a watch: one per component, resource and selector. */
export function streamOf(watch: WatchSpec): string {
  return `${watch.component}/${watch.resource}${watch.fieldSelector ? `?${watch.fieldSelector}` : ""}${watch.labelSelector ? `&${watch.labelSelector}` : ""}`;
}

/** "default/nginx", or "worker-node-03" for cluster-scoped objects: the key of informer stores and work queues. */
export function objectKey(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name ?? ""}` : (name ?? "");
}
