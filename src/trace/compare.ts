import type { Level } from "./model.ts";
import { summaryOf } from "./object-summary.ts";
import type { TraceIndex } from "./trace-index.ts";

/** The first step that is not the same in both runs. Times in microseconds; notes are -1 where a run says nothing more. */
export interface Parting {
  readonly at: number;
  readonly inA: string;
  readonly inB: string;
  readonly noteA: number;
  readonly noteB: number;
  /** How many steps are the same. */
  readonly same: number;
}

/** What became of one Pod in two runs. */
export interface PodOutcome {
  readonly key: string;
  /** "web", or "team/web" outside the default namespace. */
  readonly name: string;
  readonly readyA?: number;
  readonly readyB?: number;
  /** It was Ready when B parted from A, and is not from this time on. */
  readonly lostB?: number;
  /** How it stands in the end: "Running, ready"; undefined where there is none. */
  readonly endA?: string;
  readonly endB?: string;
}

/** Kubernetes Events with the same reason about the same object, counted in both runs. */
export interface EventCount {
  readonly reason: string;
  readonly about: string;
  readonly a: number;
  readonly b: number;
  /** The last message. */
  readonly message: string;
}

/** An object that stands differently in the end; undefined where it does not exist. */
export interface StateDifference {
  readonly name: string;
  readonly a?: string;
  readonly b?: string;
}

export interface Comparison {
  readonly parting?: Parting;
  readonly pods: readonly PodOutcome[];
  readonly events: readonly EventCount[];
  readonly states: readonly StateDifference[];
}

interface WithReady {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface EventLike {
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly deprecatedCount?: number;
  readonly series?: { readonly count?: number };
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly regarding?: { readonly kind?: string; readonly name?: string };
}

const PODS = "/registry/pods/";
const END = Number.POSITIVE_INFINITY;

const isReady = (object: unknown): boolean => (object as WithReady | undefined)?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;

const readyAt = (index: TraceIndex, pod: string): number | undefined => index.versionsOf(pod).find((version) => version.at >= 0 && isReady(version.revision.object))?.at;

/** When a Pod that was Ready at `forkAt` stops being so: deleted counts too. */
function lostAt(index: TraceIndex, pod: string, forkAt: number): number | undefined {
  if (!isReady(index.objectAt(pod, forkAt)?.object)) return undefined;
  return index.versionsOf(pod).find((version) => version.at > forkAt && !isReady(version.revision.object))?.at;
}

/** What the components say; that a fault begins or ends is no difference in itself. */
function ownSteps(index: TraceIndex, detail: Level): Int32Array {
  const world = index.trace.components.indexOf("world");
  return index.steps(detail).filter((note) => index.trace.notes.component.get(note) !== world);
}

function partingOf(a: TraceIndex, b: TraceIndex, detail: Level): Parting | undefined {
  const stepsA = ownSteps(a, detail);
  const stepsB = ownSteps(b, detail);
  const length = Math.max(stepsA.length, stepsB.length);
  for (let i = 0; i < length; i++) {
    const noteA = stepsA[i];
    const noteB = stepsB[i];
    const one = noteA === undefined ? undefined : a.trace.note(noteA);
    const other = noteB === undefined ? undefined : b.trace.note(noteB);
    if (one && other && one.at === other.at && one.text === other.text && one.component === other.component) continue;
    return { at: Math.min(one?.at ?? END, other?.at ?? END), inA: one?.text ?? "nothing more", inB: other?.text ?? "nothing more", noteA: noteA ?? -1, noteB: noteB ?? -1, same: i };
  }
  return undefined;
}

const madePods = (index: TraceIndex): string[] => index.trace.revisions.filter(({ key, verb }) => verb === "create" && key.startsWith(PODS)).map(({ key }) => key);

function podsOf(a: TraceIndex, b: TraceIndex, forkAt: number): PodOutcome[] {
  const end = (index: TraceIndex, key: string): string | undefined => {
    const object = index.objectAt(key, END)?.object;
    return object === undefined ? undefined : summaryOf(key, object)?.text;
  };
  return [...new Set([...madePods(a), ...madePods(b)])].map((key): PodOutcome => {
    const outcome = { readyA: readyAt(a, key), readyB: readyAt(b, key), lostB: lostAt(b, key, forkAt), endA: end(a, key), endB: end(b, key) };
    const known = Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined)) as Partial<PodOutcome>;
    return { key, name: key.slice(PODS.length).replace(/^default\//, ""), ...known };
  });
}

function eventsIn(index: TraceIndex): Map<string, { readonly count: number; readonly message: string }> {
  const counts = new Map<string, { count: number; message: string }>();
  for (const { object } of index.objectsAt("/registry/events/", END)) {
    const { reason = "", message, note, count, deprecatedCount, series, involvedObject, regarding } = object as EventLike;
    const about = involvedObject ?? regarding ?? {};
    const key = `${reason}\n${about.kind ?? ""} ${about.name ?? ""}`;
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + (series?.count ?? count ?? deprecatedCount ?? 1), message: message ?? note ?? "" });
  }
  return counts;
}

