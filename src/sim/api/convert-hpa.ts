// Models kubernetes/pkg/apis/autoscaling/v1/conversion.go: autoscaling/v1 knows only a CPU target and keeps the rest in annotations
import { internalForm } from "./internal-form.ts";
import type { KubeObject } from "./types.ts";
import { isJson, isSet, type Json, json, list } from "./validation/helpers.ts";

const annotation = (name: string): string => `autoscaling.alpha.kubernetes.io/${name}`;
const [METRICS, CURRENT, BEHAVIOR, CONDITIONS] = ["metrics", "current-metrics", "behavior", "conditions"].map(annotation);
const DEFAULT_UTILIZATION = 80;

/** Without the fields that are not set. */
const compact = (object: Json): Json => Object.fromEntries(Object.entries(object).filter(([, value]) => isSet(value)));

type Source = "object" | "pods" | "resource" | "containerResource" | "external";
const SOURCES: readonly Source[] = ["object", "pods", "resource", "containerResource", "external"];
/** v1 name of each number of a source, as target and as current value, by its name in v2's target. */
const NUMBERS: Readonly<Record<Source, readonly (readonly [string, string, string])[]>> = {
  object: [["targetValue", "currentValue", "value"], ["averageValue", "averageValue", "averageValue"]],
  pods: [["targetAverageValue", "currentAverageValue", "averageValue"]],
  resource: [["targetAverageUtilization", "currentAverageUtilization", "averageUtilization"], ["targetAverageValue", "currentAverageValue", "averageValue"]],
  containerResource: [["targetAverageUtilization", "currentAverageUtilization", "averageUtilization"], ["targetAverageValue", "currentAverageValue", "averageValue"]],
  external: [["targetValue", "currentValue", "value"], ["targetAverageValue", "currentAverageValue", "averageValue"]],
};
/** v1 fields that are no pointers and so always there. */
const ALWAYS = new Set(["object.targetValue", "object.currentValue", "pods.targetAverageValue", "pods.currentAverageValue", "resource.currentAverageValue", "containerResource.currentAverageValue", "external.currentValue"]);
const isResource = (source: Source): boolean => source === "resource" || source === "containerResource";
const selectorName = (source: Source): string => (source === "external" ? "metricSelector" : "selector");

function metricToV1(metric: Json, current: boolean): Json {
  const sources = SOURCES.filter((source) => isSet(metric[source])).map((source) => {
    const of = json(metric[source]);
    const values = json(of[current ? "current" : "target"]);
    const numbers = Object.fromEntries(NUMBERS[source].map(([target, now, v2]) => {
      const name = current ? now : target;
      return [name, values[v2] ?? (ALWAYS.has(`${source}.${name}`) ? "0" : undefined)];
    }));
    const named = isResource(source) ? { name: of["name"] } : { metricName: json(of["metric"])["name"], [selectorName(source)]: json(of["metric"])["selector"] };
    return [source, compact({ ...(source === "object" ? { target: of["describedObject"] } : {}), ...named, ...numbers, ...(source === "containerResource" ? { container: of["container"] } : {}) })] as const;
  });
  return { type: metric["type"], ...Object.fromEntries(sources) };
}

function targetType(source: Source, target: Json): string {
  if (isResource(source)) return isSet(target["averageUtilization"]) ? "Utilization" : "AverageValue";
  const average = source === "object" ? isSet(target["averageValue"]) : source === "pods" || !isSet(target["value"]);
  return average ? "AverageValue" : "Value";
}

function metricToV2(metric: Json, current: boolean): Json {
  const sources = SOURCES.filter((source) => isSet(metric[source])).map((source) => {
    const of = json(metric[source]);
    const numbers = compact(Object.fromEntries(NUMBERS[source].map(([target, now, v2]) => [v2, of[current ? now : target]])));
    const { value, ...others } = numbers;
    // An average target leaves the other one, which v1 always has, at zero.
    const values = source === "object" && isSet(numbers["averageValue"]) && value === "0" ? others : numbers;
    const named = isResource(source) ? { name: of["name"] } : { metric: compact({ name: of["metricName"], selector: of[selectorName(source)] }) };
    const whole = { ...(source === "object" ? { describedObject: of["target"] } : {}), ...named, ...(source === "containerResource" ? { container: of["container"] } : {}) };
    return [source, { ...whole, ...(current ? { current: values } : { target: { type: targetType(source, values), ...values } }) }] as const;
  });
  return { type: metric["type"], ...Object.fromEntries(sources) };
}

