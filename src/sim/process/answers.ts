// What a waiting command line gets: time, a DNS answer, an HTTP answer
import type { TrafficResponse } from "../api/traffic.ts";
import type { DnsResponseMessage } from "../coredns/messages.ts";
import type { MailId } from "../kernel/types.ts";
import { resolveArgv } from "./program.ts";
import type { HttpFlags } from "./shell/host.ts";
import type { Resume } from "./shell/state.ts";
import { continueShell } from "./tasks.ts";
import type { Task, TaskTimer, Turn } from "./turn.ts";

const DNS_SERVER = "10.96.0.10";

export function onTimer(turn: Turn, message: TaskTimer): void {
  const proc = turn.state.containers.get(message.containerId);
  const task = proc?.tasks[message.task];
  if (!proc || !task) return;
  if (task.block?.t === "http") return continueShell(turn, message.containerId, message.task, httpResume({ type: "traffic.response", request: -1, status: 0, error: "i/o timeout" }, task, shellOf(turn, message.containerId)));
  if (task.block?.t === "dns") return continueShell(turn, message.containerId, message.task, dnsTimedOut(task.block.name, task.block.tool, shellOf(turn, message.containerId)));
  // A budget pause is no command: there is nothing to finish.
  continueShell(turn, message.containerId, message.task, task.shell?.blocked ? { status: 0 } : undefined);
}

const shellOf = (turn: Turn, id: string): string => resolveArgv(turn.state.containers.get(id)?.spec.image ?? "", [], []).image.shell;

export function onAnswer(turn: Turn, request: MailId, resume: (task: Task, shell: string) => Resume): void {
  for (const [id, proc] of turn.state.containers.sorted()) {
    for (const [name, task] of Object.entries(proc.tasks)) {
      if (task.waitsFor !== request) continue;
      turn.ctx.cancel(task.timer);
      continueShell(turn, id, name, resume(task, shellOf(turn, id)));
      return;
    }
  }
}

export function dnsResume(response: DnsResponseMessage, task: Task, shell: string): Resume {
  const { name, tool } = task.block?.t === "dns" ? task.block : { name: "", tool: "nslookup" };
  const found = response.rcode === "NOERROR" && response.addresses.length > 0;
  const [first = ""] = response.addresses;
  const program = tool.split(" ")[0];
  if (program === "getent") return found ? { status: 0, out: `${first.padEnd(15)} ${response.name} ${name}\n` } : { status: 2 };
  if (program === "dig") return { status: 0, out: tool.endsWith("+short") ? response.addresses.map((address) => `${address}\n`).join("") : found ? response.addresses.map((address) => `${name}.\t\t5\tIN\tA\t${address}\n`).join("") : `;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN\n` };
  if (program === "host") return found ? { status: 0, out: response.addresses.map((address) => `${response.name} has address ${address}\n`).join("") } : { status: 1, out: `Host ${name} not found: 3(NXDOMAIN)\n` };
  if (program === "ping") return found ? { status: 0, out: ping(name, first, Number(tool.split(" ")[1] ?? 0)) } : { status: shell === "busybox" ? 1 : 2, err: shell === "busybox" ? `ping: bad address '${name}'\n` : `ping: ${name}: Name or service not known\n` };
  const head = shell === "busybox" ? `Server:\t\t${DNS_SERVER}\nAddress:\t${DNS_SERVER}:53\n\n` : `Server:\t\t${DNS_SERVER}\nAddress:\t${DNS_SERVER}#53\n\n`;
  if (!found) return { status: 1, out: `${head}** server can't find ${name}: ${response.rcode === "NOERROR" ? "NXDOMAIN" : response.rcode}\n\n` };
  const shown = shell === "busybox" ? name : response.name;
  return { status: 0, out: `${head}${response.addresses.map((address) => `Name:\t${shown}\nAddress: ${address}\n`).join("")}\n` };
}

/** No name server answered. */
function dnsTimedOut(name: string, tool: string, shell: string): Resume {
  switch (tool.split(" ")[0]) {
    case "getent":
      return { status: 2 };
    case "ping":
      return shell === "busybox" ? { status: 1, err: `ping: bad address '${name}'\n` } : { status: 2, err: `ping: ${name}: Temporary failure in name resolution\n` };
    case "dig":
      return { status: 9, out: ";; connection timed out; no servers could be reached\n" };
    default:
      return { status: 1, out: ";; connection timed out; no servers could be reached\n\n" };
  }
}

/** Simplified: upstream's echo requests travel; here a name that resolves answers, at once. */
function ping(name: string, address: string, count: number): string {
  const lines = Array.from({ length: count }, (_, i) => `64 bytes from ${address}: seq=${i} ttl=62 time=0.${120 + i} ms\n`);
  return `PING ${name} (${address}): 56 data bytes\n${lines.join("")}\n--- ${name} ping statistics ---\n${count} packets transmitted, ${count} packets received, 0% packet loss\n`;
}

