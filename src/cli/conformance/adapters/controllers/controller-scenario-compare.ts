import type { KubeObject } from "../../../../sim/api/types.ts";
import { difference, show } from "../../difference.ts";
import { sameUpToMerging } from "./controller-scenario-sequence.ts";
import type { Answer, Observed, ObservedEvent } from "./controller-scenario-observed.ts";

export interface Recorded extends Observed {
  readonly sequenceVariants?: Readonly<Record<string, readonly (readonly unknown[])[]>>;
  readonly observedForSeconds: number;
}

export interface Stability {
  readonly eventsOfControllersInOrder?: string;
}

/** Which of several equal Pods and nodes is meant depends on placement and on races; the recorded cluster held nodes of other scenarios too. */
const anyPod = (text: string): string => text.replaceAll(/<p\d+>/g, "<p>").replaceAll(/\bbase-\d\b/g, "<node>").replaceAll(/\b0\/\d+ nodes are/g, "0/<n> nodes are");
const textOf = (value: unknown): string => anyPod(JSON.stringify(value));

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function grouped(events: readonly ObservedEvent[], ordered: boolean): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const { regarding, from, type, reason, message, count, updates } of events) {
    const key = anyPod(`${regarding.kind}/${regarding.name} by ${from}`);
    // How often an attempt failed before the cluster was ready depends on timing.
    const last = reason === "FailedScheduling" ? undefined : updates?.at(-1);
    const text = anyPod(`${type} ${reason}: ${message}${count > 1 ? ` x${count}` : ""}${last ? ` and ${updates?.length} more up to x${last.count}: ${last.message}` : ""}`);
    groups.set(key, [...(groups.get(key) ?? []), text]);
  }
  for (const [key, texts] of groups) groups.set(key, !ordered || key.startsWith("Pod/") ? [...texts].sort(byText) : sortedRuns(texts));
  return groups;
}

const reasonOf = (text: string): string => text.slice(0, text.indexOf(":"));

/** Pods of one batch are made and removed together: neighbours with the same reason have no order. */
function sortedRuns(texts: readonly string[]): readonly string[] {
  const sorted: string[] = [];
  for (let from = 0; from < texts.length; ) {
    let to = from;
    while (to < texts.length && reasonOf(texts[to] ?? "") === reasonOf(texts[from] ?? "")) to++;
    const run = texts.slice(from, to);
    sorted.push(...(/Successful(Create|Delete)$/.test(reasonOf(texts[from] ?? "")) ? run.sort(byText) : run));
    from = to;
  }
  return sorted;
}

function compareEvents(got: Observed, want: Recorded, stability: Stability): string | undefined {
  const ordered = stability.eventsOfControllersInOrder === "same order";
  const [expected, actual] = [grouped(want.events, ordered), grouped(got.events, ordered)];
  for (const [about, texts] of expected) {
    const found = difference(texts, actual.get(about) ?? [], `events of ${about}`);
    if (found !== undefined) return found;
  }
  const extra = [...actual.keys()].find((about) => !expected.has(about));
  return extra === undefined ? undefined : `events of ${extra}: expected none, got ${show(actual.get(extra))}`;
}

/** Endpoints of a slice have no order of their own. */
function comparable(state: unknown): string {
  const { endpoints } = (typeof state === "object" && state !== null ? state : {}) as { endpoints?: readonly unknown[] };
  return endpoints ? JSON.stringify(endpoints.map(textOf).sort(byText)) : textOf(state);
}

const distinct = (states: readonly string[]): readonly string[] => states.filter((state, i) => state !== states[i - 1]);

function compareSequences(got: Observed, want: Recorded): string | undefined {
  const racy = Object.keys(want.sequenceVariants ?? {}).length > 0;
  for (const [key, recorded] of Object.entries(want.sequences)) {
    const variants = [recorded, ...(want.sequenceVariants?.[key] ?? [])].map((states) => distinct(states.map(comparable)));
    const mine = distinct((got.sequences[key] ?? []).map(comparable));
    if (variants.some((states) => sameUpToMerging(states, mine, racy))) continue;
    const first = variants[0] ?? [];
    const at = first.findIndex((state, i) => state !== mine[i]);
    return `state ${(at < 0 ? first.length : at) + 1} of ${key}: expected ${first[at] ?? "no more"}, got ${mine[at < 0 ? first.length : at] ?? "no more"}`;
  }
  const extra = Object.keys(got.sequences).find((key) => want.sequences[key] === undefined);
  return extra === undefined ? undefined : `states of ${extra}: expected none, got ${show(got.sequences[extra])}`;
}

const nameOf = (object: KubeObject): string => anyPod(`${object.kind}/${object.metadata.name ?? ""}`);

function compareFinal(got: readonly KubeObject[], want: readonly KubeObject[]): string | undefined {
  const sorted = (objects: readonly KubeObject[]): readonly KubeObject[] => objects.map((object) => sortedEndpoints(JSON.parse(textOf(object)) as KubeObject)).sort((a, b) => byText(nameOf(a), nameOf(b)) || byText(JSON.stringify(a), JSON.stringify(b)));
  const [expected, actual] = [sorted(want), sorted(got)];
  const names = difference(expected.map(nameOf), actual.map(nameOf), "objects at the end");
  if (names !== undefined) return names;
  for (const [i, object] of expected.entries()) {
    const path = `at the end ${nameOf(object)}`;
    const found = difference(object, actual[i], path) ?? difference(actual[i], object, `${path} (recorded and simulated exchanged)`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sortedEndpoints(object: KubeObject): KubeObject {
  const { endpoints } = object as unknown as { endpoints?: readonly unknown[] };
  return endpoints ? ({ ...object, endpoints: [...endpoints].sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b))) } as KubeObject) : object;
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

function compareAnswers(got: readonly Answer[], want: readonly Answer[]): string | undefined {
  for (const [i, recorded] of want.entries()) {
    const { atSeconds, httpStatus, body, exit, stdout, stderr } = recorded;
    const mine = JSON.parse(JSON.stringify(got[i] ?? {}).replaceAll(TIME, "<time>")) as Answer;
    const asked = exit === undefined ? { httpStatus, body } : { stdout, stderr, exit };
    const found = difference(asked, mine, `answer at ${atSeconds} s`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first difference between a run and a recording, and after it what else differs. */
export function compareScenario(got: Observed, want: Recorded, stability: Stability): string | undefined {
  const found = [compareAnswers(got.answers, want.answers), compareEvents(got, want, stability), compareSequences(got, want), compareFinal(got.final, want.final)].filter((text) => text !== undefined);
  return found.length === 0 ? undefined : found.join("; ");
}
