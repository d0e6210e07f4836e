import type { Trace } from "../../../../trace/trace.ts";
import type { Normalize } from "./recorded-text.ts";

/** An Event and each time that it was seen: made, then counted. */
export interface Happening {
  readonly object: string;
  readonly text: string;
  /** Milliseconds, ascending. */
  readonly seen: readonly number[];
}

interface StoredEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly reportingController?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

const line = (type: string, reason: string, source: string, message: string): string => `${type} ${reason} ${source}: ${message}`;

interface CountedEvent extends StoredEvent {
  readonly count?: number;
  readonly series?: { readonly count?: number };
}

const countOf = (event: CountedEvent): number => event.series?.count ?? event.count ?? 1;

/** Events of a run in the order in which they were first stored. */
export function eventsOf(trace: Trace, name: Normalize): readonly Happening[] {
  const found = new Map<string, { object: string; text: string; seen: number[]; count: number }>();
  trace.revisions.forEach((revision, i) => {
    if (!revision.key.startsWith("/registry/events/default/") || revision.object === undefined) return;
    const event = revision.object as CountedEvent;
    const at = trace.notes.at.get(trace.revisionNotes[i] ?? 0) / 1_000;
    const known = found.get(revision.key);
    if (known) {
      if (countOf(event) > known.count) known.seen.push(at);
      known.count = countOf(event);
      return;
    }
    const about = event.involvedObject ?? event.regarding ?? {};
    const source = event.source?.component || event.reportingComponent || event.reportingController || "";
    found.set(revision.key, { object: name(`${about.kind}/${about.name}`), text: name(line(event.type ?? "", event.reason ?? "", source, event.message ?? event.note ?? "")), seen: [at], count: countOf(event) });
  });
  return [...found.values()];
}

export interface RecordedEvent {
  readonly atMs: number;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly object: string;
  readonly repeats?: readonly { readonly atMs: number; readonly count: number }[];
}

export function recordedEvents(events: readonly RecordedEvent[], name: Normalize): readonly Happening[] {
  return events.map(({ atMs, type, reason, message, source, object, repeats = [] }) => ({ object: name(object), text: name(line(type, reason, source, message)), seen: [atMs, ...repeats.map((repeat) => repeat.atMs)] }));
}

/** Lists by key, in order. */
export function group<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const list = groups.get(key(item)) ?? [];
    groups.set(key(item), list);
    list.push(item);
  }
  return groups;
}
