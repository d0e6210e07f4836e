import { type Moment, parseMoment } from "../../trace/moment.ts";
import { parseTime } from "../../timeline/format.ts";

/** How a moment is chosen: nothing ("now", "never"), a time, a length (of ends), a message, a condition. */
export type Choice = "none" | "at" | "after" | "message" | "when";

/** What a reader has written for the beginning or the end of a fault; what belongs to other choices is kept. */
export interface Written {
  readonly choice: Choice;
  readonly at: string;
  readonly after: string;
  readonly message: string;
  readonly condition: string;
  /** For the how many-th time. */
  readonly nth: string;
}

export const EMPTY_MOMENT: Written = { choice: "none", at: "", after: "", message: "", condition: "", nth: "1" };

const asSentence = (said: Moment | string): Moment | string => (typeof said === "string" ? `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith(".") ? "" : "."}` : said);

/** A message or a condition; a sentence if it cannot be read. */
function awaited({ choice, message, condition, nth }: Written): Moment | string {
  if (choice === "message") return /^\d{1,9}$/.test(message.trim()) ? { kind: "message", message: Number(message) } : "Write the number of a message: the inspector shows it.";
  if (!/^[1-9]\d{0,5}$/.test(nth.trim())) return "Write for which time the condition shall hold: 1, 2, 3.";
  return asSentence(parseMoment(`#${nth.trim()}:${condition.trim() === "" ? "?" : condition}`, () => undefined));
}

/** When it begins; times with a sign count from `now`. */
export function beginningOf(written: Written, now: number): Moment | string {
  if (written.choice === "none") return { kind: "time", at: now };
  if (written.choice !== "at") return awaited(written);
  const at = parseTime(written.at, now);
  return at === undefined ? "Write the time as 2.5s, 300ms or +1s." : { kind: "time", at };
}

/** When it ends; undefined for never. A time with a plus counts from the beginning, as a length does. */
export function endOf(written: Written, time: (text: string) => number | undefined): Moment | string | undefined {
  if (written.choice === "none") return undefined;
  if (written.choice === "at" || written.choice === "after") {
    const text = (written.choice === "at" ? written.at : written.after).trim();
    const at = time(text.replace(/^\+/, ""));
    if (at === undefined || text.startsWith("-")) return "It must end after it begins: 30s, or +10s.";
    return written.choice === "after" || text.startsWith("+") ? { kind: "after", delay: at } : { kind: "time", at };
  }
  return awaited(written);
}
