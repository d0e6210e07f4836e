// What a waiting command line gets: time, a DNS answer, an HTTP answer
import type { TrafficResponse } from "../api/traffic.ts";
import type { DnsResponseMessage } from "../coredns/messages.ts";
import type { MailId } from "../kernel/types.ts";
import type { Resume } from "./shell/state.ts";
import { continueShell } from "./tasks.ts";
import type { Task, TaskTimer, Turn } from "./turn.ts";

export function onTimer(turn: Turn, message: TaskTimer): void {
  const task = turn.state.containers.get(message.containerId)?.tasks[message.task];
  if (!task) return;
  // A budget pause is no command: there is nothing to finish.
  continueShell(turn, message.containerId, message.task, task.shell?.blocked ? { status: 0 } : undefined);
}

export function onAnswer(turn: Turn, request: MailId, resume: (task: Task) => Resume): void {
  for (const [id, proc] of turn.state.containers.sorted()) {
    for (const [name, task] of Object.entries(proc.tasks)) {
      if (task.waitsFor !== request) continue;
      continueShell(turn, id, name, resume(task));
      return;
    }
  }
}

export function dnsResume(response: DnsResponseMessage, task: Task): Resume {
  const name = task.block?.t === "dns" ? task.block.name : "";
  const head = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n";
  if (response.rcode !== "NOERROR" || response.addresses.length === 0) return { status: 1, out: `${head}** server can't find ${name}: ${response.rcode === "NOERROR" ? "NXDOMAIN" : response.rcode}\n\n` };
  return { status: 0, out: `${head}${response.addresses.map((address) => `Name:\t${name}\nAddress: ${address}\n`).join("")}\n` };
}

export function httpResume(response: TrafficResponse, task: Task): Resume {
  if (task.block?.t !== "http") return { status: 1 };
  const { tool, url } = task.block;
  if (response.error !== undefined) return { status: tool === "curl" ? (response.error === "no such host" ? 6 : 7) : 1, err: tool === "curl" ? `curl: (7) Failed to connect to ${url}\n` : `wget: can't connect to remote host (${url}): ${response.error}\n` };
  if (response.status >= 400 && tool === "wget") return { status: 1, err: `wget: server returned error: HTTP/1.1 ${response.status}\n` };
  return { status: 0, out: response.body ?? "" };
}
