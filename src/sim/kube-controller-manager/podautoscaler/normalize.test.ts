import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/types.ts";
import { computeMetric, type MetricInput } from "./metrics.ts";
import { normalize, withScaleEvent } from "./normalize.ts";
import { type Autoscaler, type History, NO_HISTORY, type ScalingRules } from "./types.ts";

const NOW = 1_000_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000_000;
const hpa = (behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules }): Autoscaler => ({ apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "web", namespace: "default" }, spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 100, ...(behavior === undefined ? {} : { behavior }) } });
const seen = (...recommendations: (readonly [number, number])[]): History => ({ ...NO_HISTORY, recommendations: recommendations.map(([replicas, seconds]) => ({ replicas, at: ago(seconds) })) });
const policy = (type: "Pods" | "Percent", value: number, periodSeconds: number) => ({ type, value, periodSeconds });

describe("normalize without a behavior", () => {
  test.each([
    { name: "at most twice the size", current: 10, desired: 50, history: NO_HISTORY, want: [20, "ReadyForNewScale", "ScaleUpLimit", true] },
    { name: "or four", current: 1, desired: 50, history: NO_HISTORY, want: [4, "ReadyForNewScale", "ScaleUpLimit", true] },
    { name: "the maximum", current: 90, desired: 150, history: NO_HISTORY, want: [100, "ReadyForNewScale", "TooManyReplicas", true] },
    { name: "the minimum", current: 3, desired: 0, history: NO_HISTORY, want: [1, "ReadyForNewScale", "TooFewReplicas", true] },
    { name: "a higher recommendation of the last five minutes holds", current: 10, desired: 2, history: seen([8, 299], [9, 301]), want: [8, "ScaleDownStabilized", "DesiredWithinRange", false] },
  ])("$name", ({ current, desired, history, want }) => {
    const got = normalize(hpa(), { current, desired, min: 1, max: 100 }, history, NOW);
    expect([got.replicas, got.able.reason, got.limit.reason, got.limit.limited]).toEqual(want);
  });

  test("an outdated recommendation gives its place to the newest", () => {
    const { history } = normalize(hpa(), { current: 5, desired: 5, min: 1, max: 9 }, seen([7, 400], [6, 350], [5, 10]), NOW);
    expect(history.recommendations.map((entry) => entry.replicas)).toEqual([7, 5, 5]);
  });
});

describe("normalize with a behavior", () => {
  const up = (rules: ScalingRules) => ({ scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: "Max" as const, ...rules }, scaleDown: { selectPolicy: "Max" as const, policies: [policy("Percent", 100, 15)] } });
  const down = (rules: ScalingRules) => ({ scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: "Max" as const, policies: [policy("Pods", 4, 15), policy("Percent", 100, 15)] }, scaleDown: { selectPolicy: "Max" as const, ...rules } });
  test.each([
    { name: "the largest of two policies", behavior: up({ policies: [policy("Pods", 4, 60), policy("Percent", 100, 60)] }), current: 10, desired: 50, history: NO_HISTORY, want: [20, "ScaleUpLimit"] },
    { name: "the smallest of two policies", behavior: up({ selectPolicy: "Min", policies: [policy("Pods", 4, 60), policy("Percent", 100, 60)] }), current: 10, desired: 50, history: NO_HISTORY, want: [14, "ScaleUpLimit"] },
    { name: "a percentage is rounded up on the way up", behavior: up({ policies: [policy("Percent", 10, 60)] }), current: 3, desired: 50, history: NO_HISTORY, want: [4, "ScaleUpLimit"] },
    { name: "what was added in the period counts", behavior: up({ policies: [policy("Pods", 4, 60)] }), current: 10, desired: 50, history: { ...NO_HISTORY, ups: [{ change: 3, at: ago(59) }, { change: 3, at: ago(61) }] }, want: [11, "ScaleUpLimit"] },
    { name: "switched off", behavior: up({ selectPolicy: "Disabled", policies: [policy("Pods", 4, 60)] }), current: 10, desired: 50, history: NO_HISTORY, want: [10, "ScaleUpLimit"] },
    { name: "a lower recommendation within the window of the way up holds", behavior: up({ stabilizationWindowSeconds: 60, policies: [policy("Percent", 900, 15)] }), current: 10, desired: 20, history: seen([12, 30]), want: [12, "DesiredWithinRange"] },
    { name: "a percentage is rounded down on the way down", behavior: down({ stabilizationWindowSeconds: 0, policies: [policy("Percent", 10, 60)] }), current: 15, desired: 1, history: NO_HISTORY, want: [13, "ScaleDownLimit"] },
    { name: "the least change on the way down", behavior: down({ stabilizationWindowSeconds: 0, selectPolicy: "Min", policies: [policy("Percent", 50, 60), policy("Pods", 2, 60)] }), current: 10, desired: 1, history: NO_HISTORY, want: [8, "ScaleDownLimit"] },
    { name: "the window of the way down is five minutes unless said", behavior: down({ policies: [policy("Percent", 100, 15)] }), current: 10, desired: 1, history: seen([9, 299]), want: [9, "DesiredWithinRange"] },
  ])("$name", ({ behavior, current, desired, history, want }) => {
    const got = normalize(hpa(behavior), { current, desired, min: 1, max: 100 }, history, NOW);
    expect([got.replicas, got.limit.reason]).toEqual(want);
  });

  test("events older than the longest period are forgotten", () => {
    const behavior = up({ policies: [policy("Pods", 4, 60)] });
    expect(withScaleEvent(hpa(behavior), { ...NO_HISTORY, ups: [{ change: 1, at: ago(61) }, { change: 2, at: ago(5) }] }, 3, 5, NOW).ups.map((event) => event.change)).toEqual([2, 2]);
  });
});

