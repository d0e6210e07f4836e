import { OUTCOMES, PROTOCOLS } from "../../trace/model.ts";
import type { Trace } from "../../trace/trace.ts";
import { LONG_LIVED } from "./network.ts";
import type { LinkRule, Micros } from "./types.ts";

const IN_FLIGHT = OUTCOMES.indexOf("in flight");
const PAIR = 65_536;

/** Between which components a slow link has held something up: a connection keeps its order, also when the link gets better. */
export class SlowStreams {
  private readonly due = new Map<number, Micros>();

  /** From then on nothing is held up any more. */
  until: Micros = 0;

  /** When the last of what was held up arrives; 0 if nothing was. */
  last(from: number, to: number): Micros {
    return this.due.get(from * PAIR + to) ?? 0;
  }

  sent(from: number, to: number, due: Micros): void {
    this.due.set(from * PAIR + to, Math.max(due, this.last(from, to)));
    this.until = Math.max(this.until, due);
  }

  /** In a fork: what is on its way is all that matters. Requests that a silent link holds hold up nothing. */
  restore({ mail, mailCount, strings }: Trace, rules: readonly LinkRule[]): void {
    const silent = new Set(rules.filter(({ giveUp = 0 }) => giveUp > 0).map(({ id }) => id));
    for (let id = 0; id < mailCount; id++) if (mail.fault.get(id) !== 0 && mail.outcome.get(id) === IN_FLIGHT && LONG_LIVED.has(PROTOCOLS[mail.protocol.get(id)] ?? "local") && !silent.has(strings.text(mail.fault.get(id)))) this.sent(mail.from.get(id), mail.to.get(id), mail.dueAt.get(id));
  }
}
