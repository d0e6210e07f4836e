import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../api/http.ts";
import type { Condition, KubeObject, Pod } from "../../api/types.ts";
import { answers, body, http, kubectl, type Op, PODS, printed, run, state, T } from "../../testdata/control-plane.ts";

const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const MESSAGE = "Cannot evict pod as it would violate the pod's disruption budget.";

interface Facts {
  readonly spec?: object;
  readonly status?: object;
  /** How many budgets select the Pods. */
  readonly budgets?: number;
  readonly phase?: string;
  readonly ready?: boolean;
}

const ok = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods", message: "", lastTransitionTime: "2026-01-01T00:00:00Z", observedGeneration: 1 }] };
const denied = (reason: string, message: string): Condition => ({ type: "DisruptionAllowed", status: "False", reason, message, lastTransitionTime: "2026-01-01T00:00:00Z" });

/** Pods a and b on a node, and their budgets with the status that a controller gave them. */
function objectsOf({ spec = { minAvailable: 2 }, status = ok, budgets = 1, phase = "Running", ready = true }: Facts): readonly KubeObject[] {
  const pod = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", labels: { app: "web" } }, spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 30 }, status: { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] } } as KubeObject);
  return [pod("a"), pod("b"), ...Array.from({ length: budgets }, (_, i): KubeObject => ({ apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: `web${i}`, namespace: "default", generation: 1 }, spec: { selector: { matchLabels: { app: "web" } }, ...spec }, status } as KubeObject))];
}

const evict = (seconds: number, pod: string, options?: object, query?: Readonly<Record<string, string>>): Op => http(seconds * T, { method: "POST", path: `${PODS}/${pod}/eviction`, body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: pod, namespace: "default" }, ...(options === undefined ? {} : { deleteOptions: options }) }, ...(query === undefined ? {} : { query }) });

/** All is posted first, as users and controllers would. */
function cluster(facts: Facts, ops: readonly Op[], until = 20) {
  const set: Op[] = objectsOf(facts).flatMap((object) => {
    const path = object.kind === "Pod" ? PODS : BUDGETS;
    return [http(T, { method: "POST", path, body: object }), http(2 * T, { method: "PATCH", path: `${path}/${object.metadata.name}/status`, body: { status: object.status } })];
  });
  const sim = run([...set, ...ops], until * T);
  const since = answers(sim).slice(set.length);
  const text = ({ status, body: said, headers }: HttpResponse): string => [status, (said as { reason?: string }).reason, ...((said as { details?: { causes?: readonly { message: string }[] } }).details?.causes ?? []).map(({ message }) => message), headers?.["Retry-After"]].filter((part) => part !== undefined).join(" | ");
  return { sim, since, texts: since.map(text) };
}
const get = (seconds: number, path: string): Op => http(seconds * T, { path });

describe("what a budget says", () => {
  const needs = "429 | TooManyRequests | The disruption budget web0 ";
  test.each<[string, Facts, string]>([
    ["allows it", {}, "201"],
    ["needs those that are left", { status: { ...ok, disruptionsAllowed: 0, currentHealthy: 2 } }, `${needs}needs 2 healthy pods and has 2 currently`],
    ["is behind its own spec", { status: { ...ok, observedGeneration: 0 } }, `${needs}is still being processed by the server. | 10`],
    ["could not be counted", { status: { ...ok, disruptionsAllowed: 0, currentHealthy: 0, conditions: [denied("SyncFailed", "no scale")] } }, `${needs}does not allow evicting pods currently because it failed sync: no scale`],
    ["has a reason of its own", { status: { ...ok, disruptionsAllowed: 0, conditions: [denied("Because", "so it is")] } }, `${needs}does not allow evicting pods currently (Because): so it is`],
    ["has none", { status: { ...ok, disruptionsAllowed: 0, conditions: [] } }, `${needs}does not allow evicting pods currently`],
    ["there are two", { budgets: 2 }, "500"],
    ["there is none", { budgets: 0 }, "201"],
    ["too many evictions that nobody has seen to", { status: { ...ok, disruptedPods: Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, "2026-01-01T00:00:00Z"])) } }, "403 | Forbidden"],
  ])("%s", (_name, facts, want) => {
    const { texts, since } = cluster(facts, [evict(5, "a")], 8);
    expect(texts).toEqual([want]);
    if (want.startsWith("429")) expect(body(since[0]).message).toBe(MESSAGE);
    if (want.startsWith("403")) expect(body(since[0]).message).toBe('poddisruptionbudget.policy "web0" is forbidden: DisruptedPods map too big - too many evictions not confirmed by PDB controller');
    if (want === "500") expect(body(since[0]).message).toBe("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
  });

  const spent = { ...ok, disruptionsAllowed: 0 };
  test.each<[string, Facts, number]>([
    ["that is pending", { phase: "Pending", ready: false, status: spent }, 201],
    ["that has failed", { phase: "Failed", ready: false, status: spent }, 201],
    ["that has succeeded", { phase: "Succeeded", ready: false, status: spent }, 201],
    ["that is not ready, when enough others are", { ready: false, status: spent }, 201],
    ["that is not ready, when not", { ready: false, status: { ...spent, currentHealthy: 1 } }, 429],
    ["that is not ready, when none is wanted", { ready: false, status: { ...spent, desiredHealthy: 0 } }, 429],
    ["that is not ready, though its budget wants to be asked", { ready: false, spec: { minAvailable: 2, unhealthyPodEvictionPolicy: "IfHealthyBudget" }, status: { ...spent, currentHealthy: 1 } }, 429],
    ["that is not ready, and always may go", { ready: false, spec: { minAvailable: 2, unhealthyPodEvictionPolicy: "AlwaysAllow" }, status: { ...spent, currentHealthy: 1 } }, 201],
    ["that is ready, always allowed or not", { spec: { minAvailable: 2, unhealthyPodEvictionPolicy: "AlwaysAllow" }, status: spent }, 429],
  ])("a Pod %s", (_name, facts, want) => {
    const { since } = cluster(facts, [evict(5, "a"), get(7, `${BUDGETS}/web0`)], 8);
    expect([since[0]?.status, (body(since[1]) as KubeObject & { status: { disruptedPods?: object } }).status.disruptedPods]).toEqual([want, undefined]);
  });
});