const isCPU = (metric: Json): boolean => metric["type"] === "Resource" && json(metric["resource"])["name"] === "cpu";
const utilization = (metric: Json | undefined, key: string): unknown => json(json(metric?.["resource"])[key])["averageUtilization"];

function withAnnotations(object: KubeObject, added: Json): KubeObject["metadata"] {
  const kept = Object.entries({ ...object.metadata.annotations, ...compact(added) }).filter(([key, value]) => typeof value === "string" && (added[key] !== undefined || ![METRICS, CURRENT, BEHAVIOR, CONDITIONS].includes(key)));
  const { annotations: _annotations, ...metadata } = object.metadata;
  return kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) as Readonly<Record<string, string>> };
}

/** autoscaling/v2 to v1. */
export function hpaToV1(object: KubeObject): KubeObject {
  const { metrics, behavior, ...spec } = json(object.spec);
  const { currentMetrics, conditions, ...status } = json(object.status);
  const all = list(metrics).map(json);
  const cpu = all.filter((metric) => isCPU(metric) && isSet(utilization(metric, "target")));
  const others = all.filter((metric) => !cpu.includes(metric)).map((metric) => metricToV1(metric, false));
  const current = list(currentMetrics).map(json);
  const text = (value: readonly unknown[]): string | undefined => (value.length === 0 ? undefined : JSON.stringify(value));
  const added = {
    [METRICS ?? ""]: text(others), [CURRENT ?? ""]: text(current.map((metric) => metricToV1(metric, true))), [CONDITIONS ?? ""]: text(list(conditions)),
    [BEHAVIOR ?? ""]: isSet(behavior) ? JSON.stringify(internalForm(behavior, "HorizontalPodAutoscalerBehavior")) : undefined,
  };
  return {
    ...object, apiVersion: "autoscaling/v1", metadata: withAnnotations(object, added), spec: compact({ ...spec, targetCPUUtilizationPercentage: utilization(cpu.at(-1), "target") }),
    ...(object.status === undefined ? {} : { status: compact({ ...status, currentCPUUtilizationPercentage: utilization(current.find(isCPU), "current") }) }),
  };
}

/** Internal types have upper-case JSON names; reading them does not care about case. */
function lowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCase);
  return isJson(value) ? Object.fromEntries(Object.entries(value).filter(([, v]) => isSet(v)).map(([key, v]) => [`${key.slice(0, 1).toLowerCase()}${key.slice(1)}`, lowerCase(v)])) : value;
}

function parsed(object: KubeObject, key: string | undefined): unknown {
  try {
    return JSON.parse(object.metadata.annotations?.[key ?? ""] ?? "null");
  } catch {
    // Upstream ignores what it cannot read.
    return null;
  }
}

const cpuTarget = (averageUtilization: unknown): Json => ({ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } });

/** autoscaling/v1 to v2; without any target the CPU gets one. */
export function hpaToV2(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage, ...spec } = json(object.spec);
  const { currentCPUUtilizationPercentage: _current, ...status } = json(object.status);
  const metrics = [...list(parsed(object, METRICS)).map((metric) => metricToV2(json(metric), false)), ...(isSet(targetCPUUtilizationPercentage) ? [cpuTarget(targetCPUUtilizationPercentage)] : [])];
  const behavior = lowerCase(parsed(object, BEHAVIOR));
  const current = list(parsed(object, CURRENT)).map((metric) => metricToV2(json(metric), true));
  const conditions = list(parsed(object, CONDITIONS));
  return {
    ...object, apiVersion: "autoscaling/v2", metadata: withAnnotations(object, {}), spec: { ...spec, metrics: metrics.length === 0 ? [cpuTarget(DEFAULT_UTILIZATION)] : metrics, ...(isJson(behavior) ? { behavior } : {}) },
    ...(object.status === undefined ? {} : { status: { ...status, ...(current.length === 0 ? {} : { currentMetrics: current }), ...(conditions.length === 0 ? {} : { conditions }) } }),
  };
}
