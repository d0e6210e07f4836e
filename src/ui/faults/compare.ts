import type { Level } from "../../trace/model.ts";
import { captionTime, shortTime } from "../../timeline/format.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";

/** Where two runs part, and what that does to the Pod that they are about. Times in microseconds. */
export interface Comparison {
  /** The first step that is not the same in both; undefined if they are equal so far. */
  readonly parting?: { readonly at: number; readonly inA: string; readonly inB: string; readonly noteB: number };
  readonly pod?: string;
  readonly readyA?: number;
  readonly readyB?: number;
  /** The Pod was Ready when B parted from A, and is not from this time on. */
  readonly lostB?: number;
  /** Kubernetes Events that only B has: their reasons, each once. */
  readonly eventsOnlyB: readonly string[];
}

interface WithReady {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function firstPod(index: TraceIndex): string | undefined {
  return index.trace.revisions.find((revision) => revision.verb === "create" && revision.key.startsWith("/registry/pods/"))?.key;
}

function readyAt(index: TraceIndex, pod: string): number | undefined {
  return index.versionsOf(pod).find((version) => version.at >= 0 && isReady(version.revision.object))?.at;
}

const isReady = (object: unknown): boolean => (object as WithReady | undefined)?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;

/** When a Pod that was Ready at `forkAt` stops being so: deleted counts too. */
function lostAt(index: TraceIndex, pod: string, forkAt: number): number | undefined {
  if (!isReady(index.objectAt(pod, forkAt)?.object)) return undefined;
  return index.versionsOf(pod).find((version) => version.at > forkAt && !isReady(version.revision.object))?.at;
}

function eventReasons(index: TraceIndex): Set<string> {
  return new Set(index.trace.revisions.filter((revision) => revision.key.startsWith("/registry/events/")).map((revision) => (revision.object as { reason?: string } | undefined)?.reason ?? ""));
}

/** What the components say; that a fault begins or ends is no difference in itself. */
function ownSteps(index: TraceIndex, detail: Level): Int32Array {
  const world = index.trace.components.indexOf("world");
  return index.steps(detail).filter((note) => index.trace.notes.component.get(note) !== world);
}

let last: { readonly a: TraceIndex; readonly b: TraceIndex; readonly detail: Level; readonly forkAt: number; readonly comparison: Comparison } | undefined;

/** `compareRuns`, remembered: the banner and the list of runs ask the same. */
export function comparisonOf(a: TraceIndex, b: TraceIndex, detail: Level, forkAt: number): Comparison {
  if (last?.a !== a || last.b !== b || last.detail !== detail || last.forkAt !== forkAt) last = { a, b, detail, forkAt, comparison: compareRuns(a, b, detail, forkAt) };
  return last.comparison;
}

/** "ready at 2.430 s, 1.430 s before"; what the change did to the Pod, in a few words. */
export function readyText({ readyA, readyB, lostB }: Comparison): string {
  if (lostB !== undefined) return `Ready until ${captionTime(lostB)}`;
  if (readyB === undefined) return readyA === undefined ? "not Ready in either run" : `not Ready (was at ${captionTime(readyA)})`;
  if (readyA === readyB) return `Ready at ${captionTime(readyB)} in both`;
  return `Ready at ${captionTime(readyB)}${readyA === undefined ? " (was never)" : `, ${shortTime(Math.abs(readyB - readyA))} ${readyB > readyA ? "later" : "sooner"}`}`;
}

/** Compares run B with run A, from which it was forked at `forkAt`, from the first step on which they can differ. */
export function compareRuns(a: TraceIndex, b: TraceIndex, detail: Level, forkAt = Number.POSITIVE_INFINITY): Comparison {
  const stepsA = ownSteps(a, detail);
  const stepsB = ownSteps(b, detail);
  const length = Math.max(stepsA.length, stepsB.length);
  let parting: Comparison["parting"];
  for (let i = 0; i < length && !parting; i++) {
    const noteA = stepsA[i];
    const noteB = stepsB[i];
    const one = noteA === undefined ? undefined : a.trace.note(noteA);
    const other = noteB === undefined ? undefined : b.trace.note(noteB);
    if (one && other && one.at === other.at && one.text === other.text && one.component === other.component) continue;
    parting = { at: Math.min(one?.at ?? Number.POSITIVE_INFINITY, other?.at ?? Number.POSITIVE_INFINITY), inA: one?.text ?? "nothing more", inB: other?.text ?? "nothing more", noteB: noteB ?? -1 };
  }
  const pod = firstPod(b) ?? firstPod(a);
  const reasonsA = eventReasons(a);
  const readyA = pod === undefined ? undefined : readyAt(a, pod);
  const readyB = pod === undefined ? undefined : readyAt(b, pod);
  const lostB = pod === undefined ? undefined : lostAt(b, pod, forkAt);
  return {
    ...(parting ? { parting } : {}),
    ...(pod === undefined ? {} : { pod: pod.replace("/registry/pods/", "") }),
    ...(readyA === undefined ? {} : { readyA }),
    ...(readyB === undefined ? {} : { readyB }),
    ...(lostB === undefined ? {} : { lostB }),
    eventsOnlyB: [...eventReasons(b)].filter((reason) => reason !== "" && !reasonsA.has(reason)),
  };
}
