import { stringify } from "yaml";
import { createCluster } from "../../../../sim/cluster.ts";
import type { KubeObject } from "../../../../sim/api/types.ts";
import { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { Trace } from "../../../../trace/trace.ts";
import type { Adapter } from "../../adapter.ts";
import { inputsOf, type RecordedAction } from "./actions.ts";
import { eventsOf, group, recordedEvents, recordedStatuses, statusesOf } from "./happenings.ts";

interface Input {
  readonly manifests: readonly KubeObject[];
  readonly actions: readonly RecordedAction[];
  readonly observedMs: number;
}

interface Expect {
  readonly events: Parameters<typeof recordedEvents>[0];
  readonly statuses: Parameters<typeof recordedStatuses>[0];
}

/** The images that the recorded node held, by size. */
const IMAGES = ["busybox:1.36", "nginx:1.27", "web:1.0", "web:latest"].map((image) => ({ names: [`docker.io/library/${image}`], sizeBytes: 1_000_000 }));

const RESOURCES = { cpu: "2", memory: "24Gi", pods: "110", "ephemeral-storage": "100Gi" };

/** The recorded cluster: one node, "node-1", with its images. */
const NODE = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "node-1", labels: { "kubernetes.io/hostname": "node-1", "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
  status: { capacity: RESOURCES, allocatable: RESOURCES, conditions: [{ type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" }], images: IMAGES },
};

function run(input: Input): Trace {
  const inputs = input.actions.flatMap((action) => {
    const found = inputsOf(action, input.manifests);
    if (found === undefined) throw new Error(`the simulation cannot do: ${action.do}`);
    return found;
  });
  const cluster = createCluster({ world: stringify(NODE), seed: 1, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(input.observedMs * 1_000);
  return sim.trace;
}

const EVENT_OBJECTS = /^(Pod|ReplicaSet|Deployment|StatefulSet|Job|CronJob)\//;

function compareEvents(actual: Trace, expect: Expect): string | undefined {
  const want = group(recordedEvents(expect.events).filter((event) => EVENT_OBJECTS.test(event.object)), (event) => event.object, (event) => event.text);
  const got = group(eventsOf(actual).filter((event) => EVENT_OBJECTS.test(event.object)), (event) => event.object, (event) => event.text);
  for (const [object, texts] of want) {
    const found = got.get(object) ?? [];
    const at = texts.findIndex((text, i) => text !== found[i]);
    if (at >= 0) return `event ${at + 1} of ${object}: expected "${texts[at]}", got ${found[at] === undefined ? "none" : `"${found[at]}"`}`;
    if (found.length > texts.length) return `event ${texts.length + 1} of ${object}: expected none, got "${found[texts.length]}"`;
  }
  const extra = [...got.keys()].find((object) => !want.has(object));
  return extra === undefined ? undefined : `expected no event of ${extra}, got "${got.get(extra)?.[0]}"`;
}

/** The recording looked every half second: what it saw must come in its order, and last what it saw last. */
function compareStatuses(actual: Trace, expect: Expect): string | undefined {
  const want = group(recordedStatuses(expect.statuses), (shown) => shown.pod, (shown) => shown.text);
  const got = group(statusesOf(actual), (shown) => shown.pod, (shown) => shown.text);
  for (const [pod, texts] of want) {
    const found = got.get(pod) ?? [];
    let from = 0;
    for (const text of texts) {
      const at = found.indexOf(text, from);
      if (at < 0) return `STATUS READY RESTARTS of ${pod}: expected "${text}" in order, got ${found.join(", ")}`;
      from = at + 1;
    }
    if (found.at(-1) !== texts.at(-1)) return `last STATUS of ${pod}: expected "${texts.at(-1)}", got "${found.at(-1)}"`;
  }
  return undefined;
}

/** A Pod's life on the whole simulated cluster against one on a real node: events of each object and STATUS, in order. */
export const podLifecycle: Adapter = {
  kind: "pod-lifecycle",
  run: (input) => run(input as Input),
  compare(actual, expect) {
    const [trace, wanted] = [actual as Trace, expect as Expect];
    return compareEvents(trace, wanted) ?? compareStatuses(trace, wanted);
  },
};
