import { expect, test } from "vitest";
import { hpaToV1, hpaToV2 } from "./convert-hpa.ts";
import type { KubeObject } from "./types.ts";

const hpa = (version: string, spec: object, metadata: object = {}, status?: object): KubeObject => ({ apiVersion: `autoscaling/${version}`, kind: "HorizontalPodAutoscaler", metadata: { name: "h", ...metadata }, spec: { maxReplicas: 3, ...spec }, ...(status === undefined ? {} : { status }) }) as KubeObject;
const cpu = (averageUtilization: number): object => ({ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } });
const pods = { type: "Pods", pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "10" } } };

test("a CPU target is a field in v1, every other metric stands in an annotation", () => {
  const v1 = hpaToV1(hpa("v2", { metrics: [pods, cpu(50)] }));
  expect(v1.spec).toEqual({ maxReplicas: 3, targetCPUUtilizationPercentage: 50 });
  expect(v1.metadata.annotations).toEqual({ "autoscaling.alpha.kubernetes.io/metrics": '[{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"10"}}]' });
});

test.each([
  ["metrics", { metrics: [pods, cpu(50)] }],
  ["an object", { metrics: [{ type: "Object", object: { describedObject: { kind: "Ingress", name: "i" }, metric: { name: "m" }, target: { type: "Value", value: "5" } } }] }],
  ["behavior", { metrics: [cpu(80)], behavior: { scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: "Max", policies: [{ type: "Pods", value: 1, periodSeconds: 15 }] } } }],
])("%s come back as they were", (_name, spec) => expect(hpaToV2(hpaToV1(hpa("v2", spec, { annotations: { a: "b" } })))).toEqual(hpa("v2", spec, { annotations: { a: "b" } })));

test("v1 without a target means 80 percent of CPU", () => expect(hpaToV2(hpa("v1", {})).spec).toEqual({ maxReplicas: 3, metrics: [cpu(80)] }));
