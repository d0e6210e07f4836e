import type { KubeObject } from "../../../../sim/api/types.ts";
import type { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Adapter } from "../../adapter.ts";
import { inputsOf, isMutation, type RecordedAction } from "./actions.ts";
import { differentFinals, type Finals, sameMoment } from "./finals.ts";
import { eventsOf, group, type Happening, type RecordedEvent, recordedEvents } from "./happenings.ts";
import { recordedColumns, type RecordedRow, recordedStates, simulatedColumns, simulatedStates, type States } from "./observed-states.ts";
import { recordedNode } from "./recorded-node.ts";
import { type Normalize, recordedNames, simulatedNames } from "./recorded-text.ts";
import { differentEvents, unexpectedEvent } from "./same-events.ts";
import { differentStates, type Phase } from "./same-states.ts";
import { heartbeats, initialConditions } from "./surroundings.ts";
import { HOUSEKEEPING, MERGED, POLL, type Waits } from "./waits.ts";

interface Input {
  readonly manifests: readonly KubeObject[];
  readonly actions: readonly RecordedAction[];
  readonly observedMs: number;
}

interface Expect {
  readonly events: readonly RecordedEvent[];
  readonly statuses: Parameters<typeof recordedColumns>[0];
  readonly podUpdates: readonly RecordedRow[];
  readonly nodeUpdates?: readonly RecordedRow[];
  readonly jobUpdates?: readonly RecordedRow[];
  readonly endpointSlices?: readonly RecordedRow[];
  readonly final?: Finals;
}

/**
 * Jittered waits of the kubelet are up to 1.5 times their length: what the recording saw within its window may come
 * later here, though never in another order.
 */
const PATIENCE = 1.6;

/**
 * Where in their periods the kubelet's loops were when a scenario began, and how far each wait was stretched, no
 * recording says: a run of one of so many seeds must agree in all things at once.
 */
const SEEDS = 8;


interface Observed {
  readonly sim: Simulation;
  readonly trace: Trace;
  /** The run's millisecond that is the recording's 0. */
  readonly from: number;
  readonly until: number;
  readonly actions: readonly number[];
  readonly waits: Waits;
  /** States that lasted no longer may be missing. */
  readonly brief: number;
}

function briefest({ actions }: Input, { probePeriod }: Waits): number {
  if (actions.some((action) => action.do.includes("/etc/kubernetes/manifests/"))) return HOUSEKEEPING;
  // The first probe's race with the program's start lasts until the next probe.
  return probePeriod > 0 ? probePeriod + POLL : MERGED;
}

