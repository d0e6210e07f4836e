import type { RunInput } from "../../../../sim/scenarios/recipe.ts";
import { stringify } from "yaml";
import { rfc3339Micro } from "../../../../sim/api/time.ts";
import { HUB, PRELOADED, STOCK } from "./recorded-node.ts";

/** How the recorded machine was when a scenario began, as far as the scenario's own input does not say. */
export interface Surroundings {
  /** Images that the node held. */
  readonly stock: readonly string[];
  /** What other scenarios were doing at that time. */
  readonly before: readonly RunInput[];
  /** The run's millisecond that is the recording's 0. */
  readonly from: number;
}

interface Recorded {
  readonly title?: string;
  readonly expect?: { readonly events?: readonly { readonly atMs: number; readonly message: string; readonly object: string }[] };
}

/** Lets the simulated cluster come to rest first. */
const AT_REST = 2_000;
const MINUTE = 60_000;
/** A quarter of leaseDurationSeconds. */
const LEASE_RENEWAL = 10_000;

/**
 * Which images earlier scenarios had left on the node shows in whether the first use says that the image is present;
 * where in a minute a scenario began shows in when a CronJob's Job was made.
 */
export function initialConditions({ title = "", expect }: Recorded): Surroundings {
  const events = expect?.events ?? [];
  const present = Object.keys(STOCK).filter((image) => {
    const name = image.slice(HUB.length);
    const first = events.find(({ message }) => message.includes(`image "${name}"`));
    return PRELOADED.includes(image) || first?.message.includes("already present") === true;
  });
  const tick = events.find(({ object, message }) => object.startsWith("CronJob/") && message.startsWith("Created job"))?.atMs;
  const from = tick === undefined ? AT_REST : (2 * MINUTE - (tick % MINUTE)) % MINUTE || MINUTE;
  return { stock: present, before: pullsBefore(title, from), from };
}

/**
 * A Node that a scenario makes has no kubelet: the recorder kept it alive, or the controllers would have given it up.
 * `nodes`: name and when it was made, in milliseconds of the run.
 */
export function heartbeats(nodes: readonly { readonly name: string; readonly at: number }[], until: number): readonly RunInput[] {
  return nodes.flatMap(({ name, at }) => {
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name, namespace: "kube-node-lease" }, spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: rfc3339Micro(at * 1_000) } };
    const beats: RunInput[] = [{ at: at * 1_000, type: "command", argv: ["create", "-f", "lease.yaml"], files: { "lease.yaml": stringify(lease) } }];
    for (let beat = at + LEASE_RENEWAL; beat < until; beat += LEASE_RENEWAL) beats.push({ at: beat * 1_000, type: "command", argv: ["patch", "lease", name, "-n", "kube-node-lease", "--type=merge", "-p", JSON.stringify({ spec: { renewTime: rfc3339Micro(beat * 1_000) } })], files: {} });
    return beats;
  });
}

const NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4 };

/** "... another pod is pulling with Always ...: behind two 3 s pulls": the Pods of other scenarios that the title tells of. */
function pullsBefore(title: string, from: number): readonly RunInput[] {
  const behind = /behind (\w+) 3 s pulls/.exec(title)?.[1];
  if (behind === undefined || !title.includes("pulling with Always")) return [];
  const slow = Array.from({ length: NUMBERS[behind] ?? Number(behind) }, (_, i) => `slow-${String.fromCharCode(97 + i)}:1.0`);
  const pod = (name: string, image: string): unknown => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "elsewhere" }, spec: { containers: [{ name: "c", image, imagePullPolicy: "Always" }] } });
  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "elsewhere" } }, ...slow.map((image, i) => pod(`slow-${i + 1}`, image)), pod("always", "nginx:1.27")];
  // By the time recorded, the first of the slow pulls had been under way for some two seconds.
  return objects.map((object, i): RunInput => ({ at: (from - 2_000 + (i === 0 ? 0 : 800)) * 1_000, type: "command", argv: ["create", "-f", "objects.yaml"], files: { "objects.yaml": stringify(object) } }));
}