function eventsOf(a: TraceIndex, b: TraceIndex): EventCount[] {
  const inA = eventsIn(a);
  const inB = eventsIn(b);
  return [...new Set([...inA.keys(), ...inB.keys()])].flatMap((key): EventCount[] => {
    const [reason = "", about = ""] = key.split("\n");
    const counts = { a: inA.get(key)?.count ?? 0, b: inB.get(key)?.count ?? 0 };
    return counts.a === counts.b ? [] : [{ reason, about, ...counts, message: inB.get(key)?.message ?? inA.get(key)?.message ?? "" }];
  });
}

function statesOf(a: TraceIndex, b: TraceIndex): StateDifference[] {
  const stands = (index: TraceIndex): Map<string, { readonly name: string; readonly text: string }> => new Map(index.objectsAt("/registry/", END).flatMap(({ key, object }) => {
    const summary = summaryOf(key, object);
    return summary ? [[key, summary] as const] : [];
  }));
  const inA = stands(a);
  const inB = stands(b);
  return [...new Set([...inA.keys(), ...inB.keys()])].flatMap((key): StateDifference[] => {
    const one = inA.get(key);
    const other = inB.get(key);
    if (one?.text === other?.text) return [];
    return [{ name: one?.name ?? other?.name ?? "", ...(one ? { a: one.text } : {}), ...(other ? { b: other.text } : {}) }];
  });
}

/** Compares run B with run A, from which it was forked at `forkAt` (or of which it is a variant), as they stand in the end. */
export function compareRuns(a: TraceIndex, b: TraceIndex, detail: Level, forkAt = END): Comparison {
  const parting = partingOf(a, b, detail);
  return { ...(parting ? { parting } : {}), pods: podsOf(a, b, forkAt), events: eventsOf(a, b), states: statesOf(a, b) };
}

let last: { readonly a: TraceIndex; readonly b: TraceIndex; readonly detail: Level; readonly forkAt: number; readonly comparison: Comparison } | undefined;

/** `compareRuns`, remembered: several panels ask the same. */
export function comparisonOf(a: TraceIndex, b: TraceIndex, detail: Level, forkAt: number): Comparison {
  if (last?.a !== a || last.b !== b || last.detail !== detail || last.forkAt !== forkAt) last = { a, b, detail, forkAt, comparison: compareRuns(a, b, detail, forkAt) };
  return last.comparison;
}

/** The Pod that the comparison is about: one that fares differently, else the first. */
export function mainPod({ pods }: Comparison): PodOutcome | undefined {
  return pods.find(({ lostB }) => lostB !== undefined) ?? pods.find(({ readyA, readyB, endA, endB }) => (readyA === undefined) !== (readyB === undefined) || endA !== endB) ?? pods.find(({ readyA, readyB }) => readyA !== readyB) ?? pods[0];
}
