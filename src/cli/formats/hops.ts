import type { MailId } from "../../trace/model.ts";
import { type ChapterRange, chapterUnderWay } from "../../trace/chapters.ts";
import { causingHop, isForeground } from "../../trace/formats/causing-hop.ts";
import type { Trace } from "../../trace/trace.ts";
import { seconds } from "../time-text.ts";

/** One hop as other programs read it. Times are seconds with microseconds as decimals. */
export interface HopRow {
  readonly id: MailId;
  readonly at: number;
  /** Null if it never arrived. */
  readonly delivered: number | null;
  readonly from: string;
  readonly to: string;
  readonly protocol: string;
  readonly verb: string;
  readonly subject: string;
  /** HTTP status or exit code of an answer; null where there is none. */
  readonly status: number | null;
  /** The hop whose handling, perhaps after timers, sent this one; null for a user's act and for what runs since the beginning. */
  readonly cause: MailId | null;
  /** 1 to 15; null outside all chapters and for background. */
  readonly chapter: number | null;
  /** The first sentence its receiver said about it. */
  readonly note: string | null;
}

const HOP = 0;

function firstNote(trace: Trace, hop: MailId): string | null {
  const event = trace.mail.event.get(hop);
  if (event < 0) return null;
  const { events, notes } = trace;
  const end = event + 1 < trace.eventCount ? events.firstNote.get(event + 1) : trace.noteCount;
  for (let note = events.firstNote.get(event); note < end; note++) if (notes.text.get(note) !== 0) return trace.strings.text(notes.text.get(note));
  return null;
}

/** Every hop of a run in the order of sending; timers are left out. */
export function* hopRows(trace: Trace, chapters: readonly ChapterRange[]): Generator<HopRow> {
  for (let id = 0; id < trace.mailCount; id++) {
    if (trace.mail.kind.get(id) !== HOP) continue;
    const hop = trace.hop(id);
    yield {
      id,
      at: seconds(hop.sentAt),
      delivered: hop.outcome === "delivered" || hop.outcome === "refused" ? seconds(hop.dueAt) : null,
      from: hop.from,
      to: hop.to,
      protocol: hop.protocol,
      verb: hop.verb,
      subject: hop.subject,
      status: hop.status === 0 ? null : hop.status,
      cause: causingHop(trace, id),
      chapter: isForeground(trace, id) ? (chapterUnderWay(chapters, hop.sentAt) ?? null) : null,
      note: firstNote(trace, id),
    };
  }
}