function probePeriod(manifests: readonly KubeObject[]): number {
  const periods = [...JSON.stringify(manifests).matchAll(/"(?:startup|readiness|liveness)Probe":(\{.*?\}(?=,"|\}))/g)].map(([, probe = ""]) => Number(/"periodSeconds":(\d+)/.exec(probe)?.[1] ?? 10));
  return Math.max(0, ...periods) * 1_000;
}

function observe(input: Input, testCase: { readonly [field: string]: unknown }, seed: number): Observed {
  const { stock, before, from } = initialConditions(testCase);
  const inputs = input.actions.flatMap((action) => {
    const found = inputsOf({ ...action, atMs: action.atMs + from }, { ...input, actions: input.actions.map((other) => ({ ...other, atMs: other.atMs + from })) });
    if (found === undefined) throw new Error(`the simulation cannot do: ${action.do}`);
    return found;
  });
  const nodes = [...input.manifests.map((object) => ({ object, atMs: 0 })), ...input.actions.map(({ manifest: object, atMs }) => ({ object, atMs }))].flatMap(({ object, atMs }) => (object?.kind === "Node" ? [{ name: object.metadata.name ?? "", at: from + atMs }] : []));
  const kept = heartbeats(nodes, from + input.observedMs * PATIENCE);
  const sim = recordedNode([...before, ...inputs, ...kept], stock, seed);
  sim.run((from + input.observedMs * PATIENCE) * 1_000);
  const actions = input.actions.filter(isMutation).flatMap(({ atMs, doneMs = atMs }) => [atMs, ...(doneMs - atMs > POLL ? [doneMs] : [])]);
  const waits = { probePeriod: probePeriod([...input.manifests, ...input.actions.flatMap(({ manifest }) => manifest ?? [])]), runtimeStopped: input.actions.some((action) => /containerd/.test(action.do)) };
  return { sim, trace: sim.trace, from, until: input.observedMs, actions, waits, brief: briefest(input, waits) };
}

const EVENT_OBJECTS = /^(Pod|ReplicaSet|Deployment|StatefulSet|DaemonSet|Job|CronJob)\//;

/** Of a Node's Events those that tell of what was done; the rest depends on the machine (cgroup v1, disk figures). */
const NODE_EVENTS = /^Normal (?:NodeNotReady|NodeReady|NodeNotSchedulable|NodeSchedulable) /;
const compared = ({ object, text }: Happening): boolean => EVENT_OBJECTS.test(object) || (object.startsWith("Node/") && NODE_EVENTS.test(text));

function compareEvents({ trace, from, until, actions, waits }: Observed, expect: Expect): string | undefined {
  const mine = eventsOf(trace, simulatedNames(trace)).map((event) => ({ ...event, seen: event.seen.map((at) => at - from) })).filter((event) => compared(event) && (event.seen[0] ?? 0) >= 0);
  const want = group(recordedEvents(expect.events, recordedNames(expect)).filter(compared), (event) => event.object);
  const got = group(mine, (event) => event.object);
  for (const [object, recorded] of want) {
    // The Node outlives scenarios: what it had been told before was counted in an older Event, which no recording shows.
    const happened = (got.get(object) ?? []).filter(({ text }) => !object.startsWith("Node/") || recorded.some((event) => event.text === text));
    const found = differentEvents(object, recorded, happened, actions, waits);
    if (found !== undefined) return found;
  }
  for (const [object, happened] of got) {
    if (object.startsWith("Node/")) continue;
    const found = unexpectedEvent(object, want.get(object) ?? [], happened, until, waits);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareStates(what: string, want: States, got: States, { until, actions, waits, brief }: Observed): string | undefined {
  for (const [who, recorded] of want) {
    // What was so before the scenario began is where both start from.
    const start = recorded.findLast(({ at }) => at < 0);
    const from0 = (states: readonly Phase[]): readonly Phase[] => [...(start === undefined ? [] : [{ ...start, at: 0 }]), ...states.filter(({ at }) => at >= 0)];
    const found = differentStates(`${what} of ${who}`, from0(recorded), from0(got.get(who) ?? []), { brief, until, actions, waits });
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareFinals({ sim, trace, from, until }: Observed, { final, podUpdates }: Expect, recorded: Normalize, simulated: Normalize): string | undefined {
  const mine = simulatedStates(trace, "pods", simulated, from);
  const at = final && sameMoment(recordedStates(podUpdates, recorded), mine, until, until * PATIENCE);
  // The jitter of its waits has led this run elsewhere by the time of the recording's end: there is nothing to compare.
  if (final === undefined || at === undefined) return undefined;
  const pods = new Map(trace.revisions.filter(({ key }) => key.startsWith("/registry/pods/default/")).map(({ key }) => [simulated(key.slice("/registry/pods/default/".length)), key.slice("/registry/pods/default/".length)]));
  return differentFinals(final, { sim, at: Math.round((from + at) * 1_000) }, pods, { recorded, simulated });
}

function differenceOf(observed: Observed, expect: Expect): string | undefined {
  const { trace, from } = observed;
  const [recorded, simulated] = [recordedNames(expect), simulatedNames(trace)];
  const states = (what: string, rows: readonly RecordedRow[] | undefined, kind: Parameters<typeof simulatedStates>[1]): string | undefined => (rows === undefined ? undefined : compareStates(what, recordedStates(rows, recorded), simulatedStates(trace, kind, simulated, from), observed));
  return (
    compareEvents(observed, expect) ??
    compareStates("STATUS READY RESTARTS", recordedColumns(expect.statuses, recorded), simulatedColumns(trace, simulated, from), observed) ??
    states("Pod", expect.podUpdates, "pods") ??
    states("Node", expect.nodeUpdates, "nodes") ??
    states("Job", expect.jobUpdates, "jobs") ??
    states("EndpointSlice", expect.endpointSlices, "slices") ??
    compareFinals(observed, expect, recorded, simulated)
  );
}

/** A Pod's life on the whole simulated cluster against one on a real node: Events with their times, the STATUS column, every state of Pods, Node, Job and EndpointSlices. */
export const podLifecycle: Adapter = {
  kind: "pod-lifecycle",
  run: (input, testCase) => (seed: number) => observe(input as Input, testCase, seed),
  compare(actual, expect) {
    const run = actual as (seed: number) => Observed;
    let first: string | undefined;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const found = differenceOf(run(seed), expect as Expect);
      if (found === undefined) return undefined;
      first ??= found;
    }
    return first;
  },
};
