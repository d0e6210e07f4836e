import { describe, expect, test } from "vitest";
import type { FakeApiConfig } from "../../testdata/fake-apiserver.ts";
import { CPU, hpaObject, metricsApi, pods, runHpa, target } from "../../testdata/hpa-cluster.ts";
import type { KubeObject } from "../../api/types.ts";
import type { ScalingRules } from "./types.ts";

const ABLE = "AbleToScale=True SucceededGetScale: the HPA controller was able to get the target's current scale";
const MATCHING = "AbleToScale=True ReadyForNewScale: recommended size matches current size";
const VALID = "ScalingActive=True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)";
const WITHIN = "ScalingLimited=False DesiredWithinRange: the desired count is within the acceptable range";
const able = (size: number): string => `AbleToScale=True SucceededRescale: the HPA controller was able to update the target scale to ${size}`;
const SCALE = "GET deployments/web/scale";
const METRICS = "GET /apis/metrics.k8s.io/v1beta1/namespaces/default/pods";
const RESIZE = "PUT deployments/web/scale";
const EVENT = "POST events";
const STATUS = "PUT horizontalpodautoscalers/web/status";
const rules = (extra: Partial<ScalingRules>): ScalingRules => ({ stabilizationWindowSeconds: 0, selectPolicy: "Max", policies: [{ type: "Pods", value: 4, periodSeconds: 15 }], ...extra });
const answer = (path: string, body: unknown): FakeApiConfig["refuse"] => (request) => (request.path === path ? { status: 200, reason: "", message: "", body } : undefined);
const failing = (path: string, status: number, message: string, times = Number.POSITIVE_INFINITY): FakeApiConfig["refuse"] => {
  let seen = 0;
  return (request) => (request.path.includes(path) && (request.method === "PUT" || path.startsWith("/apis/metrics")) && ++seen <= times ? { status, reason: "Broken", message } : undefined);
};
const either = (...all: readonly FakeApiConfig["refuse"][]): FakeApiConfig["refuse"] => (request, state) => all.map((one) => one?.(request, state)).find((found) => found !== undefined);
const WIDGET = { scaleTargetRef: { kind: "Widget", apiVersion: "example.com/v1", name: "w" } };
const DISCOVERED = { items: [{ metadata: { name: "example.com" }, versions: [{ version: "v1", resources: [{ resource: "widgets", responseKind: { kind: "Widget" }, scope: "Namespaced", subresources: [{ subresource: "scale" }] }] }] }] };
const MISSING_API = "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";

interface Case {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly refuse?: FakeApiConfig["refuse"];
  readonly until?: number;
  readonly events: readonly string[];
  readonly conditions: readonly string[];
  readonly requests: readonly string[];
}

