import type { KubeObject } from "../../../../sim/api/types.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Adapter } from "../../adapter.ts";
import { inputsOf, type RecordedAction } from "./actions.ts";
import { eventsOf, group, recordedEvents, recordedStatuses, statusesOf, withoutRaces } from "./happenings.ts";
import { recordedNode } from "./recorded-node.ts";
import { recordedNames, simulatedNames } from "./recorded-text.ts";

interface Input {
  readonly manifests: readonly KubeObject[];
  readonly actions: readonly RecordedAction[];
  readonly observedMs: number;
}

interface Expect {
  readonly events: Parameters<typeof recordedEvents>[0];
  readonly statuses: Parameters<typeof recordedStatuses>[0];
}

/**
 * Jittered waits of the kubelet are up to 1.5 times their length: what the recording saw within its window may come
 * later here, though never in another order.
 */
const PATIENCE = 1.6;

interface Observed {
  readonly trace: Trace;
  /** The end of the recording's window, in microseconds. */
  readonly until: number;
}

function run(input: Input): Observed {
  const inputs = input.actions.flatMap((action) => {
    const found = inputsOf(action, input);
    if (found === undefined) throw new Error(`the simulation cannot do: ${action.do}`);
    return found;
  });
  const sim = recordedNode(inputs);
  sim.run(input.observedMs * 1_000 * PATIENCE);
  return { trace: sim.trace, until: input.observedMs * 1_000 };
}

const EVENT_OBJECTS = /^(Pod|ReplicaSet|Deployment|StatefulSet|Job|CronJob)\//;

function compareEvents({ trace, until }: Observed, expect: Expect): string | undefined {
  const want = group(recordedEvents(expect.events, recordedNames(expect)).filter((event) => EVENT_OBJECTS.test(event.object)), (event) => event.object, (event) => event.text);
  const happened = eventsOf(trace, simulatedNames(trace)).filter((event) => EVENT_OBJECTS.test(event.object));
  const got = group(happened, (event) => event.object, (event) => event.text);
  for (const [object, recorded] of want) {
    const texts = withoutRaces(recorded);
    const found = withoutRaces(got.get(object) ?? []);
    const at = texts.findIndex((text, i) => text !== found[i]);
    if (at >= 0) return `event ${at + 1} of ${object}: expected "${texts[at]}", got ${found[at] === undefined ? "none" : `"${found[at]}"`}`;
  }
  const inTime = group(happened.filter((event) => event.at < until), (event) => event.object, (event) => event.text);
  for (const [object, texts] of inTime) {
    const known = want.get(object)?.length ?? 0;
    if (texts.length > known) return `event ${known + 1} of ${object}: expected none, got "${texts[known]}"`;
  }
  return undefined;
}

/** The recording looked every half second: what it saw must come in its order. */
function compareStatuses({ trace }: Observed, expect: Expect): string | undefined {
  const want = group(recordedStatuses(expect.statuses, recordedNames(expect)), (shown) => shown.pod, (shown) => shown.text);
  const got = group(statusesOf(trace, simulatedNames(trace)), (shown) => shown.pod, (shown) => shown.text);
  for (const [pod, texts] of want) {
    const found = got.get(pod) ?? [];
    let from = 0;
    for (const text of texts) {
      const at = found.indexOf(text, from);
      if (at < 0) return `STATUS READY RESTARTS of ${pod}: expected "${text}" in order, got ${found.join(", ")}`;
      from = at + 1;
    }
  }
  return undefined;
}

/** A Pod's life on the whole simulated cluster against one on a real node: events of each object and STATUS, in order. */
export const podLifecycle: Adapter = {
  kind: "pod-lifecycle",
  run: (input) => run(input as Input),
  compare(actual, expect) {
    const [observed, wanted] = [actual as Observed, expect as Expect];
    return compareEvents(observed, wanted) ?? compareStatuses(observed, wanted);
  },
};
