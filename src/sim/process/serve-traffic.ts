// What listens on the node's addresses, and what it answers
import type { TrafficRequest, TrafficResponse } from "../api/traffic.ts";
import { normalizePath, readFile } from "./files.ts";
import type { Micros } from "../kernel/types.ts";
import type { ServerProgram } from "./images/image.ts";
import { chargeRequest } from "./stats.ts";
import { matchesFault, type Proc, type Turn } from "./turn.ts";

/** Which process of an address listens on the port, if any. */
export function listener(turn: Turn, ip: string, port: number): { proc: Proc; server: ServerProgram } | undefined {
  for (const id of turn.state.byIP.get(ip) ?? []) {
    const proc = turn.state.containers.get(id);
    for (const { server, listening } of Object.values(proc?.tasks ?? {})) if (proc && server && listening && server.ports.includes(port)) return { proc, server };
  }
  return undefined;
}

/** Three unanswered ARP requests, a second each (mcast_solicit 3, retrans_time_ms 1000): then the kernel says EHOSTUNREACH. */
const UNREACHABLE_AFTER: Micros = 3_060_000;

/** Simplified: upstream's address goes with its sandbox; here it goes with the last container that had it. */
const isNobodys = (turn: Turn, ip: string): boolean => ip !== turn.config.node.address && !turn.state.containers.values().some(({ spec }) => spec.ip === ip);

export function traffic(turn: Turn, request: TrafficRequest): void {
  const { ctx } = turn;
  const found = listener(turn, request.toIP, request.toPort);
  const reply = (response: Omit<TrafficResponse, "type" | "request">, waiting = 0): void => {
    ctx.send(ctx.from, { type: "traffic.response", request: ctx.mail, ...response } satisfies TrafficResponse, { protocol: request.protocol === "UDP" ? "TCP" : request.protocol === "gRPC" ? "gRPC" : request.protocol, latency: ctx.latency("link.host", `${ctx.mail}`) + (found ? ctx.latency("process.http", `${ctx.mail}`) : 0) + waiting, verb: found ? "answer" : "RST", status: response.status, level: ctx.from.startsWith("kubelet@") ? "source" : "operator" });
  };
  if (!found) {
    if (isNobodys(turn, request.toIP)) reply({ status: 0, error: "no route to host" }, UNREACHABLE_AFTER);
    else reply({ status: 0, error: "connection refused" });
    return;
  }
  const { proc, server } = found;
  const work = request.protocol === "HTTP" ? chargeRequest(turn, proc, server) : 0;
  const servedBy = `${proc.spec.namespace}/${proc.spec.podName}/${proc.spec.container}`;
  // An application that is not ready says so to whoever asks for its readiness or its service, not to its liveness probe.
  const notReady = !/#(?:liveness|startup)$/.test(request.client) && turn.state.faults.some((fault) => fault.id === "app.not-ready" && matchesFault(fault, proc));
  if (request.protocol !== "HTTP") {
    reply({ status: notReady && request.protocol === "gRPC" ? 1 : 0, servedBy, ...(server.protocol === "HTTP" && request.protocol === "gRPC" ? { body: notReady ? "NOT_SERVING" : "SERVING" } : {}) });
    return;
  }
  if (notReady) {
    reply({ status: 503, servedBy, body: "not ready\n" });
    return;
  }
  const status = httpStatus(turn, proc, server, request.path ?? "/");
  reply({ status, servedBy, body: status === 200 ? body(turn, proc, server, request.path ?? "/") : `${status}\n` }, work);
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