describe("computeMetric", () => {
  const pod = (name: string, requests: Readonly<Record<string, string>> = { cpu: "100m" }): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "app", resources: { requests } }, { name: "side", resources: { requests: { cpu: "100m" } } }] }, status: { phase: "Running", startTime: "2025-12-31T00:00:00Z", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2025-12-31T00:00:10Z" }] } });
  const items = (...cpu: string[]) => cpu.map((usage, i) => ({ metadata: { name: `p${i}` }, timestamp: "2026-01-01T00:16:00Z", window: "15s", containers: [{ name: "app", usage: { cpu: usage } }, { name: "side", usage: { cpu: "10m" } }] }));
  const input = (pods: readonly Pod[], body: readonly unknown[], status = 200): MetricInput => ({ hpa: hpa(), pods, specReplicas: pods.length, now: NOW, answer: { status, sent: true, body: status === 200 ? { items: body } : { message: "the server is currently unable to handle the request" } } });
  const resource = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization" as const, averageUtilization: 50 } } };
  const container = { type: "ContainerResource", containerResource: { name: "cpu", container: "app", target: { type: "Utilization" as const, averageUtilization: 50 } } };

  test("both containers count, or the one that is named", () => {
    expect(computeMetric(resource, input([pod("p0"), pod("p1")], items("190m", "190m")))).toMatchObject({ replicas: 4, name: "cpu resource utilization (percentage of request)", status: { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 100, averageValue: "200m" } } } });
    expect(computeMetric(container, input([pod("p0"), pod("p1")], items("100m", "100m")))).toMatchObject({ replicas: 4, name: "cpu container resource utilization (percentage of request)", status: { type: "ContainerResource", containerResource: { name: "cpu", container: "app", current: { averageUtilization: 100, averageValue: "100m" } } } });
  });

  test.each([
    ["no samples", resource, input([pod("p0")], []), "failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API"],
    ["no Pods", resource, input([], items("1m")), "failed to get cpu utilization: no pods returned by selector while calculating replica count"],
    ["a missing request", resource, input([pod("p0", {})], items("1m")), "failed to get cpu utilization: missing request for cpu in container app of Pod p0"],
    ["a server that is down", resource, input([pod("p0")], [], 503), "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)"],
    ["an unknown container", { ...container, containerResource: { ...container.containerResource, container: "x" } }, input([pod("p0")], items("1m")), "failed to get cpu utilization: did not receive metrics for targeted pods (pods might be unready)"],
    ["no adapter", { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue" as const, averageValue: "1" } } }, input([pod("p0")], []), "unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered"],
  ])("says what is wrong: %s", (_name, spec, given, cause) => expect(computeMetric(spec, given)).toMatchObject({ cause }));
});
