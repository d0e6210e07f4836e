import type { Level, MailId } from "../../trace/model.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { bestNote, fromUser, hopSentence, shownAt, travels } from "../widgets/trace-text.ts";

/** One link between a click and what came of it. */
export interface CauseLink {
  readonly mail: MailId;
  /** When it was sent, microseconds. */
  readonly at: number;
  /** When it arrived. */
  readonly arrived: number;
  readonly kind: "click" | "hop" | "wait";
  /** Where it was handled. */
  readonly component: string;
  readonly sentence: string;
  /** What the receiver did with it, if it said so. */
  readonly effect?: string;
  /** Steps of one component that were left out after this link. */
  readonly folded: number;
}

function linkOf(index: TraceIndex, mail: MailId, folded: number): CauseLink {
  const hop = index.trace.hop(mail);
  const effect = bestNote(index.trace, mail)?.text;
  const kind = fromUser(hop) ? "click" : travels(hop) ? "hop" : "wait";
  return { mail, at: hop.sentAt, arrived: hop.dueAt, kind, component: hop.to, sentence: hopSentence(hop), ...(effect ? { effect } : {}), folded };
}

/** A component's messages to itself are folded unless it waited at least this long: then the wait is the story. */
const WAIT_WORTH_TELLING = 1_000;

/**
 * Why a mail was sent: from it back to the click that began everything, nearest first. Steps inside one component
 * are folded into a count.
 */
export function causeChain(index: TraceIndex, mail: MailId): CauseLink[] {
  const chain: CauseLink[] = [];
  let folded = 0;
  for (const id of index.causesOf(mail)) {
    const hop = index.trace.hop(id);
    // The input and its delivery are one click.
    if (hop.kind === "input" && chain.at(-1)?.kind === "click") continue;
    const tell = id === mail || fromUser(hop) || travels(hop) || hop.dueAt - hop.sentAt >= WAIT_WORTH_TELLING;
    if (!tell) {
      folded++;
      continue;
    }
    chain.push(linkOf(index, id, folded));
    folded = 0;
  }
  return chain;
}

/** What was sent because of a mail, and because of that, and so on: in order of time, up to `limit` links at a detail level. */
export function cameOf(index: TraceIndex, mail: MailId, detail: Level, limit: number): { readonly links: CauseLink[]; readonly more: boolean } {
  const links: CauseLink[] = [];
  const queue: MailId[] = [...index.consequencesOf(mail)];
  // A mail's consequences have greater ids than itself, so taking the least id first gives order of time of sending.
  let visited = 0;
  while (queue.length > 0 && visited < VISIT_LIMIT) {
    let least = 0;
    for (let i = 1; i < queue.length; i++) if ((queue[i] as number) < (queue[least] as number)) least = i;
    const id = queue.splice(least, 1)[0] as number;
    visited++;
    queue.push(...index.consequencesOf(id));
    const hop = index.trace.hop(id);
    if (!travels(hop) || !shownAt(hop.level, detail)) continue;
    if (links.length === limit) return { links, more: true };
    links.push(linkOf(index, id, 0));
  }
  return { links, more: queue.length > 0 };
}

const VISIT_LIMIT = 4_000;
