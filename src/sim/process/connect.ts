// Opening a connection from a container
import type { TrafficRequest } from "../api/traffic.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import type { Proc, TaskTimer, Turn } from "./turn.ts";

/** How long the kernel tries to open a connection that nobody answers (tcp_syn_retries 6). */
export const CONNECT_TIMEOUT: Micros = 127_000_000;

export const partsOf = (url: string): { readonly scheme: string; readonly host: string; readonly port: string | undefined; readonly path: string } => {
  const m = /^(?:(\w+):\/\/)?(?:[^@/]*@)?([^/:?]+)(?::(\d+))?([/?].*)?$/.exec(url);
  return { scheme: m?.[1] ?? "http", host: m?.[2] ?? "", port: m?.[3], path: m?.[4] ?? "/" };
};

/** The address is known: the connection is opened, and waits as long as the kernel tries unless the program gives up before. */
export function connectTo(turn: Turn, id: string, name: string, address: string): void {
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!proc || task?.block?.t !== "http") return;
  const { url, method, flags } = task.block;
  const waitsFor = openUrl(turn, proc, url, method, id, address);
  if (flags.timeout === undefined) turn.ctx.cancel(task.timer);
  turn.task(id, name, { ...task, waitsFor, ...(flags.timeout === undefined ? { timer: turn.ctx.after(CONNECT_TIMEOUT, { type: "process.timer", containerId: id, task: name } satisfies TaskTimer) } : {}) });
}

const SCHEMES: Readonly<Record<string, number>> = { http: 80, https: 443, tcp: 0 };

function openUrl(turn: Turn, proc: Proc, url: string, method: string, id: string, address: string): MailId {
  const { ctx } = turn;
  const { scheme, host, port, path } = partsOf(url);
  const protocol = scheme === "tcp" ? "TCP" : "HTTP";
  const local = address.startsWith("127.") || address === "0.0.0.0" || address === proc.spec.ip;
  const request: TrafficRequest = { type: "traffic.request", protocol, method, path, host, fromIP: proc.spec.ip, toIP: local ? proc.spec.ip : address, toPort: Number(port ?? SCHEMES[scheme] ?? 80), client: `process@${turn.config.node.name}` };
  return ctx.send(local ? `process@${turn.config.node.name}` : `netfilter@${turn.config.node.name}`, request, { protocol, latency: ctx.latency("link.host", `http ${id} ${ctx.now}`), verb: `${method} ${path}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}
