import { describe, expect, test } from "vitest";
import { SECOND } from "../../sim/api/time.ts";
import { applyText } from "../../sim/scenarios/scenario.ts";
import type { RunInput } from "../../sim/scenarios/recipe.ts";
import { SAMPLES } from "../../sim/scenarios/samples.ts";
import { drawsOf } from "../fuzz/mutate.ts";
import { failureLine, judge, shrink, soak } from "./soak.ts";
import { QUIET, type SoakRecipe, soakRecipe, type SoakSource } from "./soak-recipe.ts";
import { workload } from "./workload.ts";

/** Small worlds and short runs of our own manifests: `npm run soak` has the others. */
const SOURCE: SoakSource = { manifests: SAMPLES.filter(({ text }) => text.length < 2_000).map(({ file, text }) => ({ name: file, text })), shortest: 5, longest: 20, worlds: ["one-node", "small-server", "three-nodes"] };
const PARTS = 10;
const PART = 3;

describe("random manifests, faults, commands and times", () => {
  test.each(Array.from({ length: PARTS }, (_, i) => 1 + i * PART))("from seed %i: no invariant is broken", (seed) => {
    expect(soak(seed, PART, SOURCE).map(failureLine)).toEqual([]);
  });
});

const DEPLOYMENT = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: nginx:1.27}]}}}}";
const fault = (from: number, until: number, id: string, params: Readonly<Record<string, string | number>> = {}): RunInput => ({ at: from * SECOND, type: "fault", id, params, until: until * SECOND });
const typed = (at: number, line: string): RunInput => ({ at: at * SECOND, type: "command", argv: line.split(" "), files: {} });
const recipe = (world: string, seconds: number, ...inputs: readonly RunInput[]): SoakRecipe => ({ seed: 1, manifests: [], until: seconds * SECOND + QUIET, recipe: { world, seed: 1, profile: "quiet", inputs: [applyText("a.yaml", DEPLOYMENT, SECOND), ...inputs] } });

describe("recipes that once broke an invariant", () => {
  test.each<readonly [string, SoakRecipe]>([
    ["the API server's machine loses power: kubelets elsewhere never looked again", recipe("three-nodes", 40, fault(10, 30, "node.crash", { node: "control-plane-01" }), typed(40, "scale deployment/web --replicas=4"))],
    ["and for longer than connections live", recipe("three-nodes", 90, fault(10, 80, "node.crash", { node: "control-plane-01" }), typed(85, "scale deployment/web --replicas=4"))],
    ["the node that is struck is the control plane, and nobody named it: it did not come back whole", recipe("one-node", 20, fault(10, 20, "node.crash"))],
    ["the only etcd is down: each refused question was asked again at once, and each opened the watches anew", recipe("small-server", 30, fault(10, 25, "etcd.leader-crash", { member: "etcd-0" }), typed(12, "delete pods --all --wait=false"))],
    ["the ingress controller and the load balancer did not look again for an API server that was down", recipe("cloud", 20, fault(10, 18, "apiserver.down"))],
    ["an image's own program that the shell knows handed over to itself for ever", { ...recipe("one-node", 10), recipe: { world: "one-node", seed: 1, profile: "quiet", inputs: [applyText("m.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: eater}, spec: {containers: [{name: c, image: us-central1-docker.pkg.dev/genuine-flight-317411/devel/memory-eater:1.0, args: [40Mi, '0', 80Mi, '400', '2']}]}}", SECOND)] } }],
    ["a Pod is deleted while its kubelet is down: its containers ran on for ever", recipe("one-node", 30, fault(10, 25, "kubelet.stopped"), typed(12, "delete deployment web"), typed(14, "delete pods --all --force --grace-period=0"))],
    ["an API server that was restarted gave names and uids of before to new objects", recipe("one-node", 30, fault(10, 12, "apiserver.down"), typed(20, "delete pods --all --force --grace-period=0"))],
    ["a leader exits and starts again: the API server still told its old watches", recipe("three-nodes", 45, fault(12, 40, "etcd.quorum-lost"))],
  ])("%s", (_, found) => {
    const broken = judge(found, false);
    expect(broken && failureLine({ ...broken, soak: found })).toBeUndefined();
  });
});

describe("the soak itself", () => {
  test("a seed is always the same recipe, and others are others", () => {
    const all = Array.from({ length: 40 }, (_, seed) => JSON.stringify(soakRecipe(seed, SOURCE)));
    expect(Array.from({ length: 40 }, (_, seed) => JSON.stringify(soakRecipe(seed, SOURCE)))).toEqual(all);
    expect(new Set(all).size).toBe(40);
    for (const { recipe: { inputs }, until } of Array.from({ length: 40 }, (_, seed) => soakRecipe(seed, SOURCE))) {
      expect(inputs.filter(({ type }) => type === "fault").length).toBeGreaterThanOrEqual(1);
      for (const input of inputs) expect(input.type === "fault" ? (input.until ?? Number.POSITIVE_INFINITY) : input.at).toBeLessThanOrEqual(until - QUIET);
    }
  });

  test("workloads that are made up are accepted", () => {
    const inputs = Array.from({ length: 30 }, (_, i) => applyText(`w${i}.yaml`, workload(i, drawsOf(i)).text, SECOND));
    expect(judge({ seed: 1, manifests: [], until: 20 * SECOND, recipe: { world: "ten-nodes", seed: 1, profile: "quiet", inputs } }, false)).toBeUndefined();
  });

  test("what throws is a finding, and shrinks to the input that does it", () => {
    const boom = { at: 5 * SECOND, type: "command", argv: null, files: {} } as unknown as RunInput;
    const bad = recipe("one-node", 10, typed(2, "get pods"), boom, typed(6, "get nodes"));
    const broken = judge(bad, false);
    expect(broken).toMatchObject({ invariant: "no-exception", what: expect.stringMatching(/TypeError/) });
    expect(broken && shrink(bad, broken).soak.recipe.inputs).toEqual([boom]);
  });
});
