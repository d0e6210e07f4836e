// Models kubernetes/pkg/controller/podautoscaler/horizontal.go (computeReplicasForMetric) and metrics/client.go
import { parseGoDuration } from "../../api/duration.ts";
import { parseRfc3339 } from "../../api/time.ts";
import { formatQuantity, milliValue, toQuantity } from "../../api/quantity.ts";
import { podRequests } from "../../api/pod-resources.ts";
import type { Container, Pod } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";
import { type Answer, isSuccess, messageOf } from "../controller.ts";
import { conditionOf } from "../pods.ts";
import { averageValueReplicas, type CalculatorError, type Proposal, resourceReplicas, type Sample, type ScaledPod, type Settings, type Tolerances } from "./replica-calculator.ts";
import type { Autoscaler, MetricSpec, MetricTarget, PodMetrics } from "./types.ts";

const DEFAULT_TOLERANCE = 0.1;
const CPU_INITIALIZATION: Micros = 300_000_000;
const INITIAL_READINESS: Micros = 30_000_000;

export interface MetricProposal {
  readonly replicas: number;
  /** As an event names it: "cpu resource utilization (percentage of request)". */
  readonly name: string;
  readonly status: unknown;
  /** What was measured against what is wanted, for readers. */
  readonly why: string;
}

export interface MetricError {
  /** Reason of the event and of condition ScalingActive. */
  readonly reason: string;
  readonly cause: string;
  /** As the list of all failures quotes it. */
  readonly wrapped: string;
}

/** Which resource a metric reads from metrics.k8s.io, if any, and of which container. */
export function resourceOf(spec: MetricSpec): { readonly name: string; readonly container: string; readonly target: MetricTarget } | undefined {
  if (spec.type === "Resource" && spec.resource) return { ...spec.resource, container: "" };
  return spec.type === "ContainerResource" ? spec.containerResource : undefined;
}

function tolerancesOf({ spec }: Autoscaler): Tolerances {
  const of = (quantity: string | number | undefined): number => (quantity === undefined ? DEFAULT_TOLERANCE : Number(toQuantity(quantity).nano) / 1e9);
  return { down: of(spec.behavior?.scaleDown?.tolerance), up: of(spec.behavior?.scaleUp?.tolerance) };
}

function samplesOf(items: readonly PodMetrics[], resource: string, container: string): ReadonlyMap<string, Sample> {
  const samples = new Map<string, Sample>();
  for (const { metadata, timestamp, window, containers } of items) {
    const counted = container === "" ? containers : containers.filter((entry) => entry.name === container);
    if (counted.length === 0 || counted.some((entry) => entry.usage[resource] === undefined)) continue;
    samples.set(metadata.name ?? "", { milli: counted.reduce((sum, entry) => sum + milliValue(entry.usage[resource]), 0), at: parseRfc3339(timestamp), window: parseGoDuration(window) });
  }
  return samples;
}

/** calculateRequests for one Pod. */
function requestOf({ spec, metadata }: Pod, container: string, resource: string): number | CalculatorError {
  const name = metadata.name ?? "";
  if (container === "" && Object.keys(spec.resources?.requests ?? {}).length > 0) {
    const request = podRequests(spec)[resource];
    return request === undefined ? { error: `missing pod-level request for ${resource} in Pod ${name}` } : milliValue(request);
  }
  const sidecars = (spec.initContainers ?? []).filter((entry: Container) => entry.restartPolicy === "Always");
  const counted = [...spec.containers, ...sidecars].filter((entry) => container === "" || entry.name === container);
  if (container !== "" && counted.length === 0) return { error: `container ${container} not found in Pod ${name}` };
  const without = counted.find((entry) => entry.resources?.requests?.[resource] === undefined);
  if (without) return { error: `missing request for ${resource} in container ${without.name} of Pod ${name}` };
  return counted.reduce((sum, entry) => sum + milliValue(entry.resources?.requests?.[resource]), 0);
}

function scaledPod(pod: Pod, requestMilli: number | undefined): ScaledPod {
  const started = parseRfc3339(pod.status?.startTime ?? "");
  const transition = parseRfc3339(conditionOf(pod, "Ready")?.lastTransitionTime ?? "");
  return { name: pod.metadata.name ?? "", pod, ...(requestMilli === undefined ? {} : { requestMilli }), ...(Number.isNaN(started) ? { unstarted: true as const } : { started }), ...(Number.isNaN(transition) ? {} : { readyTransition: transition }) };
}

const quantity = (resource: string, milli: number): string => formatQuantity({ nano: BigInt(milli) * 1_000_000n, format: resource === "memory" ? "BinarySI" : "DecimalSI" });

export interface MetricInput {
  readonly hpa: Autoscaler;
  readonly pods: readonly Pod[];
  readonly specReplicas: number;
  readonly answer: Answer | undefined;
  readonly now: Micros;
}

