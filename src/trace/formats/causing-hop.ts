import { LEVELS, type MailId } from "../model.ts";
import type { Trace } from "../trace.ts";

const HOP = 0;

/** The nearest hop on the way back to the user. */
export function causingHop(trace: Trace, hop: MailId): MailId | null {
  let id = trace.mail.cause.get(hop);
  while (id >= 0 && trace.mail.kind.get(id) !== HOP) id = trace.mail.cause.get(id);
  return id >= 0 ? id : null;
}

/** True for the hops that tell the story or its workings, not the background. */
export const isForeground = (trace: Trace, hop: MailId): boolean => trace.mail.level.get(hop) < LEVELS.indexOf("source");
