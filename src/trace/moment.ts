import { type Breakpoint, type Hit, hitsOf, parseBreakpoint } from "./breakpoint.ts";
import type { TraceIndex } from "./trace-index.ts";

/** When something shall begin or end. Times in microseconds. */
export type Moment =
  | { readonly kind: "time"; readonly at: number }
  /** So long after the beginning. */
  | { readonly kind: "after"; readonly delay: number }
  /** When the message with this number is sent: numbers are those of the recording ("run -o hops", the inspector). */
  | { readonly kind: "message"; readonly message: number }
  /** When a condition begins to hold for the n-th time. */
  | { readonly kind: "condition"; readonly nth: number; readonly condition: Breakpoint; readonly text: string };

/** A moment that only a run can tell. */
export type Awaited = Extract<Moment, { readonly kind: "message" | "condition" }>;

export const isAwaited = (moment: Moment | undefined): moment is Awaited => moment?.kind === "message" || moment?.kind === "condition";

/** How an awaited moment begins, whatever comes behind it. */
export const AWAITED = /^(?:msg:|#\d+:|when:)/;

/**
 * Reads "msg:123" (message 123 is sent), "when:CONDITION" (it first holds), "#3:CONDITION" (for the third time), "+10s" (after the
 * beginning) or a time, which `time` reads. A sentence if it is none of them.
 */
export function parseMoment(text: string, time: (text: string) => number | undefined): Moment | string {
  const trimmed = text.trim();
  const message = /^msg:(\d{1,9})$/.exec(trimmed);
  if (message) return { kind: "message", message: Number(message[1]) };
  const condition = /^(?:when|#(\d{1,6})):(.+)$/.exec(trimmed);
  if (condition) {
    const nth = Number(condition[1] ?? 1);
    const read = parseBreakpoint(condition[2] ?? "");
    if (typeof read === "string") return read;
    return nth === 0 ? "conditions are counted from #1" : { kind: "condition", nth, condition: read, text: (condition[2] ?? "").trim() };
  }
  if (AWAITED.test(trimmed)) return `“${trimmed}” is not understood: write msg:123, when:event FailedScheduling or #3:kubelet -> kube-apiserver PATCH`;
  const at = time(trimmed.replace(/^\+/, ""));
  if (at === undefined) return `“${trimmed}” is no time`;
  return trimmed.startsWith("+") ? { kind: "after", delay: at } : { kind: "time", at };
}

/** Where an awaited moment lies in a run, later than `after`; undefined as long as it has not come. What holds already must end and begin again. */
export function findMoment(index: TraceIndex, moment: Awaited, after: number): Hit | undefined {
  if (moment.kind === "condition") return hitsOf(index, moment.condition).filter(({ at }) => at > after)[moment.nth - 1];
  const { trace } = index;
  if (moment.message >= trace.mailCount) return undefined;
  const { sentAt, from, to, verb } = trace.hop(moment.message);
  return sentAt > after ? { at: sentAt, what: `message ${moment.message}, ${from} to ${to}: ${verb}` } : undefined;
}

const ordinal = (n: number): string => `${n}${n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;

/** "“event Killing” holds", "“http 429” holds for the 3rd time", "message 123 is sent". */
export function awaitedText(moment: Awaited): string {
  if (moment.kind === "message") return `message ${moment.message} is sent`;
  return `“${moment.text}” holds${moment.nth === 1 ? "" : ` for the ${ordinal(moment.nth)} time`}`;
}
