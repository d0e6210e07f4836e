import { expect, test } from "vitest";
import type { Pod } from "../api/types.ts";
import { signatureOf } from "./batch.ts";
import { defaultProfile, loadConfig } from "./config/load.ts";
import { asking, oneNode, Rig, worldOf } from "./testdata/scheduler-rig.ts";

const UNSPREAD = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: PodTopologySpread
    args: {defaultingType: List, defaultConstraints: []}
`;
const [profile = defaultProfile] = loadConfig(UNSPREAD).profiles;

const outcomes = (rig: Rig): [string, number, string | undefined][] => rig.state.attempts.map(({ decision }) => [decision.node, decision.totals.length, decision.hint]);

/** Pods that come at once, on three nodes of different size. */
function three(config: string | undefined, cpu: string, ...names: string[]): Rig {
  const rig = new Rig(worldOf([oneNode("small", "1"), oneNode("large", "4"), oneNode("middle", "2")]), config);
  for (const name of names) rig.watch("ADDED", asking(name, cpu));
  rig.run(100_000);
  return rig;
}

test("one that fills its node leaves its list to the next one like it", () => {
  expect(outcomes(three(UNSPREAD, "1", "a"))).toEqual([["large", 3, undefined]]);
  const rig = new Rig(worldOf([oneNode("n1"), oneNode("n2"), oneNode("n3")]), UNSPREAD);
  for (const name of ["a", "b", "c"]) rig.watch("ADDED", asking(name, "1"));
  rig.run(100_000);
  expect(outcomes(rig)).toEqual([["n1", 3, undefined], ["n3", 0, "n3"], ["n2", 0, "n2"]]);
});

test("a node with room left has to be scored anew", () => {
  expect(outcomes(three(UNSPREAD, "1", "a", "b")).map(([, scored, hint]) => [scored, hint])).toEqual([[3, undefined], [3, undefined]]);
});

test("another Pod in between, or another kind of Pod, ends it", () => {
  const rig = new Rig(worldOf([oneNode("n1"), oneNode("n2"), oneNode("n3")]), UNSPREAD);
  rig.watch("ADDED", asking("a", "1"));
  rig.watch("ADDED", asking("b", "900m"));
  rig.watch("ADDED", asking("c", "1"));
  rig.run(100_000);
  expect(outcomes(rig).map(([, , hint]) => hint)).toEqual([undefined, undefined, undefined]);
});

test("half a second later the list is too old", () => {
  const rig = new Rig(worldOf([oneNode("n1"), oneNode("n2"), oneNode("n3")]), UNSPREAD);
  rig.watch("ADDED", asking("a", "1"));
  rig.run(100_000);
  rig.ctx.now = 600_000;
  rig.watch("ADDED", asking("b", "1"));
  rig.run(900_000);
  expect(outcomes(rig)[1]).toEqual([expect.any(String), 2, undefined]);
});

test.each<[string, Pod, boolean]>([
  ["the same again", asking("q", "1"), true],
  ["other requests", asking("q", "2"), false],
  ["another ConfigMap", asking("q", "1", 0, { volumes: [{ name: "v", configMap: { name: "x" } }] }), true],
  ["another claim", asking("q", "1", 0, { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "x" } }] }), false],
  ["a node selector", asking("q", "1", 0, { nodeSelector: { a: "b" } }), false],
  ["another priority", asking("q", "1", 5), true],
])("alike: %s", (_, pod, same) => expect(signatureOf(pod, profile) === signatureOf(asking("p", "1"), profile)).toBe(same));

test("what looks at other Pods has no signature; with default spreading nothing has", () => {
  expect(signatureOf(asking("p", "1"), defaultProfile)).toBeUndefined();
  expect(signatureOf(asking("p", "1", 0, { affinity: { podAntiAffinity: {} } }), profile)).toBeUndefined();
  expect(signatureOf(asking("p", "1", 0, { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }] }), profile)).toBeUndefined();
});
