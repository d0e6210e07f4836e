import type { Pod } from "../../../../sim/api/types.ts";
import { averageValueReplicas, resourceReplicas, type Sample, type ScaledPod, type Settings } from "../../../../sim/kube-controller-manager/podautoscaler/replica-calculator.ts";
import { milliValue } from "../../../../sim/api/quantity.ts";
import type { Adapter } from "../../adapter.ts";

interface HpaInput {
  readonly currentReplicas: number;
  readonly tolerance: number;
  readonly cpuInitializationPeriodSeconds?: number;
  readonly initialReadinessDelaySeconds?: number;
  readonly metric: {
    readonly type: string;
    readonly resource?: { readonly name: string; readonly target: { readonly averageUtilization?: number; readonly averageValueMilli?: number } };
    readonly pods?: { readonly target: { readonly averageValueMilli: number } };
  };
  readonly pods?: readonly (Pod & { readonly startedSecondsAgo?: number | null })[];
  readonly podMetricsMilliCPU?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly podMetricsMilli?: Readonly<Record<string, number>>;
}

const WINDOW = 60_000_000;
const NOW = 1_000_000_000;

function requestMilli(pod: Pod, resource: string): number {
  return pod.spec.containers.reduce((sum, container) => sum + milliValue(container.resources?.requests?.[resource]), 0);
}

function replicas(raw: unknown): unknown {
  const input = raw as HpaInput;
  const resource = input.metric.resource?.name ?? "";
  const samples = new Map<string, Sample>();
  for (const [name, containers] of Object.entries(input.podMetricsMilliCPU ?? {})) samples.set(name, { milli: Object.values(containers).reduce((a, b) => a + b, 0), at: NOW, window: WINDOW });
  for (const [name, milli] of Object.entries(input.podMetricsMilli ?? {})) samples.set(name, { milli, at: NOW, window: WINDOW });
  const pods = (input.pods ?? Object.keys(input.podMetricsMilli ?? {}).map((name): Pod => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [] }, status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } }))).map((pod): ScaledPod => {
    const ago = (pod as { startedSecondsAgo?: number | null }).startedSecondsAgo;
    const started = ago === null || ago === undefined ? {} : { started: NOW - ago * 1_000_000, readyTransition: NOW - ago * 1_000_000 };
    return { name: pod.metadata.name ?? "", pod, requestMilli: requestMilli(pod, resource), ...started };
  });
  const settings: Settings = { tolerances: { down: input.tolerance, up: input.tolerance }, cpuInitialization: (input.cpuInitializationPeriodSeconds ?? 300) * 1_000_000, initialReadiness: (input.initialReadinessDelaySeconds ?? 30) * 1_000_000, now: NOW, cpu: resource === "cpu" };
  const utilization = input.metric.resource?.target.averageUtilization;
  if (utilization !== undefined) {
    const result = resourceReplicas(input.currentReplicas, utilization, pods, samples, settings);
    if ("error" in result) return result;
    return { desiredReplicas: result.replicas, currentAverageUtilization: result.current };
  }
  const target = input.metric.resource?.target.averageValueMilli ?? input.metric.pods?.target.averageValueMilli ?? 0;
  const result = averageValueReplicas(input.currentReplicas, target, pods, samples, settings);
  if ("error" in result) return result;
  return { desiredReplicas: result.replicas, currentAverageValueMilli: result.current };
}

export const autoscalingAdapters: readonly Adapter[] = [{ kind: "hpa-replicaCalculator", run: replicas }];
