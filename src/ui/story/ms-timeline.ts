import { MILESTONES, type Milestone } from "../../content/figures.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { find } from "./find.ts";

/** One row of the millisecond timeline. Times in microseconds. */
export interface TimelineRow {
  readonly milestone: Milestone;
  readonly component: string;
  /** When the stretch that ends in this moment began: the previous moment. */
  readonly start: number;
  readonly at: number;
  readonly duration: number;
  /** Since the API server received the POST. */
  readonly cumulative: number;
  readonly mail: number;
}

interface Status {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const ready = (object: unknown): boolean => (object as Status | undefined)?.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
const running = (object: unknown): boolean => (object as Status | undefined)?.status?.phase === "Running";

const MEASURED = "20 runs of v1.36.2 with containerd 2.3.4 on one machine, image cached";
const STATE_MILESTONES: readonly { readonly milestone: Milestone; readonly is: (object: unknown) => boolean }[] = [
  { milestone: { id: "running", what: "Status Running is stored", find: { note: {} }, kind: "measured", source: MEASURED, measured: { min: 479.61, median: 505.68, max: 528 } }, is: running },
  { milestone: { id: "ready", what: "Condition Ready is stored", find: { note: {} }, kind: "measured", source: MEASURED, measured: { min: 486.91, median: 514.33, max: 1100.94 } }, is: ready },
];

/** The first Pod that the run itself created, as its etcd key. */
export function firstPod(index: TraceIndex): string | undefined {
  return index.trace.revisions.find((revision) => revision.verb === "create" && revision.key.startsWith("/registry/pods/"))?.key;
}

/** The time at which a Pod first became ready; undefined if it never does. */
export function readyAt(index: TraceIndex, podKey: string): number | undefined {
  return index.versionsOf(podKey).find((version) => ready(version.revision.object))?.at;
}

/** The millisecond timeline of one Pod in this run, in order of time; moments that it does not reach are left out. */
export function msTimeline(index: TraceIndex, podKey: string): TimelineRow[] {
  const pod = `pod/${podKey.replace("/registry/pods/", "")}`;
  const created = index.versionsOf(podKey)[0]?.at ?? 0;
  const moments: { milestone: Milestone; component: string; at: number; mail: number }[] = [];
  for (const milestone of MILESTONES) {
    // A slice names its Service, not the Pod; kubectl's requests may be about the Pod's owner.
    const own = milestone.id === "slice" ? () => true : (subject: string): boolean => subject.startsWith(pod);
    const found = find(index, milestone.find, milestone.id === "slice" ? created : undefined, own);
    if (!found) continue;
    const hop = index.trace.hop(found.id);
    moments.push({ milestone, component: milestone.sending ? hop.from : hop.to, at: milestone.sending ? found.sentAt : found.at, mail: found.id });
  }
  for (const { milestone, is } of STATE_MILESTONES) {
    const version = index.versionsOf(podKey).find((one) => one.at >= 0 && is(one.revision.object));
    if (version) moments.push({ milestone, component: "etcd", at: version.at, mail: -1 });
  }
  moments.sort((a, b) => a.at - b.at);
  const origin = moments.find((moment) => moment.milestone.id === "post")?.at ?? created;
  return moments.map((moment, i) => {
    const start = moments[i - 1]?.at ?? moment.at;
    return { ...moment, start, duration: moment.at - start, cumulative: moment.at - origin };
  });
}

export type SortKey = "start" | "duration" | "component";

/** The same rows in another order. */
export function sorted(rows: readonly TimelineRow[], by: SortKey): TimelineRow[] {
  return [...rows].sort((a, b) => (by === "duration" ? b.duration - a.duration : by === "component" ? (a.component < b.component ? -1 : a.component > b.component ? 1 : a.at - b.at) : a.at - b.at));
}

/** The rows as comma-separated values, times in milliseconds. */
export function toCsv(rows: readonly TimelineRow[]): string {
  const ms = (micros: number): string => (micros / 1000).toFixed(3);
  const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) => [quote(row.milestone.what), row.component, ms(row.start), ms(row.duration), ms(row.cumulative), row.milestone.kind, row.milestone.measured ? String(row.milestone.measured.median) : ""].join(","));
  return ["what,component,start ms,duration ms,since POST ms,figure,measured median ms", ...lines, ""].join("\n");
}
