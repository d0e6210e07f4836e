import { expect, test } from "vitest";
import type { Pod } from "../api/types.ts";
import { containerKey, serve } from "./api.ts";
import { NO_SERIES, type Point, type Series, store, usageOf } from "./storage.ts";

const S = 1_000_000;
const point = (at: number, startedAt: number, cpu: number): Point => ({ at: at * S, startedAt: startedAt * S, cpu: cpu * S, memory: 1 });
const after = (...points: readonly Point[]): Series => points.reduce((series, entry) => store(series, [["k", entry]]), NO_SERIES);

test.each([
  ["one point is none", [point(30, 0, 3)], undefined],
  ["two points: their difference over their distance", [point(30, 0, 3), point(45, 0, 6)], { cpuNano: 200_000_000, window: 15 * S }],
  ["a container of ten seconds: from its start", [point(30, 20, 5)], { cpuNano: 500_000_000, window: 10 * S }],
  ["a younger one is too young", [point(30, 21, 5)], undefined],
  ["a restart begins anew", [point(30, 0, 3), point(45, 40, 1)], undefined],
  ["a restart long enough ago counts from there", [point(30, 0, 3), point(45, 33, 6)], { cpuNano: 500_000_000, window: 12 * S }],
])("%s", (_name, points, usage) => expect(usageOf(after(...points), "k")).toEqual(usage && expect.objectContaining(usage)));

test("a Pod is shown by the containers that run, if all of these were measured", () => {
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default", labels: { app: "web" } }, spec: { containers: [{ name: "main" }, { name: "crashing" }] }, status: { phase: "Running" } };
  const shown = (containers: Series): readonly string[] => {
    const { body } = serve({ type: "aggregated.request", method: "GET", path: "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods", query: { labelSelector: "app=web" } } as unknown as Parameters<typeof serve>[0], { pods: [pod], nodes: [], containers, machines: NO_SERIES }, 60 * S);
    return (body as { items: { containers: { name: string }[] }[] }).items.map((item) => item.containers.map(({ name }) => name).join(" "));
  };
  const main = [[containerKey("default", "p", "main"), point(30, 0, 3)], [containerKey("default", "p", "main"), point(45, 0, 6)]] as const;
  const measured = main.reduce((series, entry) => store(series, [entry]), NO_SERIES);
  expect([shown(NO_SERIES), shown(measured), shown(store(measured, [[containerKey("default", "p", "crashing"), point(45, 44, 0)]]))]).toEqual([[], ["main"], []]);
});
