import { podSummary } from "../../../../sim/kube-apiserver/printers/pods.ts";
import type { Pod } from "../../../../sim/api/types.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Normalize } from "./recorded-text.ts";

/** What can be compared of an Event: its first sight. */
export interface Happening {
  /** Microseconds; 0 in a recording. */
  readonly at: number;
  readonly object: string;
  readonly text: string;
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

/** Events of a run in the order in which they were first stored, by object. */
export function eventsOf(trace: Trace, name: Normalize): readonly Happening[] {
  return trace.revisions.flatMap((revision, i) => {
    if (!revision.key.startsWith("/registry/events/") || revision.verb !== "create") return [];
    const event = revision.object as StoredEvent;
    const about = event.involvedObject ?? event.regarding ?? {};
    const source = event.source?.component || event.reportingComponent || event.reportingController || "";
    return [{ at: trace.notes.at.get(trace.revisionNotes[i] ?? 0), object: name(`${about.kind}/${about.name}`), text: name(line(event.type ?? "", event.reason ?? "", source, event.message ?? event.note ?? "")) }];
  });
}

interface RecordedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly object: string;
}

export function recordedEvents(events: readonly RecordedEvent[], name: Normalize): readonly Happening[] {
  return events.map(({ type, reason, message, source, object }) => ({ at: 0, object: name(object), text: name(line(type, reason, source, message)) }));
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
