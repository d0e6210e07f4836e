// What a command line waits for: time, a child, a file, a name, an answer
import type { TrafficRequest } from "../api/traffic.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import { knownAddress, lookUp } from "./lookup.ts";
import { noLookup } from "./answers.ts";
import type { Block } from "./shell/host.ts";
import { type ListenTimer, MIB, type Proc, type TaskTimer, type Turn } from "./turn.ts";

/** How long the kernel tries to open a connection that nobody answers (tcp_syn_retries 6). */
const CONNECT_TIMEOUT: Micros = 127_000_000;
/** Longer than any lookup takes: its own timers end it. */
const NAME_TIMEOUT: Micros = 3_600_000_000;

/** Arms what will wake a task. Programs are started by whoever knows how. */
export function blockOn(turn: Turn, id: string, name: string, block: Exclude<Block, { t: "program" }>): void {
  const { ctx } = turn;
  const proc = turn.state.containers.get(id);
  const task = proc?.tasks[name];
  if (!task || !proc) return;
  const timer = (delay: Micros): MailId => ctx.after(delay, { type: "process.timer", containerId: id, task: name } satisfies TaskTimer);
  switch (block.t) {
    case "sleep":
      turn.task(id, name, { ...task, block, timer: timer(block.micros) });
      return;
    case "forever":
    case "wait":
      turn.task(id, name, { ...task, block, forever: true });
      return;
    case "follow":
      turn.task(id, name, { ...task, block, forever: true });
      turn.state = { ...turn.state, following: [...turn.state.following, { containerId: id, task: name }] };
      return;
    case "memory": {
      turn.task(id, name, { ...task, block, forever: true });
      const { bytes } = block;
      if (proc.spec.memoryLimit > 0 && bytes > proc.spec.memoryLimit) {
        ctx.after(60_000, { type: "process.crash", containerId: id, task: name } satisfies ListenTimer);
        return;
      }
      const now = turn.state.containers.get(id);
      if (now) turn.put(id, { ...now, memoryMiB: block.bytes < 1e12 ? Math.ceil(block.bytes / MIB) : 1024 });
      return;
    }
    case "dns": {
      turn.task(id, name, { ...task, block });
      const reverse = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(block.name);
      if (reverse && block.tool.startsWith("ping")) return noLookup(turn, id, name, block.name);
      if (reverse) return lookUp(turn, id, name, `${reverse[4]}.${reverse[3]}.${reverse[2]}.${reverse[1]}.in-addr.arpa.`, ["PTR"]);
      // nslookup, dig and host ask a server; everything else looks into /etc/hosts first.
      const known = /^(?:getent|ping)/.test(block.tool) ? knownAddress(turn, proc, block.name) : undefined;
      if (known !== undefined) return noLookup(turn, id, name, known);
      // dig takes a name as it is.
      return lookUp(turn, id, name, block.tool.startsWith("dig") ? `${block.name.replace(/\.$/, "")}.` : block.name, block.qtype === undefined ? (block.tool.startsWith("dig") ? ["A"] : undefined) : [block.qtype]);
    }
    case "http": {
      const { host } = partsOf(block.url);
      const known = knownAddress(turn, proc, host);
      turn.task(id, name, { ...task, block, timer: timer(block.flags.timeout ?? (known === undefined ? NAME_TIMEOUT : CONNECT_TIMEOUT)) });
      if (known === undefined) lookUp(turn, id, name, host);
      else connectTo(turn, id, name, known);
    }
  }
}

const partsOf = (url: string): { readonly scheme: string; readonly host: string; readonly port: string | undefined; readonly path: string } => {
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

export function openUrl(turn: Turn, proc: Proc, url: string, method: string, id: string, address: string): MailId {
  const { ctx } = turn;
  const { scheme, host, port, path } = partsOf(url);
  const protocol = scheme === "tcp" ? "TCP" : "HTTP";
  const local = address.startsWith("127.") || address === "0.0.0.0" || address === proc.spec.ip;
  const request: TrafficRequest = { type: "traffic.request", protocol, method, path, host, fromIP: proc.spec.ip, toIP: local ? proc.spec.ip : address, toPort: Number(port ?? SCHEMES[scheme] ?? 80), client: `process@${turn.config.node.name}` };
  return ctx.send(local ? `process@${turn.config.node.name}` : `netfilter@${turn.config.node.name}`, request, { protocol, latency: ctx.latency("link.host", `http ${id} ${ctx.now}`), verb: `${method} ${path}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}