test("the budget is charged, the Pod is told why in a write of its own, then it is deleted", () => {
  const { sim, since } = cluster({}, [evict(5, "a"), get(7, `${BUDGETS}/web0`), get(7.5, `${PODS}/a`)], 8);
  const budget = body(since[1]) as KubeObject & { status: { disruptionsAllowed: number; disruptedPods: object; conditions: readonly Condition[] } };
  expect(budget.status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { a: "2026-01-01T00:00:05Z" } });
  expect(budget.status.conditions.map(({ status, reason, message }) => [status, reason, message])).toEqual([["False", "InsufficientPods", ""]]);
  const pod = body(since[2]) as unknown as Pod;
  expect(pod.status?.conditions?.at(-1)).toMatchObject({ type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI", message: "Eviction API: evicting" });
  const seen = state(sim).events.map(({ message }) => message.event.object as Pod).filter(({ metadata }) => metadata.name === "a").slice(-4);
  expect(seen.map(({ metadata, status }) => `${status?.conditions?.some(({ type }) => type === "DisruptionTarget") === true} ${metadata.deletionTimestamp !== undefined}`)).toEqual(["true false", "true false", "true true", "true true"]);
  expect(pod.metadata.deletionGracePeriodSeconds).toBe(30);
});

test("two at the same moment: the second finds the budget changed, waits half a second and looks again", () => {
  const two = cluster({ status: { ...ok, disruptionsAllowed: 2, currentHealthy: 4 } }, [evict(5, "a"), evict(5, "b")], 8);
  expect(two.texts).toEqual(["201", "201"]);
  const [first = 0, second = 0] = state(two.sim).answers.slice(-2).map(({ at }) => at);
  expect([second - first > 0.49 * T, second - first < 0.6 * T]).toEqual([true, true]);
  const one = cluster({}, [evict(5, "a"), evict(5, "b")], 8);
  expect(one.texts).toEqual(["201", "429 | TooManyRequests | The disruption budget web0 does not allow evicting pods currently"]);
});

test.each<[string, Op, string, number]>([
  ["dryRun in the request", evict(5, "a", undefined, { dryRun: "All" }), "201", 1],
  ["dryRun in the options", evict(5, "a", { dryRun: ["All"] }), "201", 1],
  ["another uid", evict(5, "a", { preconditions: { uid: "other" } }), "409 | Conflict", 0],
  ["another resourceVersion", evict(5, "a", { preconditions: { resourceVersion: "1" } }), "409 | Conflict", 0],
  ["an option of no use here", evict(5, "a", { ignoreStoreReadErrorWithClusterBreakingPotential: true }), '422 | Invalid | Invalid value: true: can not be set for pod eviction, try after removing the option', 1],
])("%s: the Pod stays", (_name, op, want, allowed) => {
  const { texts, since } = cluster({}, [op, get(7, `${PODS}/a`), get(7, `${BUDGETS}/web0`)], 8);
  expect([texts[0], body(since[1]).metadata.deletionTimestamp, (body(since[2]) as KubeObject & { status: { disruptionsAllowed: number } }).status.disruptionsAllowed]).toEqual([want, undefined, allowed]);
});

test("a resourceVersion that is right: it is the Pod's from before it was told why", () => {
  const before = cluster({}, [get(5, `${PODS}/a`)], 6);
  const { resourceVersion } = body(before.since[0]).metadata;
  expect(cluster({}, [evict(5, "a", { preconditions: { resourceVersion } })], 8).texts).toEqual(["201"]);
});

test("the grace period of the options counts", () => {
  const { since } = cluster({}, [evict(5, "a", { gracePeriodSeconds: 7 }), get(7, `${PODS}/a`)], 8);
  expect(body(since[1]).metadata.deletionGracePeriodSeconds).toBe(7);
});

test("kubectl drain asks again every five seconds until the budget allows it", () => {
  const sim = cluster({ status: { ...ok, disruptionsAllowed: 0, currentHealthy: 2 } }, [kubectl(5 * T, "drain n1 --force --timeout=8s")], 40);
  const { err } = printed(sim.sim, 5 * T);
  expect(err).toContain(`error when evicting pods/"a" -n "default" (will retry after 5s): ${MESSAGE}`);
});
