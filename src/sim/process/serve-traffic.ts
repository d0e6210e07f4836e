// What listens on the node's addresses, and what it answers
import type { TrafficAccepted, TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import type { RelayedRequest } from "../coredns/messages.ts";
import { normalizePath, readFile } from "./files.ts";
import type { Micros } from "../kernel/types.ts";
import type { ServerProgram } from "./images/image.ts";
import { chargeRequest } from "./stats.ts";
import { isNotReady, lateness } from "./trouble.ts";
import type { Proc, Turn } from "./turn.ts";

/** Which process of an address listens on the port, if any. */
export function listener(turn: Turn, ip: string, port: number): { proc: Proc; server: ServerProgram } | undefined {
  for (const id of turn.state.byIP.get(ip) ?? []) {
    const proc = turn.state.containers.get(id);
    for (const { server, listening } of Object.values(proc?.tasks ?? {})) if (proc && server && listening && server.ports.includes(port)) return { proc, server };
  }
  return undefined;
}

/** No probe waits for less. */
const PATIENCE: Micros = 1_000_000;

/** The kernel has taken the request for a program that does not answer yet: a probe's clock is running. */
function accepted({ ctx }: Turn): void {
  if (ctx.from.startsWith("kubelet@")) ctx.send(ctx.from, { type: "traffic.accepted", request: ctx.mail } satisfies TrafficAccepted, { protocol: "TCP", latency: 100, verb: "ACK", level: "source" });
}

export function traffic(turn: Turn, request: TrafficRequest): void {
  const { ctx } = turn;
  const probe = ctx.from.startsWith("kubelet@");
  if (request.dns !== undefined && request.toIP === turn.config.node.address && request.toPort === 53) return relayHostDns(turn, request);
  const found = listener(turn, request.toIP, request.toPort);
  const reply = (response: Omit<TrafficResponse, "type" | "request">, waiting = 0): void => {
    ctx.send(ctx.from, { type: "traffic.response", request: ctx.mail, ...response } satisfies TrafficResponse, { protocol: request.protocol === "UDP" ? "TCP" : request.protocol === "gRPC" ? "gRPC" : request.protocol, latency: ctx.latency("link.host", `${ctx.mail}`) + (found ? ctx.latency("process.http", `${ctx.mail}`) : 0) + waiting, verb: found ? "answer" : "RST", status: response.status, level: ctx.from.startsWith("kubelet@") ? "source" : "operator" });
  };
  if (!found) return reply(nobody(turn, request), turn.state.byIP.has(request.toIP) || request.toIP === turn.config.node.address || probe ? 0 : NO_ARP_ANSWER);
  const { proc, server } = found;
  if (server.component?.ports.includes(request.toPort)) return relay(turn, request, proc, server.component.id);
  if (proc.hung !== undefined && request.protocol !== "TCP" && request.protocol !== "UDP") return accepted(turn);
  const work = request.protocol === "HTTP" ? chargeRequest(turn, proc, server) : 0;
  const servedBy = `${proc.spec.namespace}/${proc.spec.podName}/${proc.spec.container}`;
  // An application that is not ready says so to whoever asks for its readiness or its service, not to its liveness probe.
  const notReady = !/#(?:liveness|startup)$/.test(request.client) && isNotReady(turn, proc);
  if (request.protocol !== "HTTP") {
    reply({ status: notReady && request.protocol === "gRPC" ? 1 : 0, servedBy, ...(server.protocol === "HTTP" && request.protocol === "gRPC" ? { body: notReady ? "NOT_SERVING" : "SERVING" } : {}) });
    return;
  }
  const late = lateness(turn, proc, request.path ?? "/");
  if (work + late >= PATIENCE) accepted(turn);
  if (notReady) {
    reply({ status: 503, servedBy, body: "not ready\n" }, late);
    return;
  }
  const status = httpStatus(turn, proc, server, request.path ?? "/");
  reply({ status, servedBy, body: status === 200 ? body(turn, proc, server, request.path ?? "/") : `${status}\n` }, work + late);
}

/** Three unanswered requests for the address's owner, a second apart (mcast_solicit). */
const NO_ARP_ANSWER = 3_060_000;

/** No process listens there: the kernel says so, or nobody has the address. */
function nobody(turn: Turn, { toIP, toPort }: TrafficRequest): Omit<TrafficResponse, "type" | "request"> {
  const ids = turn.state.byIP.get(toIP) ?? [];
  if (ids.length === 0 && toIP !== turn.config.node.address) return { status: 0, error: "no route to host", why: `no Pod has the address ${toIP} (any more)` };
  const listening = ids.flatMap((id) => Object.values(turn.state.containers.get(id)?.tasks ?? {}).flatMap((task) => (task.server && task.listening ? task.server.ports : [])));
  const ended = ids.length > 0 && ids.every((id) => turn.state.containers.get(id)?.state !== "running");
  return { status: 0, error: "connection refused", why: ended ? `the process at ${toIP} has ended` : `nothing listens on ${toIP}:${toPort}${listening.length === 0 ? "" : `, only on ${listening.join(", ")}`}` };
}

/** Simplified: a pasted cluster without CoreDNS has one all the same, on the address of its first node. */
function relayHostDns({ ctx, config }: Turn, request: TrafficRequest): void {
  const message: RelayedRequest = { type: "traffic.relayed", request, mail: ctx.mail, carrier: ctx.from, servedBy: "coredns", node: config.node.name };
  ctx.send("coredns", message, { protocol: "DNS", latency: ctx.latency("link.host", `relay ${ctx.mail}`), verb: `${request.dns?.qtype ?? ""} ${request.dns?.name ?? ""}`, level: "source" });
}

/** What is asked of a program that is a component of its own goes on to it; it answers whoever carried the packet here. */
function relay({ ctx, config }: Turn, request: TrafficRequest, proc: Proc, component: string): void {
  const { namespace, podName, container } = proc.spec;
  const message: RelayedRequest = { type: "traffic.relayed", request, mail: ctx.mail, carrier: ctx.from, servedBy: `${namespace}/${podName}/${container}`, node: config.node.name };
  ctx.send(component, message, { protocol: request.dns === undefined ? request.protocol === "HTTP" ? "HTTP" : "TCP" : "DNS", latency: ctx.latency("link.host", `relay ${ctx.mail}`), verb: request.dns === undefined ? `${request.method ?? ""} ${request.host ?? ""}${request.path ?? "/"}` : `${request.dns.qtype} ${request.dns.name}`, subject: `pod/${namespace}/${podName}`, level: "source" });
}

export function filePath(server: ServerProgram, path: string): string {
  const clean = (path.split("?")[0] ?? "/").split("#")[0] ?? "/";
  return normalizePath(`${server.root ?? ""}/${clean.endsWith("/") ? `${clean}index.html` : clean}`);
}

/** The answer of its own that a path has at this time. */
function answerOf(turn: Turn, proc: Proc, server: ServerProgram, path: string): { readonly status: number; readonly body?: string } | undefined {
  const age = turn.ctx.now - proc.startedAt;
  return server.answers?.find((answer) => answer.path === path.split("?")[0] && age >= (answer.from ?? 0) && age < (answer.until ?? Number.POSITIVE_INFINITY));
}

export function httpStatus(turn: Turn, proc: Proc, server: ServerProgram, path: string): number {
  const own = answerOf(turn, proc, server, path);
  if (own !== undefined) return own.status;
  if (server.otherwise !== undefined) return server.otherwise;
  if (server.root === undefined) return 200;
  if (readFile(turn.view(proc), filePath(server, path)) !== undefined) return 200;
  return path === "/" ? 403 : 404;
}

export function body(turn: Turn, proc: Proc, server: ServerProgram, path: string): string {
  const own = answerOf(turn, proc, server, path)?.body ?? server.page;
  if (own !== undefined) return own;
  if (server.root !== undefined) return readFile(turn.view(proc), filePath(server, path)) ?? "";
  return `Hello, world!\nHostname: ${proc.spec.hostname}\n`;
}
