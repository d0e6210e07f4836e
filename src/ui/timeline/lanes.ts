import { shortTime } from "../../timeline/format.ts";
import { LEVELS, type Level, MAIL_KINDS } from "../../trace/model.ts";
import { upperBound } from "../../trace/trace.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { FAMILIES, type Family, familyOf } from "../theme/components.ts";

const INPUT = MAIL_KINDS.indexOf("input");
const TIMER = MAIL_KINDS.indexOf("timer");
const REFUSED = 3;
const LOST = 4;

/** A message as the lane of its receiver shows it: from sending to arrival. */
export interface LaneMark {
  readonly from: number;
  readonly to: number;
  readonly hop: number;
  readonly failed: boolean;
}

/** All marks of a run at a detail level, by family, in order of time. */
export interface Lanes {
  readonly hops: Readonly<Record<Family, readonly LaneMark[]>>;
  /** Times and ids of notes. */
  readonly notes: Readonly<Record<Family, { readonly times: Float64Array; readonly ids: Int32Array }>>;
  /** Faults and commands, in order of time. */
  readonly inputs: readonly { readonly at: number; readonly mail: number; readonly verb: string }[];
  readonly longest: number;
  /** What a hop's bar says: its verb, and how long it took. */
  labels(hop: number): string;
}

/** The same lanes with every moment somewhere else. `move` keeps the order. */
export function moved(lanes: Lanes, move: (t: number) => number): Lanes {
  const hops = Object.fromEntries(FAMILIES.map((family) => [family, lanes.hops[family].map((mark) => ({ ...mark, from: move(mark.from), to: move(mark.to) }))])) as unknown as Lanes["hops"];
  const notes = Object.fromEntries(FAMILIES.map((family) => [family, { ids: lanes.notes[family].ids, times: lanes.notes[family].times.map((at) => move(at)) }])) as unknown as Lanes["notes"];
  const longest = FAMILIES.reduce((most, family) => hops[family].reduce((so, { from, to }) => Math.max(so, to - from), most), 0);
  return { ...lanes, hops, notes, longest };
}

/** Sorts a run's hops and notes into lanes, in one pass. */
export function lanesOf(index: TraceIndex, detail: Level): Lanes {
  const { trace } = index;
  const { mail, notes } = trace;
  const limit = LEVELS.indexOf(detail);
  const families = trace.components.map(familyOf);
  const hops = Object.fromEntries(FAMILIES.map((family) => [family, [] as LaneMark[]])) as Record<Family, LaneMark[]>;
  const found = Object.fromEntries(FAMILIES.map((family) => [family, [] as number[]])) as Record<Family, number[]>;
  const inputs: { at: number; mail: number; verb: string }[] = [];
  let longest = 0;
  for (let id = 0; id < trace.mailCount; id++) {
    const kind = mail.kind.get(id);
    const from = mail.sentAt.get(id);
    if (kind === INPUT) inputs.push({ at: from, mail: id, verb: trace.strings.text(mail.verb.get(id)) });
    if (kind === INPUT || kind === TIMER || mail.level.get(id) > limit || mail.from.get(id) === mail.to.get(id) || mail.from.get(id) === 0) continue;
    const outcome = mail.outcome.get(id);
    const to = mail.dueAt.get(id);
    longest = Math.max(longest, to - from);
    hops[families[mail.to.get(id)] ?? "controllers"].push({ from, to, hop: id, failed: outcome === LOST || outcome === REFUSED || mail.status.get(id) >= 400 });
  }
  for (const id of index.steps(detail)) found[families[notes.component.get(id)] ?? "controllers"].push(id);
  return {
    hops,
    notes: Object.fromEntries(FAMILIES.map((family) => [family, { ids: Int32Array.from(found[family]), times: Float64Array.from(found[family], (id) => notes.at.get(id)) }])) as unknown as Lanes["notes"],
    inputs,
    longest,
    labels: (hop) => `${trace.strings.text(mail.verb.get(hop))} ${shortTime(mail.dueAt.get(hop) - mail.sentAt.get(hop))}`,
  };
}

/** The marks of a lane that touch [from, to]: hops are sorted by sending, so it looks back by the longest of them. */
export function marksBetween(marks: readonly LaneMark[], from: number, to: number, longest: number): readonly LaneMark[] {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] as LaneMark).from < from - longest) low = middle + 1;
    else high = middle;
  }
  const start = low;
  high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] as LaneMark).from <= to) low = middle + 1;
    else high = middle;
  }
  return marks.slice(start, low);
}

/** The note nearest to `t` in a lane, within `slack` microseconds. */
export function nearestNote(lane: { readonly times: Float64Array; readonly ids: Int32Array }, t: number, slack: number): number | undefined {
  const at = upperBound(lane.times, t);
  let best: number | undefined;
  let distance = slack;
  for (const i of [at - 1, at]) {
    const time = lane.times[i];
    if (time === undefined || Math.abs(time - t) > distance) continue;
    distance = Math.abs(time - t);
    best = lane.ids[i];
  }
  return best;
}
