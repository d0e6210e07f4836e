import type { Trace } from "../../trace/trace.ts";
import { seconds } from "../time-text.ts";

/** A Kubernetes Event as `kubectl get events` knows it at the end of the run; `at` is when it was first stored. */
export interface EventRow {
  readonly at: number;
  readonly type: string;
  readonly reason: string;
  /** "pod/nginx" */
  readonly object: string;
  readonly source: string;
  readonly message: string;
  readonly count: number;
}

/** v1 and events.k8s.io/v1 share one stored form; their fields have different names. */
interface StoredEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly series?: { readonly count?: number };
  readonly deprecatedCount?: number;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly reportingController?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

function row(at: number, event: StoredEvent): EventRow {
  const object = event.involvedObject ?? event.regarding ?? {};
  return {
    at: seconds(at),
    type: event.type ?? "",
    reason: event.reason ?? "",
    object: `${(object.kind ?? "").toLowerCase()}/${object.name ?? ""}`,
    source: event.source?.component || event.reportingComponent || event.reportingController || "",
    message: event.message ?? event.note ?? "",
    count: event.count || event.series?.count || event.deprecatedCount || 1,
  };
}

/** The Events made in a run, in the order in which they were first stored. */
export function eventRows(trace: Trace): readonly EventRow[] {
  const found = new Map<string, { at: number; event: StoredEvent }>();
  trace.revisions.forEach((revision, i) => {
    if (!revision.key.startsWith("/registry/events/") || revision.object === undefined) return;
    const at = found.get(revision.key)?.at ?? trace.notes.at.get(trace.revisionNotes[i] ?? 0);
    found.set(revision.key, { at, event: revision.object as StoredEvent });
  });
  return [...found.values()].map(({ at, event }) => row(at, event));
}
