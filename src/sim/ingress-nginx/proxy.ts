// Models nginx as ingress-nginx configures it: to which endpoint a request goes, and what the client is told when that fails
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { RelayedRequest } from "../coredns/messages.ts";
import type { Ctx, MailId, Micros } from "../kernel/types.ts";
import type { IngressNginxState } from "./ingress-nginx.ts";
import { findLocation, hasTls, type Location } from "./rules.ts";

/** proxy_connect_timeout 5s. */
const CONNECT_TIMEOUT: Micros = 5_000_000;
/** proxy_next_upstream error timeout, three tries. */
const MAX_TRIES = 3;

/** One request between the client and an endpoint. */
export interface Proxied {
  readonly mail: MailId;
  readonly timer: MailId;
  readonly from: RelayedRequest;
  readonly location: Location;
  readonly tried: readonly string[];
  readonly lastError: string;
}

const TEXT: Readonly<Record<number, string>> = { 308: "Permanent Redirect", 404: "Not Found", 502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out" };
const page = (status: number): string => `<html>\n<head><title>${status} ${TEXT[status] ?? ""}</title></head>\n<body>\n<center><h1>${status} ${TEXT[status] ?? ""}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n`;

function answer(state: IngressNginxState, from: RelayedRequest, response: Omit<TrafficResponse, "type" | "request">, ctx: Ctx): IngressNginxState {
  const { request, mail, carrier, servedBy } = from;
  ctx.send(carrier, { type: "traffic.response", request: mail, servedBy, ...response } satisfies TrafficResponse, { protocol: "HTTP", latency: ctx.latency("link.host", `nginx ${mail}`), verb: "answer", status: response.status, subject: `${request.host ?? ""}${request.path ?? "/"}` });
  if (response.status >= 400) ctx.explain({ text: `nginx answers ${response.status} for ${request.host ?? ""}${request.path ?? "/"}`, ...(response.why === undefined ? {} : { why: response.why }), level: "operator" });
  return { ...state, answers: { ...state.answers, [response.status]: (state.answers[response.status] ?? 0) + 1 } };
}

const own = (state: IngressNginxState, from: RelayedRequest, status: number, why: string, ctx: Ctx): IngressNginxState => answer(state, from, { status, body: page(status), why }, ctx);

export function begin(state: IngressNginxState, from: RelayedRequest, ctx: Ctx): IngressNginxState {
  const { request } = from;
  const next = { ...state, requests: state.requests + 1 };
  if (request.protocol !== "HTTP") return answer(next, from, { status: 0 }, ctx);
  const host = (request.host ?? "").toLowerCase();
  const path = request.path ?? "/";
  // Simplified: TLS is not spoken; who comes to port 443 is taken to have agreed on it.
  const secure = request.toPort === 443;
  if (!secure && hasTls(state.config.ingresses, host)) return answer(next, from, { status: 308, body: page(308), why: `the Ingress has TLS for ${host}: https://${host}${path}` }, ctx);
  const location = findLocation(state.config.locations, host, path);
  if (!location) return own(next, from, 404, `no Ingress has a rule for ${host}${path}: the default backend answers`, ctx);
  return tryNext(next, from, location, [], "", ctx);
}

function tryNext(state: IngressNginxState, from: RelayedRequest, location: Location, tried: readonly string[], lastError: string, ctx: Ctx): IngressNginxState {
  const upstream = state.config.upstreams[`${location.service}:${location.port}`] ?? [];
  if (upstream.length === 0) return own(state, from, 503, `Service ${location.service} has no ready endpoints for port ${location.port}, or is not there`, ctx);
  if (tried.length >= MAX_TRIES) return lastError === "i/o timeout" ? own(state, from, 504, `no answer from ${tried.join(", ")} within 5 s each`, ctx) : own(state, from, 502, `${lastError} by ${tried.join(", ")}: nothing listens there, or the Pod is gone and nginx does not know it yet`, ctx);
  const target = upstream[state.turn % upstream.length] ?? "";
  const [ip = "", port = "0"] = target.split(":");
  const { request } = from;
  const forwarded: TrafficRequest = {
    ...request, fromIP: request.toIP, toIP: ip, toPort: Number(port), client: "ingress-nginx",
    headers: { ...request.headers, Host: request.host ?? "", "X-Real-IP": request.fromIP, "X-Forwarded-For": request.fromIP, "X-Forwarded-Host": request.host ?? "", "X-Forwarded-Proto": request.toPort === 443 ? "https" : "http", "X-Scheme": request.toPort === 443 ? "https" : "http" },
  };
  const mail = ctx.send(`netfilter@${from.node}`, forwarded, { protocol: "HTTP", latency: ctx.latency("link.host", `proxy ${from.mail} ${tried.length}`), verb: `${request.method ?? "GET"} ${request.path ?? "/"}`, subject: `service/${location.service}`, level: "operator" });
  const timer = ctx.after(CONNECT_TIMEOUT, { type: "ingress-nginx.timeout", mail } as never);
  return { ...state, turn: state.turn + 1, open: [...state.open, { mail, timer, from, location, tried: [...tried, target], lastError }] };
}

export function answered(state: IngressNginxState, response: TrafficResponse, ctx: Ctx): IngressNginxState {
  const entry = state.open.find(({ mail }) => mail === response.request);
  if (!entry) return state;
  ctx.cancel(entry.timer);
  const next = { ...state, open: state.open.filter((other) => other !== entry) };
  if (response.error !== undefined) return tryNext(next, entry.from, entry.location, entry.tried, response.error, ctx);
  const { status, body, servedBy, why } = response;
  return answer(next, entry.from, { status, ...(body === undefined ? {} : { body }), ...(servedBy === undefined ? {} : { servedBy: `${servedBy} by way of nginx` }), ...(why === undefined ? {} : { why }) }, ctx);
}

export function timedOut(state: IngressNginxState, mail: MailId, ctx: Ctx): IngressNginxState {
  const entry = state.open.find((candidate) => candidate.mail === mail);
  if (!entry) return state;
  return tryNext({ ...state, open: state.open.filter((other) => other !== entry) }, entry.from, entry.location, entry.tried, "i/o timeout", ctx);
}