const CASES: readonly Case[] = [
  { name: "above target: the scale is written, told, and kept in the status", objects: [hpaObject(), target(2), ...pods(2)], refuse: metricsApi(() => [100, 100]), events: ["SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target"], conditions: [able(4), VALID, WITHIN], requests: [SCALE, METRICS, RESIZE, EVENT, STATUS] },
  { name: "within a tenth of the target: nothing, and the status is written once", objects: [hpaObject(), target(2), ...pods(2)], refuse: metricsApi(() => [54, 54]), until: 40, events: [], conditions: [MATCHING, VALID, WITHIN], requests: [SCALE, METRICS, STATUS, SCALE, METRICS] },
  { name: "a tolerance of its own", objects: [hpaObject({ behavior: { scaleUp: rules({ tolerance: "0.02" }), scaleDown: rules({}) } }), target(2), ...pods(2)], refuse: metricsApi(() => [54, 54]), events: ["SuccessfulRescale: New size: 3; reason: cpu resource utilization (percentage of request) above target"], conditions: [able(3), VALID, WITHIN], requests: [SCALE, METRICS, RESIZE, EVENT, STATUS] },
  { name: "below target, at once by its own window", objects: [hpaObject({ behavior: { scaleUp: rules({}), scaleDown: rules({ policies: [{ type: "Percent", value: 50, periodSeconds: 15 }] }) } }), target(4), ...pods(4)], refuse: metricsApi(() => [5, 5, 5, 5]), events: ["SuccessfulRescale: New size: 2; reason: All metrics below target"], conditions: [able(2), VALID, "ScalingLimited=True ScaleDownLimit: the desired replica count is decreasing faster than the maximum scale rate"], requests: [SCALE, METRICS, RESIZE, EVENT, STATUS] },
  { name: "more than the maximum: no metrics are asked", objects: [hpaObject({ maxReplicas: 3 }), target(5)], events: ["SuccessfulRescale: New size: 3; reason: Current number of replicas above Spec.MaxReplicas"], conditions: [able(3)], requests: [SCALE, RESIZE, EVENT, STATUS] },
  { name: "fewer than the minimum", objects: [hpaObject({ minReplicas: 3 }), target(1)], events: ["SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas"], conditions: [able(3)], requests: [SCALE, RESIZE, EVENT, STATUS] },
  { name: "none at all: switched off", objects: [hpaObject(), target(0)], until: 35, events: [], conditions: [ABLE, "ScalingActive=False ScalingDisabled: scaling is disabled since the replica count of the target is zero"], requests: [SCALE, STATUS, SCALE] },
  { name: "no metrics API: one word before and one after the status", objects: [hpaObject(), target(2), ...pods(2)], refuse: failing("/apis/metrics", 404, "the server could not find the requested resource"), events: [`FailedGetResourceMetric: ${MISSING_API}`, `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${MISSING_API}`], conditions: [ABLE, `ScalingActive=False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${MISSING_API}`], requests: [SCALE, METRICS, EVENT, STATUS, EVENT] },
  { name: "a scale without a selector", objects: [hpaObject(), target(2, "")], events: ["SelectorRequired: selector is required", "FailedComputeMetricsReplicas: selector is required"], conditions: [ABLE, "ScalingActive=False InvalidSelector: the HPA target's scale is missing a selector"], requests: [SCALE, EVENT, STATUS, EVENT] },
  { name: "no such target", objects: [hpaObject()], events: ['FailedGetScale: deployments "web" not found'], conditions: ['AbleToScale=False FailedGetScale: the HPA controller was unable to get the target\'s current scale: deployments "web" not found'], requests: [SCALE, EVENT, STATUS] },
  { name: "no such kind", objects: [hpaObject(WIDGET)], refuse: answer("/apis", { items: [] }), events: ['FailedGetScale: no matches for kind "Widget" in group "example.com"'], conditions: ['AbleToScale=False FailedGetScale: the HPA controller was unable to get the target\'s current scale: no matches for kind "Widget" in group "example.com"'], requests: ["GET /apis", EVENT, STATUS] },
  { name: "no such form of a group", objects: [hpaObject({ scaleTargetRef: { kind: "X", apiVersion: "a/b/c", name: "w" } })], events: ["FailedGetScale: unexpected GroupVersion string: a/b/c"], conditions: ["AbleToScale=False FailedGetScale: the HPA controller was unable to get the target's current scale: unexpected GroupVersion string: a/b/c"], requests: [EVENT, STATUS] },
  { name: "a custom resource with a scale, found by discovery", objects: [hpaObject({ ...WIDGET, minReplicas: 2 })], refuse: either(answer("/apis", DISCOVERED), answer("/apis/example.com/v1/namespaces/default/widgets/w/scale", { kind: "Scale", metadata: {}, spec: { replicas: 1 } })), events: ["SuccessfulRescale: New size: 2; reason: Current number of replicas below Spec.MinReplicas"], conditions: [able(2)], requests: ["GET /apis", "GET /apis/example.com/v1/namespaces/default/widgets/w/scale", "PUT /apis/example.com/v1/namespaces/default/widgets/w/scale", EVENT, STATUS] },
  { name: "a conflict on the scale: read anew and tried again", objects: [hpaObject({ maxReplicas: 3 }), target(5)], refuse: failing("/scale", 409, "conflict", 2), events: ["SuccessfulRescale: New size: 3; reason: Current number of replicas above Spec.MaxReplicas"], conditions: [able(3)], requests: [SCALE, RESIZE, SCALE, RESIZE, SCALE, RESIZE, EVENT, STATUS] },
  { name: "five conflicts are enough", objects: [hpaObject({ maxReplicas: 3 }), target(5)], refuse: failing("/scale", 409, "conflict"), events: ["FailedRescale: New size: 3; reason: Current number of replicas above Spec.MaxReplicas; error: conflict"], conditions: ["AbleToScale=False FailedUpdateScale: the HPA controller was unable to update the target scale: conflict"], requests: [SCALE, ...Array.from({ length: 5 }, () => [RESIZE, SCALE]).flat(), EVENT, STATUS] },
  { name: "a scale that must not be written", objects: [hpaObject({ maxReplicas: 3 }), target(5)], refuse: failing("/scale", 403, "no"), events: ["FailedRescale: New size: 3; reason: Current number of replicas above Spec.MaxReplicas; error: no"], conditions: ["AbleToScale=False FailedUpdateScale: the HPA controller was unable to update the target scale: no"], requests: [SCALE, RESIZE, SCALE, EVENT, STATUS] },
  { name: "a status that cannot be written", objects: [hpaObject(), target(0)], refuse: failing("/status", 409, "conflict"), events: ["FailedUpdateStatus: conflict"], conditions: [], requests: [SCALE, STATUS, EVENT] },
  { name: "two metrics, one of no use: up is allowed", objects: [hpaObject({ metrics: [CPU, { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "1" } } }] }), target(2), ...pods(2)], refuse: metricsApi(() => [100, 100]), events: ["FailedGetPodsMetric: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered", "SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target"], conditions: [able(4), VALID, WITHIN], requests: [SCALE, METRICS, EVENT, RESIZE, EVENT, STATUS] },
];

