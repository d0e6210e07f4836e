import { parseParams } from "../sim/faults/params.ts";
import { FAULTS, faultById } from "../sim/faults/registry.ts";
import { AWAITED, type Moment, parseMoment } from "../trace/moment.ts";
import type { FaultPlan } from "./fault-plan.ts";
import { UsageError } from "./io.ts";
import { parseTime } from "./time-text.ts";

/** What may follow an "@": a time, or a moment that only the run can tell. A digest in an image's name has an "@" too, but no such thing behind it. */
const BEGINS = /@(?=\d[\da-z]*(?:\.\d[\da-z]*)?(?:\.\.|$)|msg:|#\d+:|when:)/;

function momentOf(text: string, flag: string): Moment {
  const moment = parseMoment(text, parseTime);
  if (typeof moment === "string") throw new UsageError(`--fault ${flag}: ${moment}`);
  return moment;
}

/** Whether a text can be an end: conditions may have ".." in them as well. */
const isEnd = (text: string): boolean => AWAITED.test(text) || /^\+?\d[\da-z.]*$/.test(text);

/** Splits "WHEN..UNTIL" at the last ".." that has an end behind it. */
function splitSpan(text: string): readonly [string, string | undefined] {
  for (let at = text.lastIndexOf(".."); at > 0; at = text.lastIndexOf("..", at - 1)) {
    if (isEnd(text.slice(at + 2).trim())) return [text.slice(0, at), text.slice(at + 2)];
  }
  return [text, undefined];
}

/** "--fault ID[,key=value...][@WHEN[..UNTIL]]": WHEN (default 0) and UNTIL (default: for good) are times, "+10s" after the beginning, or moments ("msg:123", "when:CONDITION", "#3:CONDITION"). */
export function parseFault(text: string): FaultPlan {
  const mark = BEGINS.exec(text);
  const [id = "", ...pairs] = (mark ? text.slice(0, mark.index) : text).split(",");
  const fault = faultById(id);
  if (!fault) throw new UsageError(`there is no fault "${id}"; there are ${FAULTS.map((f) => f.id).join(", ")}`);
  const params = parseParams(fault, pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new UsageError(`"${pair}" in --fault ${text} is not key=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  }));
  if (typeof params === "string") throw new UsageError(params);
  const [begin, end] = mark ? splitSpan(text.slice(mark.index + 1)) : ["0s", undefined];
  const begins = momentOf(begin, text);
  const ends = end === undefined ? undefined : momentOf(end, text);
  if (begins.kind === "time" && ends?.kind === "time" && ends.at <= begins.at) throw new UsageError(`fault ${id} ends at ${end ?? ""}, before it begins`);
  return { id, params, begins, ...(ends === undefined ? {} : { ends }) };
}
