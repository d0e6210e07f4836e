// Models kubernetes/staging/src/k8s.io/client-go/rest/request.go
import type { Credential, HttpRequest } from "../api/http.ts";
import type { Draft } from "../kernel/copies.ts";
import type { Ctx, Level, MailId, NetClosedMessage } from "../kernel/types.ts";

export const API_SERVER = "kube-apiserver";

/** How one program talks to the API server. */
export interface ApiClient {
  readonly userAgent: string;
  readonly credential: Credential;
  /** Sent along, so that the server takes the client for somebody else. */
  readonly impersonate?: { readonly user: string; readonly uid?: string; readonly groups?: readonly string[]; readonly extra?: Readonly<Record<string, readonly string[]>> };
}

/** transport/round_trippers.go: a header of several values has them on lines of their own here. */
function impersonationHeaders(headers: Record<string, string>, { user, uid = "", groups = [], extra = {} }: NonNullable<ApiClient["impersonate"]>): void {
  if (user !== "") headers["Impersonate-User"] = user;
  if (uid !== "") headers["Impersonate-Uid"] = uid;
  if (groups.length > 0) headers["Impersonate-Group"] = groups.join("\n");
  for (const [key, values] of Object.entries(extra)) headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = values.join("\n");
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
  readonly ownership?: true;
}

/** A process that exits: its kernel closes its connection, and the server forgets its watches. */
export function closeConnection(ctx: Ctx, peer: string): void {
  ctx.send(API_SERVER, { type: "net.closed", peer } satisfies NetClosedMessage, { protocol: "TCP", latency: 0, verb: "FIN", level: "source" });
}

/** Sends one request and returns its mail id; the answer arrives as an `http.response` that names it, or as a `net.error`. */
export function apiRequest(ctx: Ctx, client: ApiClient, call: ApiCall): MailId {
  const headers: Record<string, string> = { Accept: call.accept ?? "application/json", "User-Agent": client.userAgent };
  if (call.body !== undefined) headers["Content-Type"] = call.contentType ?? "application/json";
  if (client.impersonate !== undefined) impersonationHeaders(headers, client.impersonate);
  const request: Draft<HttpRequest> = { type: "http.request", method: call.method, path: call.path, headers, credential: client.credential };
  if (call.query !== undefined) request.query = call.query;
  if (call.body !== undefined) request.body = call.body;
  if (call.stream !== undefined) request.stream = call.stream;
  if (call.ownership !== undefined) request.ownership = call.ownership;
  return ctx.send(API_SERVER, request, {
    protocol: "HTTPS",
    latency: ctx.latency("link.apiserver", `${call.method} ${call.path} ${ctx.now}`),
    verb: call.method,
    subject: call.subject ?? call.path,
    ...(call.level === undefined ? {} : { level: call.level }),
  });
}
