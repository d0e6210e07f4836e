// What a command line waits for: time, a child, a file, a name, an answer
import type { MailId, Micros } from "../kernel/types.ts";
import { knownAddress, lookUp } from "./lookup.ts";
import { connectTo, CONNECT_TIMEOUT, partsOf } from "./connect.ts";
import type { Block } from "./shell/host.ts";
import { type ListenTimer, type LookupTimer, type TaskTimer, type Turn } from "./turn.ts";

/** Longer than any lookup takes: its own timers end it. */
const NAME_TIMEOUT: Micros = 3_600_000_000;

/** The address is known without a question. */
const answerNow = (turn: Turn, containerId: string, task: string, address: string): MailId => turn.ctx.after(0, { type: "process.dns-timeout", containerId, task, address } satisfies LookupTimer);

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
        ctx.after(60_000, { type: "process.overLimit", containerId: id, task: name } satisfies ListenTimer);
        return;
      }
      timer(0);
      return;
    }
    case "dns": {
      turn.task(id, name, { ...task, block });
      const reverse = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(block.name);
      if (reverse && block.tool.startsWith("ping")) {
        answerNow(turn, id, name, block.name);
        return;
      }
      if (reverse) return lookUp(turn, id, name, `${reverse[4]}.${reverse[3]}.${reverse[2]}.${reverse[1]}.in-addr.arpa.`, ["PTR"]);
      // nslookup, dig and host ask a server; everything else looks into /etc/hosts first.
      const known = /^(?:getent|ping)/.test(block.tool) ? knownAddress(turn, proc, block.name) : undefined;
      if (known !== undefined) {
        answerNow(turn, id, name, known);
        return;
      }
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
