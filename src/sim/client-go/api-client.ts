// Models kubernetes/staging/src/k8s.io/client-go/rest/request.go
import type { Credential, HttpRequest } from "../api/http.ts";
import type { Ctx, Level, MailId } from "../kernel/types.ts";

export const API_SERVER = "kube-apiserver";

/** How one program talks to the API server. */
export interface ApiClient {
  readonly userAgent: string;
  readonly credential: Credential;
}

export interface ApiCall {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** For PATCH: "application/strategic-merge-patch+json", "application/merge-patch+json", "application/json-patch+json". */
  readonly contentType?: string;
  readonly accept?: string;
  /** Object reference for readers: "pod/default/nginx". */
  readonly subject?: string;
  readonly level?: Level;
  readonly stream?: string;
}

/** Sends one request and returns its mail id; the answer arrives as an `http.response` that names it, or as a `net.error`. */
export function apiRequest(ctx: Ctx, client: ApiClient, call: ApiCall): MailId {
  const request: HttpRequest = {
    type: "http.request",
    method: call.method,
    path: call.path,
    headers: {
      Accept: call.accept ?? "application/json",
      "User-Agent": client.userAgent,
      ...(call.body === undefined ? {} : { "Content-Type": call.contentType ?? "application/json" }),
    },
    credential: client.credential,
    ...(call.query === undefined ? {} : { query: call.query }),
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.stream === undefined ? {} : { stream: call.stream }),
  };
  return ctx.send(API_SERVER, request, {
    protocol: "HTTPS",
    latency: ctx.latency("link.apiserver", `${call.method} ${call.path} ${ctx.now}`),
    verb: call.method,
    subject: call.subject ?? call.path,
    ...(call.level === undefined ? {} : { level: call.level }),
  });
}