const hostOf = (url: string): { readonly host: string; readonly port: string } => {
  const m = /^(?:(\w+):\/\/)?(?:[^@/]*@)?([^/:?]+)(?::(\d+))?/.exec(url);
  return { host: m?.[2] ?? "", port: m?.[3] ?? (m?.[1] === "https" ? "443" : "80") };
};

export function httpResume(response: TrafficResponse, task: Task, shell: string): Resume {
  if (task.block?.t !== "http") return { status: 1 };
  const { tool, url, flags } = task.block;
  if (tool === "curl") return curl(response, url, flags);
  if (tool.startsWith("nc")) return connected(response, url, tool);
  return wget(response, url, flags, shell);
}

function curl(response: TrafficResponse, url: string, flags: HttpFlags): Resume {
  const { host, port } = hostOf(url);
  const written = (flags.format ?? "").replace(/%\{(?:http_code|response_code)\}/g, String(response.status).padStart(3, "0")).replace(/\\n/g, "\n");
  const failed = (status: number, text: string): Resume => ({ status, out: written, err: flags.quiet ? "" : `curl: (${status}) ${text}\n` });
  if (response.error === "no such host") return failed(6, `Could not resolve host: ${host}`);
  if (response.error === "i/o timeout") return failed(28, flags.timeout === undefined ? `Failed to connect to ${host} port ${port} after 127000 ms: Could not connect to server` : `Connection timed out after ${Math.round(flags.timeout / 1000)} milliseconds`);
  if (response.error !== undefined) return failed(7, `Failed to connect to ${host} port ${port} after ${response.error === "no route to host" ? 3060 : 0} ms: Could not connect to server`);
  if (flags.fail && response.status >= 400) return failed(22, `The requested URL returned error: ${response.status}`);
  const headers = flags.head || flags.headersOnly ? `HTTP/1.1 ${response.status} ${response.status < 400 ? "OK" : "Error"}\r\n\r\n` : "";
  const body = flags.head ? "" : (response.body ?? "");
  return { status: 0, out: `${headers}${flags.save === undefined ? body : ""}${written}`, ...(flags.save === undefined ? {} : { file: { path: flags.save, text: body } }) };
}

function connected(response: TrafficResponse, url: string, tool: string): Resume {
  const { host, port } = hostOf(url);
  if (response.error === undefined) return { status: 0, err: tool === "nc -v" ? `${host} (${host}:${port}) open\n` : "" };
  if (response.error === "no such host") return { status: 1, err: tool === "nc" || tool === "nc -v" ? `nc: bad address '${host}'\n` : `nc: getaddrinfo for host "${host}" port ${port}: Name or service not known\n` };
  return { status: 1, err: tool === "nc -v" ? `nc: ${host} (${host}:${port}): ${response.error === "i/o timeout" ? "Connection timed out" : response.error === "no route to host" ? "No route to host" : "Connection refused"}\n` : "" };
}

function wget(response: TrafficResponse, url: string, flags: HttpFlags, shell: string): Resume {
  const { host, port } = hostOf(url);
  const busybox = shell === "busybox";
  const address = busybox ? `${host}:${port}` : host;
  const opening = flags.quiet ? "" : busybox ? `Connecting to ${host} (${address})\n` : `Connecting to ${host}:${port}... `;
  if (response.error === "no such host") return busybox ? { status: 1, err: `wget: bad address '${port === "80" ? host : address}'\n` } : { status: 4, err: flags.quiet ? "" : `wget: unable to resolve host address '${host}'\n` };
  if (response.error !== undefined) {
    const reason = response.error === "i/o timeout" ? "Connection timed out" : response.error === "no route to host" ? "No route to host" : "Connection refused";
    return busybox ? { status: 1, err: `${opening}wget: ${response.error === "i/o timeout" && flags.timeout !== undefined ? "download timed out" : `can't connect to remote host (${host}): ${reason}`}\n` } : { status: 4, err: flags.quiet ? "" : `${opening}failed: ${reason}.\n` };
  }
  if (response.status >= 400) return busybox ? { status: 1, err: `${opening}wget: server returned error: HTTP/1.1 ${response.status} ${response.status === 404 ? "Not Found" : "Error"}\n` } : { status: 8, err: flags.quiet ? "" : `${opening}connected.\nHTTP request sent, awaiting response... ${response.status}\n` };
  const body = response.body ?? "";
  const headers = flags.headersOnly ? "  HTTP/1.1 200 OK\n" : "";
  if (flags.head) return { status: 0, err: flags.quiet ? "" : `${opening}remote file exists\n` };
  if (flags.save === undefined) return { status: 0, out: body, err: flags.quiet ? "" : `${opening}${headers}writing to stdout\n-                    100% |********************************| ${String(body.length).padStart(5)}  0:00:00 ETA\nwritten to stdout\n` };
  return { status: 0, err: flags.quiet ? "" : `${opening}${headers}saving to '${flags.save}'\n${flags.save.slice(-20).padEnd(20)} 100% |********************************| ${String(body.length).padStart(5)}  0:00:00 ETA\n'${flags.save}' saved\n`, file: { path: flags.save, text: body } };
}
