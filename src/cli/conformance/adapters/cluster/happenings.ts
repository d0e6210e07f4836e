import { podSummary } from "../../../../sim/kube-apiserver/printers/pods.ts";
import type { Pod } from "../../../../sim/api/types.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Normalize } from "./recorded-text.ts";

/** An Event and each time that it was seen: made, then counted. */
export interface Happening {
  readonly object: string;
  readonly text: string;
  /** Milliseconds, ascending. */
  readonly seen: readonly number[];
}

export interface Shown {
  readonly pod: string;
  /** "Running 1/1 0" */
  readonly text: string;
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
    if (!revision.key.startsWith("/registry/events/") || revision.object === undefined) return;
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

/** What `kubectl get pods` would have shown after each write of a Pod, without repetitions. */
export function statusesOf(trace: Trace, name: Normalize): readonly Shown[] {
  const last = new Map<string, string>();
  return trace.revisions.flatMap((revision, i) => {
    if (!revision.key.startsWith("/registry/pods/default/")) return [];
    const pod = name(revision.key.split("/").at(-1) ?? "");
    const { status, ready, restarts } = revision.object === undefined ? { status: "<gone>", ready: "", restarts: "" } : podSummary(revision.object as Pod, trace.notes.at.get(trace.revisionNotes[i] ?? 0));
    const text = shown(status, ready, restarts);
    if (last.get(pod) === text) return [];
    last.set(pod, text);
    return [{ pod, text }];
  });
}

const shown = (status: string, ready: string | null, restarts: string | null): string => (status === "<gone>" ? status : `${status} ${ready} ${(restarts ?? "").replace(/ \(.*$/, "")}`);

interface RecordedStatus {
  readonly pod: string;
  readonly status: string;
  readonly ready: string | null;
  readonly restarts: string | null;
}

export function recordedStatuses(statuses: readonly RecordedStatus[], name: Normalize): readonly Shown[] {
  return statuses.map(({ pod, status, ready, restarts }) => ({ pod: name(pod), text: shown(status, ready, restarts) }));
}

/** Containers of a Pod are killed at once, each by its own goroutine: their order in a recording is chance. */
export function withoutRaces(texts: readonly string[]): readonly string[] {
  const sorted = texts.filter((text) => text.includes(" Killing ")).sort();
  const firstOfRun = texts.findIndex((text) => text.includes(" Killing "));
  const adjacent = firstOfRun >= 0 && texts.slice(firstOfRun, firstOfRun + sorted.length).every((text) => text.includes(" Killing "));
  return adjacent ? [...texts.slice(0, firstOfRun), ...sorted, ...texts.slice(firstOfRun + sorted.length)] : texts;
}

/** Lists by key, in order. */
export function group<T>(items: readonly T[], key: (item: T) => string, value: (item: T) => string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const list = groups.get(key(item)) ?? [];
    groups.set(key(item), list);
    list.push(value(item));
  }
  return groups;
}