function resourceProposal({ name, container, target }: { readonly name: string; readonly container: string; readonly target: MetricTarget }, { hpa, pods, specReplicas, answer, now }: MetricInput): { readonly proposal: Proposal; readonly percent: boolean } | CalculatorError {
  const average = target.averageValue;
  const verb = average === undefined ? "utilization" : "usage";
  const fail = (error: string): CalculatorError => ({ error: `failed to get ${name} ${verb}: ${error}` });
  if (average === undefined && target.averageUtilization === undefined) return { error: "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set" };
  if (!answer || !isSuccess(answer)) {
    const text = answer?.status === 404 || answer?.status === 503 ? `${messageOf(answer)} (get pods.metrics.k8s.io)` : messageOf(answer ?? { status: 0, sent: false });
    return fail(`unable to get metrics for resource ${name}: unable to fetch metrics from resource metrics API: ${text}`);
  }
  const { items } = answer.body as { readonly items: readonly PodMetrics[] };
  if (items.length === 0) return fail(`unable to get metrics for resource ${name}: no metrics returned from resource metrics API`);
  const settings: Settings = { tolerances: tolerancesOf(hpa), cpuInitialization: CPU_INITIALIZATION, initialReadiness: INITIAL_READINESS, now, cpu: name === "cpu" };
  const samples = samplesOf(items, name, container);
  const requests = pods.map((pod) => requestOf(pod, container, name));
  const missing = requests.find((request): request is CalculatorError => typeof request !== "number");
  const scaled = pods.map((pod, i) => scaledPod(pod, typeof requests[i] === "number" ? requests[i] : undefined));
  const proposal = average === undefined ? resourceReplicas(specReplicas, target.averageUtilization ?? 0, scaled, samples, settings, missing?.error) : averageValueReplicas(specReplicas, milliValue(average), scaled, samples, settings);
  return "error" in proposal ? fail(proposal.error) : { proposal, percent: average === undefined };
}

/** What one metric asks for, or why it asks for nothing. */
export function computeMetric(spec: MetricSpec, input: MetricInput): MetricProposal | MetricError {
  const resource = resourceOf(spec);
  if (resource === undefined) return otherMetric(spec, input.hpa.metadata.namespace ?? "");
  const of = spec.type === "ContainerResource";
  const result = resourceProposal(resource, input);
  if ("error" in result) {
    return { reason: of ? "FailedGetContainerResourceMetric" : "FailedGetResourceMetric", cause: result.error, wrapped: of ? `failed to get ${resource.container} container metric value: ${result.error}` : `failed to get ${resource.name} resource metric value: ${result.error}` };
  }
  const { proposal, percent } = result;
  const current = percent ? { averageUtilization: proposal.current, averageValue: quantity(resource.name, proposal.raw ?? 0) } : { averageValue: quantity(resource.name, proposal.current) };
  const name = percent ? `${resource.name} ${of ? "container " : ""}resource utilization (percentage of request)` : `${resource.name} resource`;
  const status = of ? { type: spec.type, containerResource: { name: resource.name, container: resource.container, current } } : { type: spec.type, resource: { name: resource.name, current } };
  const { averageUtilization, averageValue = "" } = resource.target;
  const why = percent ? `${resource.name} is at ${proposal.current} % of what the Pods request, ${averageUtilization ?? 0} % is wanted` : `a Pod uses ${quantity(resource.name, proposal.current)} ${resource.name} on average, ${averageValue} is wanted`;
  return { replicas: proposal.replicas, name, status, why };
}

/** Simplified: no adapter for custom or external metrics can be installed; this is what a cluster without one says. */
function otherMetric(spec: MetricSpec, namespace: string): MetricError {
  const custom = "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";
  if (spec.type === "Pods") {
    const cause = `unable to get metric ${spec.pods?.metric.name ?? ""}: ${custom}`;
    return { reason: "FailedGetPodsMetric", cause, wrapped: `failed to get pods metric value: ${cause}` };
  }
  if (spec.type === "Object") {
    const { metric, describedObject, target } = spec.object ?? { metric: { name: "" }, describedObject: { kind: "", name: "" }, target: { type: "Value" } };
    const raw = `unable to get metric ${metric.name}: ${custom} on ${describedObject.kind} ${namespace}/${describedObject.name}`;
    return { reason: "FailedGetObjectMetric", cause: raw, wrapped: `failed to get object metric value: ${target.type === "AverageValue" ? `failed to get ${metric.name} object metric: ` : ""}${raw}` };
  }
  const { metric, target } = spec.external ?? { metric: { name: "" }, target: { type: "Value" } };
  const selector = metric.selector === undefined ? "nil" : `&LabelSelector{MatchLabels:map[string]string{${Object.entries(metric.selector.matchLabels ?? {}).map(([key, value]) => `${key}: ${value},`).join("")}},MatchExpressions:[]LabelSelectorRequirement{},}`;
  const raw = `unable to get external metric ${namespace}/${metric.name}/${selector}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${metric.name}.external.metrics.k8s.io)`;
  const inner = target.averageValue === undefined ? `failed to get external metric ${metric.name}: ${raw}` : `failed to get ${metric.name} external metric: ${raw}`;
  return { reason: "FailedGetExternalMetric", cause: raw, wrapped: `failed to get ${metric.name} external metric value: ${inner}` };
}
