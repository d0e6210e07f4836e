// What a command line waits for: time, a child, a file, a name, an answer
import type { TrafficRequest } from "../api/traffic.ts";
import type { DnsRequestMessage } from "../coredns/messages.ts";
import type { MailId, Micros } from "../kernel/types.ts";
import { resolveArgv } from "./program.ts";
import type { Block } from "./shell/host.ts";
import { type ListenTimer, type Proc, type TaskTimer, type Turn } from "./turn.ts";

/** How long the kernel tries to open a connection that nobody answers (tcp_syn_retries 6). */
const CONNECT_TIMEOUT: Micros = 127_000_000;

/** How long a program asks a name server that does not answer: musl and BusyBox 5 s in all, glibc 5 s twice, BIND's tools 5 s three times. */
function dnsTimeout(tool: string, shell: string): Micros {
  if (shell === "busybox") return 5_000_000;
  return /^(nslookup|dig|host)/.test(tool) ? 15_000_000 : 10_000_000;
}

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
      timer(0);
      return;
    }
    case "dns": {
      const waitsFor = ctx.send("coredns", { type: "dns.request", name: block.name, qtype: "A", client: `process@${turn.config.node.name}`, namespace: proc.spec.namespace } satisfies DnsRequestMessage, { protocol: "DNS", latency: ctx.latency("link.lan", `dns ${id} ${ctx.now}`), verb: `A ${block.name}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
      turn.task(id, name, { ...task, block, waitsFor, timer: timer(dnsTimeout(block.tool, resolveArgv(proc.spec.image, [], []).image.shell)) });
      return;
    }
    case "http": {
      const waitsFor = openUrl(turn, proc, block.url, block.method, id);
      turn.task(id, name, { ...task, block, waitsFor, timer: timer(block.flags.timeout ?? CONNECT_TIMEOUT) });
    }
  }
}

const SCHEMES: Readonly<Record<string, number>> = { http: 80, https: 443, tcp: 0 };

export function openUrl(turn: Turn, proc: Proc, url: string, method: string, id: string): MailId {
  const { ctx } = turn;
  const m = /^(?:(\w+):\/\/)?(?:[^@/]*@)?([^/:?]+)(?::(\d+))?([/?].*)?$/.exec(url);
  const host = m?.[2] ?? "";
  const toIP = host === "localhost" ? "127.0.0.1" : host;
  const protocol = m?.[1] === "tcp" ? "TCP" : "HTTP";
  const path = m?.[4] ?? "/";
  const request: TrafficRequest = { type: "traffic.request", protocol, method, path, host, fromIP: proc.spec.ip, toIP, toPort: Number(m?.[3] ?? SCHEMES[m?.[1] ?? "http"] ?? 80), client: `process@${turn.config.node.name}` };
  const local = toIP === "127.0.0.1" || toIP === "0.0.0.0" || toIP === proc.spec.ip;
  // Simplified: the name is resolved by the node's rules engine, not by a DNS request of this process.
  return ctx.send(local ? `process@${turn.config.node.name}` : `netfilter@${turn.config.node.name}`, { ...request, toIP: local ? proc.spec.ip : toIP }, { protocol, latency: ctx.latency("link.host", `http ${id} ${ctx.now}`), verb: `${method} ${path}`, subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}