test.each(CASES)("$name", ({ objects, refuse, until = 20, events, conditions, requests }) => {
  const run = runHpa(objects, refuse, until);
  // Events go out at once: they may overtake a write that was sent before.
  expect([run.events, run.conditions, [...run.requests].sort()]).toEqual([events, conditions, [...requests].sort()]);
  expect(run.requests.filter((request) => request !== EVENT)).toEqual(requests.filter((request) => request !== EVENT));
});

test("two autoscalers on the same Pods: both stop", () => {
  const { events, conditions } = runHpa([hpaObject(), hpaObject({}, "web2"), target(2), ...pods(2)], metricsApi(() => [54, 54]), 35);
  const text = "pods by selector app=web are controlled by multiple HPAs: [{web default} {web2 default}]";
  expect([new Set(events), conditions[1]]).toEqual([new Set([`AmbiguousSelector: ${text}`, `FailedComputeMetricsReplicas: ${text}`]), `ScalingActive=False AmbiguousSelector: ${text}`]);
});

describe("a load that ends", () => {
  const run = (until: number) => runHpa([hpaObject(), target(4), ...pods(4)], metricsApi((asked) => (asked === 0 ? [50, 50, 50, 50] : [5, 5, 5, 5])), until);
  test("for five minutes the highest recommendation holds", () => {
    const { replicas, conditions } = run(310);
    expect([replicas, conditions[0]]).toEqual([4, "AbleToScale=True ScaleDownStabilized: recent recommendations were higher than current one, applying the highest recent recommendation"]);
  });
  test("then the target shrinks", () => expect([run(330).replicas, run(330).events]).toEqual([1, ["SuccessfulRescale: New size: 1; reason: All metrics below target"]]));
});

test("a look every 15 s, counted from the end of the one before", () => {
  const asked = runHpa([hpaObject(), target(0)], undefined, 76).requests.filter((request) => request === SCALE);
  expect(asked).toHaveLength(5);
});
