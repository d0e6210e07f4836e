import { LAB, MILESTONES, type Milestone } from "../../content/figures.ts";
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
  /** What to pin: a message, or a sentence; -1 for neither. */
  readonly mail: number;
  readonly note: number;
}

interface Status {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const ready = (object: unknown): boolean => (object as Status | undefined)?.status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") ?? false;
const running = (object: unknown): boolean => (object as Status | undefined)?.status?.phase === "Running";

/** What an EndpointSlice says of a Pod: undefined if it does not list it. */
function listed(slice: unknown, pod: string): boolean | undefined {
  const endpoints = (slice as { endpoints?: readonly { conditions?: { ready?: boolean }; targetRef?: { name?: string } }[] } | undefined)?.endpoints ?? [];
  return endpoints.find((endpoint) => endpoint.targetRef?.name === pod)?.conditions?.ready;
}

interface StateMilestone {
  readonly milestone: Milestone;
  /** The objects looked at: the Pod itself, or the slices of its namespace. */
  readonly of: "pod" | "slices";
  readonly is: (object: unknown, pod: string) => boolean;
}

const stored = (id: string, what: string, of: StateMilestone["of"], is: StateMilestone["is"], min: number, median: number, max: number): StateMilestone => ({ milestone: { id, what, find: { note: {} }, kind: "measured", source: LAB, measured: { min, median, max } }, of, is });

const STATE_MILESTONES: readonly StateMilestone[] = [
  stored("running", "Status Running is stored", "pod", running, 479.61, 505.68, 528),
  stored("slice", "The EndpointSlice lists it, not ready", "slices", (slice, pod) => listed(slice, pod) !== undefined, 480.29, 508.46, 530.4),
  stored("ready", "Condition Ready is stored", "pod", ready, 486.91, 514.33, 1100.94),
  stored("slice-ready", "The EndpointSlice says ready", "slices", (slice, pod) => listed(slice, pod) === true, 494.4, 518.76, 1104.03),
];

/** The first Pod that the run itself created, as its etcd key. */
export function firstPod(index: TraceIndex): string | undefined {
  return index.trace.revisions.find((revision) => revision.verb === "create" && revision.key.startsWith("/registry/pods/"))?.key;
}

/** The time at which a Pod first became ready; undefined if it never does. */
export function readyAt(index: TraceIndex, podKey: string): number | undefined {
  return index.versionsOf(podKey).find((version) => ready(version.revision.object))?.at;
}

interface Moment {
  readonly milestone: Milestone;
  readonly component: string;
  readonly at: number;
  readonly mail: number;
  readonly note: number;
}

/** The milestones that are messages or sentences. A request names the Pod; an answer is known by what it came of. */
function messageMoments(index: TraceIndex, name: string): Moment[] {
  const moments: Moment[] = [];
  for (const milestone of MILESTONES) {
    const request = milestone.answers === undefined ? undefined : moments.find((moment) => moment.milestone.id === milestone.answers);
    if (milestone.answers !== undefined && !request) continue;
    const wanted = (subject: string, id: number): boolean => (request ? index.causesOf(id).includes(request.mail) : subject === `pod/${name}` || subject === `binding/${name}`);
    const found = find(index, milestone.find, request?.at, wanted);
    if (!found) continue;
    if (found.kind === "note") {
      moments.push({ milestone, component: index.trace.note(found.id).component, at: found.at, mail: -1, note: found.id });
      continue;
    }
    const hop = index.trace.hop(found.id);
    moments.push({ milestone, component: milestone.sending ? hop.from : hop.to, at: milestone.sending ? found.sentAt : found.at, mail: found.id, note: -1 });
  }
  return moments;
}

/** The milestones that are versions of objects in the store. */
function storeMoments(index: TraceIndex, podKey: string): Moment[] {
  const [namespace = "", pod = ""] = podKey.replace("/registry/pods/", "").split("/");
  const slices = [...new Set(index.trace.revisions.map((revision) => revision.key))].filter((key) => key.startsWith(`/registry/endpointslices/${namespace}/`));
  return STATE_MILESTONES.flatMap(({ milestone, of, is }) => {
    const versions = (of === "pod" ? [podKey] : slices).flatMap((key) => index.versionsOf(key));
    const times = versions.filter((version) => version.at >= 0 && version.revision.object !== undefined && is(version.revision.object, pod)).map((version) => version.at);
    return times.length === 0 ? [] : [{ milestone, component: "etcd", at: Math.min(...times), mail: -1, note: -1 }];
  });
}

/** The millisecond timeline of one Pod in this run, in order of time; moments that it does not reach are left out. */
export function msTimeline(index: TraceIndex, podKey: string): TimelineRow[] {
  const created = index.versionsOf(podKey)[0]?.at ?? 0;
  const moments = [...messageMoments(index, podKey.replace("/registry/pods/", "")), ...storeMoments(index, podKey)].sort((a, b) => a.at - b.at);
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
