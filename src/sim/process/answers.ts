// What a waiting command line gets: time, a DNS answer, an HTTP answer
import type { TrafficResponse } from "../api/traffic.ts";
import type { Resolved } from "../api/resolver.ts";
import { connectTo } from "./connect.ts";
import type { MailId } from "../kernel/types.ts";
import { forgetLookup, onDnsTimeout, type Progress, resolvConf } from "./lookup.ts";
import { resolveArgv } from "./program.ts";
import type { HttpFlags } from "./shell/host.ts";
import type { Resume } from "./shell/state.ts";
import { continueShell } from "./tasks.ts";
import type { LookupTimer, Proc, Task, TaskTimer, Turn } from "./turn.ts";

export function onTimer(turn: Turn, message: TaskTimer): void {
  const proc = turn.state.containers.get(message.containerId);
  const task = proc?.tasks[message.task];
  if (!proc || !task) return;
  forgetLookup(turn, message.containerId, message.task);
  if (task.block?.t === "http") return continueShell(turn, message.containerId, message.task, httpResume({ type: "traffic.response", request: -1, status: 0, error: "i/o timeout" }, task, shellOf(turn, message.containerId)));
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

/** A lookup has ended: who asked for the name goes on with it. */
export function resolved(turn: Turn, { lookup, resolved: result }: Progress): void {
  const proc = lookup && turn.state.containers.get(lookup.containerId);
  const task = proc?.tasks[lookup?.task ?? ""];
  if (!lookup || !proc || !task || result === undefined) return;
  const { containerId: id, task: name } = lookup;
  told(turn, proc, result);
  const shell = shellOf(turn, id);
  if (task.block?.t === "dns") return continueShell(turn, id, name, dnsResume(result, task, shell, resolvConf(turn, proc).nameservers[0] ?? ""));
  const address = result.addresses.find((candidate) => !candidate.includes(":"));
  if (address !== undefined) return connectTo(turn, id, name, address);
  turn.ctx.cancel(task.timer);
  continueShell(turn, id, name, httpResume({ type: "traffic.response", request: -1, status: 0, error: result.failed === undefined ? "no such host" : "no name server" }, task, shell));
}

function told(turn: Turn, proc: Proc, { name, rcode, failed, addresses, sent }: Resolved): void {
  const what = failed === "timeout" ? "no name server answers" : failed === "refused" ? "the name server's port is refused" : addresses.length > 0 ? `${name} is ${addresses.join(", ")}` : `${name}: ${rcode === "NOERROR" ? "no address" : rcode}`;
  turn.ctx.explain({ text: `${proc.spec.container} looks a name up: ${what}`, why: `${sent} questions: A and AAAA for each name of the search list in resolv.conf until one has an address`, level: failed === undefined ? "operator" : "basic", subject: `pod/${proc.spec.namespace}/${proc.spec.podName}` });
}

/** Nobody has answered for a while, or the address was known without a question. */
export function onLookupTimer(turn: Turn, message: LookupTimer): void {
  const { containerId, task: name, address } = message;
  if (address === undefined) return resolved(turn, onDnsTimeout(turn, message));
  const task = turn.state.containers.get(containerId)?.tasks[name];
  if (task?.block?.t === "dns") continueShell(turn, containerId, name, dnsResume({ name: task.block.name, rcode: "NOERROR", addresses: [address], sent: 0 }, task, shellOf(turn, containerId), ""));
}

function nslookup({ name: found, rcode, failed, addresses, answer }: Resolved, name: string, server: string, busybox: boolean): Resume {
  const head = busybox ? `Server:\t\t${server}\nAddress:\t${server}:53\n\n` : `Server:\t\t${server}\nAddress:\t${server}#53\n\n`;
  if (failed !== undefined) return { status: 1, ...(failed === "refused" && busybox ? { err: "nslookup: read: Connection refused\n" } : {}), out: ";; connection timed out; no servers could be reached\n\n" };
  if (answer?.ptr !== undefined) return { status: 0, out: `${head}${found}\tname = ${answer.ptr}${busybox ? "" : "."}\n\n` };
  if (answer?.srv !== undefined) return { status: 0, out: `${head}${answer.srv.map((record) => `${found}\tservice = 0 100 ${record.port} ${record.target}${busybox ? "" : "."}\n`).join("")}\n` };
  const shown = busybox ? name : found;
  const alias = answer?.cname === undefined ? "" : `${found}\tcanonical name = ${answer.cname}${busybox ? "" : "."}\n`;
  if (addresses.length === 0) return { status: 1, out: `${head}** server can't find ${name}: ${rcode === "NOERROR" ? "NXDOMAIN" : rcode}\n\n` };
  return { status: 0, out: `${head}${alias}${addresses.map((address) => `Name:\t${answer?.cname ?? shown}\nAddress: ${address}\n`).join("")}\n` };
}

function dig(result: Resolved, name: string, short: boolean): Resume {
  const { addresses, answer, failed, rcode } = result;
  if (failed !== undefined) return { status: 9, out: failed === "refused" ? ";; connection refused\n;; no servers could be reached\n" : ";; connection timed out; no servers could be reached\n" };
  const records = [...(answer?.cname === undefined ? [] : [["CNAME", `${answer.cname}.`]]), ...addresses.map((address) => ["A", address]), ...(answer?.srv ?? []).map((record) => ["SRV", `0 100 ${record.port} ${record.target}.`]), ...(answer?.ptr === undefined ? [] : [["PTR", `${answer.ptr}.`]])];
  if (short) return { status: 0, out: records.map(([, value]) => `${value}\n`).join("") };
  const owner = name.replace(/\.$/, "");
  return { status: 0, out: records.length > 0 ? records.map(([type, value]) => `${owner}.\t\t${answer?.ttl ?? 0}\tIN\t${type}\t${value}\n`).join("") : `;; ->>HEADER<<- opcode: QUERY, status: ${rcode}\n` };
}

export function dnsResume(result: Resolved, task: Task, shell: string, server: string): Resume {
  const { name, tool } = task.block?.t === "dns" ? task.block : { name: "", tool: "nslookup" };
  const { addresses } = result;
  const found = addresses.length > 0;
  const [first = ""] = addresses;
  const program = tool.split(" ")[0];
  if (program === "getent") return found ? { status: 0, out: `${first.padEnd(15)} ${result.name}${result.name === name ? "" : ` ${name}`}\n` } : { status: 2 };
  if (program === "dig") return dig(result, name, tool.endsWith("+short"));
  if (program === "host") return found ? { status: 0, out: addresses.map((address) => `${result.name} has address ${address}\n`).join("") } : result.failed === undefined ? { status: 1, out: `Host ${name} not found: 3(NXDOMAIN)\n` } : { status: 1, out: ";; connection timed out; no servers could be reached\n" };
  if (program === "ping") return found ? { status: 0, out: ping(name, first, Number(tool.split(" ")[1] ?? 0)) } : { status: shell === "busybox" ? 1 : 2, err: shell === "busybox" ? `ping: bad address '${name}'\n` : `ping: ${name}: ${result.failed === undefined ? "Name or service not known" : "Temporary failure in name resolution"}\n` };
  return nslookup(result, name, server, shell === "busybox");
}

/** Simplified: upstream's echo requests travel; here a name that resolves answers, at once. */
function ping(name: string, address: string, count: number): string {
  const lines = Array.from({ length: count }, (_, i) => `64 bytes from ${address}: seq=${i} ttl=62 time=0.${120 + i} ms\n`);
  return `PING ${name} (${address}): 56 data bytes\n${lines.join("")}\n--- ${name} ping statistics ---\n${count} packets transmitted, ${count} packets received, 0% packet loss\n`;
}

/** What getaddrinfo says is one thing to most programs: the name has no address, or nobody could be asked. */
const isNameError = ({ error }: TrafficResponse): boolean => error === "no such host" || error === "no name server";

/** connect(2)'s errors as perror prints them. */
const reasonOf = (error: string | undefined): string => (error === "i/o timeout" ? "Connection timed out" : error === "no route to host" ? "No route to host" : "Connection refused");

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
  if (isNameError(response)) return failed(6, `Could not resolve host: ${host}`);
  if (response.error === "i/o timeout") return failed(28, flags.timeout === undefined ? `Failed to connect to ${host} port ${port} after 127000 ms: Could not connect to server` : `Connection timed out after ${Math.round(flags.timeout / 1000)} milliseconds`);
  if (response.error !== undefined) return failed(7, `Failed to connect to ${host} port ${port} after ${response.error === "no route to host" ? 3062 : 0} ms: Could not connect to server`);
  if (flags.fail && response.status >= 400) return failed(22, `The requested URL returned error: ${response.status}`);
  const headers = flags.head || flags.headersOnly ? `HTTP/1.1 ${response.status} ${response.status < 400 ? "OK" : "Error"}\r\n\r\n` : "";
  const body = flags.head ? "" : (response.body ?? "");
  return { status: 0, out: `${headers}${flags.save === undefined ? body : ""}${written}`, ...(flags.save === undefined ? {} : { file: { path: flags.save, text: body } }) };
}

function connected(response: TrafficResponse, url: string, tool: string): Resume {
  const { host, port } = hostOf(url);
  if (response.error === undefined) return { status: 0, err: tool === "nc -v" ? `${host} (${host}:${port}) open\n` : "" };
  if (isNameError(response)) return { status: 1, err: tool === "nc" || tool === "nc -v" ? `nc: bad address '${host}'\n` : `nc: getaddrinfo for host "${host}" port ${port}: Name or service not known\n` };
  return { status: 1, err: tool === "nc -v" ? `nc: ${host} (${host}:${port}): ${reasonOf(response.error)}\n` : "" };
}

function wget(response: TrafficResponse, url: string, flags: HttpFlags, shell: string): Resume {
  const { host, port } = hostOf(url);
  const busybox = shell === "busybox";
  const address = busybox ? `${host}:${port}` : host;
  const opening = flags.quiet ? "" : busybox ? `Connecting to ${host} (${address})\n` : `Connecting to ${host}:${port}... `;
  if (isNameError(response)) return busybox ? { status: 1, err: `wget: bad address '${port === "80" ? host : address}'\n` } : { status: 4, err: flags.quiet ? "" : `wget: unable to resolve host address '${host}'\n` };
  if (response.error !== undefined) {
    const reason = reasonOf(response.error);
    return busybox ? { status: 1, err: `${opening}wget: ${response.error === "i/o timeout" && flags.timeout !== undefined ? "download timed out" : `can't connect to remote host (${host}): ${reason}`}\n` } : { status: 4, err: flags.quiet ? "" : `${opening}failed: ${reason}.\n` };
  }
  if (response.status >= 400) return busybox ? { status: 1, err: `${opening}wget: server returned error: HTTP/1.1 ${response.status} ${response.status === 404 ? "Not Found" : "Error"}\n` } : { status: 8, err: flags.quiet ? "" : `${opening}connected.\nHTTP request sent, awaiting response... ${response.status}\n` };
  const body = response.body ?? "";
  const headers = flags.headersOnly ? "  HTTP/1.1 200 OK\n" : "";
  if (flags.head) return { status: 0, err: flags.quiet ? "" : `${opening}remote file exists\n` };
  if (flags.save === undefined) return { status: 0, out: body, err: flags.quiet ? "" : `${opening}${headers}writing to stdout\n-                    100% |********************************| ${String(body.length).padStart(5)}  0:00:00 ETA\nwritten to stdout\n` };
  return { status: 0, err: flags.quiet ? "" : `${opening}${headers}saving to '${flags.save}'\n${flags.save.slice(-20).padEnd(20)} 100% |********************************| ${String(body.length).padStart(5)}  0:00:00 ETA\n'${flags.save}' saved\n`, file: { path: flags.save, text: body } };
}
