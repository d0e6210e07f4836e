// Models kubernetes/pkg/apis/autoscaling/validation/validation.go
import { hpaToV2 } from "../convert-hpa.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import { isDNS1123Label } from "../names.ts";
import { canonicalQuantity, toQuantity } from "../quantity.ts";
import type { KubeObject, Quantity } from "../types.ts";
import { each, isSet, type Json, json, list, named, nonnegatives, number, oneOf0, spec as specOf, text } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";
import { validateContainerResourceName } from "./resources.ts";

const MAX_PERIOD = 1800;
const MAX_WINDOW = 3600;
const TYPES = ["ContainerResource", "External", "Object", "Pods", "Resource"];
const SOURCES = ["object", "external", "pods", "resource", "containerResource"];

/** `rule`: whether the version may have no group, or is not looked at. */
type VersionRule = "group" | "any" | "skip";

function validateReference(ref: Json, path: string, rule: VersionRule): FieldError[] {
  const errors = [...named(ref["kind"], `${path}.kind`, pathSegmentName), ...named(ref["name"], `${path}.name`, pathSegmentName)];
  const version = text(ref["apiVersion"]);
  const slashes = version.split("/").length - 1;
  if (rule === "skip") return errors;
  if (slashes > 1) errors.push(invalid(`${path}.apiVersion`, version, `unexpected GroupVersion string: ${version}`));
  else if (rule === "group" && (slashes === 0 || version.startsWith("/"))) errors.push(invalid(`${path}.apiVersion`, version, "apiVersion must specify API group"));
  return errors;
}

function validateTarget(target: Json, path: string): FieldError[] {
  const type = text(target["type"]);
  const errors: FieldError[] = type === "" ? [required(`${path}.type`, "must specify a metric target type")] : [];
  if (!["Utilization", "Value", "AverageValue"].includes(type)) errors.push(invalid(`${path}.type`, type, "must be either Utilization, Value, or AverageValue"));
  for (const key of ["value", "averageValue"]) {
    const quantity = target[key] as Quantity | undefined;
    if (isSet(quantity) && toQuantity(quantity).nano <= 0n) errors.push(invalid(`${path}.${key}`, canonicalQuantity(quantity ?? 0), "must be positive"));
  }
  const { averageUtilization } = target;
  return (number(averageUtilization) ?? 1) < 1 ? [...errors, invalid(`${path}.averageUtilization`, averageUtilization, "must be greater than 0")] : errors;
}

function validateSource(kind: string, source: Json, path: string, rule: VersionRule): FieldError[] {
  const target = json(source["target"]);
  const [value, average, percent] = ["value", "averageValue", "averageUtilization"].map((key) => isSet(target[key]));
  const at = `${path}.target`;
  const metric = (): FieldError[] => named(json(source["metric"])["name"], `${path}.metric.name`, pathSegmentName, "must specify a metric name");
  const errors = kind === "object" ? validateReference(json(source["describedObject"]), `${path}.describedObject`, rule) : [];
  if (kind === "resource" || kind === "containerResource") {
    const name = text(source["name"]);
    if (name === "") errors.push(required(`${path}.name`, "must specify a resource name"));
    else if (kind === "containerResource") errors.push(...validateContainerResourceName(name, `${path}.name`));
    if (kind === "containerResource") errors.push(...named(source["container"], `${path}.container`, isDNS1123Label, "must specify a container"));
    errors.push(...validateTarget(target, at));
    if (!percent && !average) errors.push(required(`${at}.averageUtilization`, "must set either a target raw value or a target utilization"));
    return percent && average ? [...errors, forbidden(`${at}.averageValue`, "may not set both a target raw value and a target utilization")] : errors;
  }
  errors.push(...metric(), ...validateTarget(target, at));
  if (kind === "pods") return average ? errors : [...errors, required(`${at}.averageValue`, "must specify a positive target averageValue")];
  if (!value && !average) errors.push(required(`${at}.averageValue`, kind === "object" ? "must set either a target value or averageValue" : "must set either a target value for metric or a per-pod target"));
  return kind === "external" && value && average ? [...errors, forbidden(`${at}.value`, "may not set both a target value for metric and a per-pod target")] : errors;
}

function validateMetric(metric: Json, path: string, rule: VersionRule): FieldError[] {
  const type = text(metric["type"]);
  const known = TYPES.includes(type);
  const unknown = notSupported(`${path}.type`, type, TYPES);
  const errors = [...(type === "" ? [required(`${path}.type`, "must specify a metric source type")] : []), ...(known ? [] : [unknown])];
  const present = SOURCES.filter((key) => isSet(metric[key]));
  const [first] = present;
  if (first !== undefined) errors.push(...validateSource(first, json(metric[first]), `${path}.${first}`, rule));
  const expected = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  if (!known) errors.push(unknown);
  else if (!present.includes(expected)) errors.push(required(`${path}.${expected}`, "must populate information for the given metric source"));
  if (present.length === 1) return errors;
  return [...errors, ...present.filter((key) => !known || key !== expected).sort((a, b) => (a < b ? -1 : 1)).map((key) => forbidden(`${path}.${key}`, "must populate the given metric source only"))];
}

function validatePolicy(policy: Json, path: string): FieldError[] {
  const errors: FieldError[] = ["Percent", "Pods"].includes(text(policy["type"])) ? [] : [notSupported(`${path}.type`, text(policy["type"]), ["Percent", "Pods"])];
  for (const key of ["value", "periodSeconds"]) if ((number(policy[key]) ?? 0) <= 0) errors.push(invalid(`${path}.${key}`, policy[key] ?? 0, "must be greater than zero"));
  return (number(policy["periodSeconds"]) ?? 0) > MAX_PERIOD ? [...errors, invalid(`${path}.periodSeconds`, policy["periodSeconds"], `must be less than or equal to ${MAX_PERIOD}`)] : errors;
}

function validateRules(rules: unknown, path: string): FieldError[] {
  if (!isSet(rules)) return [];
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = json(rules);
  const window = number(stabilizationWindowSeconds) ?? 0;
  const at = `${path}.stabilizationWindowSeconds`;
  return [
    ...(window < 0 ? [invalid(at, window, "must be greater than or equal to zero")] : []), ...(window > MAX_WINDOW ? [invalid(at, window, `must be less than or equal to ${MAX_WINDOW}`)] : []),
    ...oneOf0(selectPolicy, `${path}.selectPolicy`, ["Disabled", "Max", "Min"]),
    ...(list(policies).length === 0 ? [required(`${path}.policies`, "must specify at least one Policy")] : []), ...each(policies, `${path}.policies`, validatePolicy),
    ...(isSet(tolerance) && toQuantity(tolerance as Quantity).nano < 0n ? [invalid(`${path}.tolerance`, canonicalQuantity(tolerance as Quantity), "must be greater than or equal to 0")] : []),
  ];
}

/** v1 is judged as the v2 it stands for. `old` on an update: a target that stays may have any version. */
export function validateHorizontalPodAutoscaler(object: KubeObject, old?: KubeObject): FieldError[] {
  if (object.apiVersion === "autoscaling/v1") return validateHorizontalPodAutoscaler(hpaToV2(object), old === undefined ? undefined : hpaToV2(old));
  const spec = specOf(object);
  const before = old === undefined ? {} : specOf(old);
  const min = number(spec["minReplicas"]);
  const max = number(spec["maxReplicas"]) ?? 0;
  const lowest = before["minReplicas"] === 0 ? 0 : 1;
  const errors: FieldError[] = min !== undefined && min < lowest ? [invalid("spec.minReplicas", min, `must be greater than or equal to ${lowest}`)] : [];
  if (max === 0) errors.push(required("spec.maxReplicas", "must be set and greater than 0"));
  else if (max < 0) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to 1"));
  if (min !== undefined && max < min) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  const target = json(spec["scaleTargetRef"]);
  const was = json(before["scaleTargetRef"]);
  const same = old !== undefined && ["apiVersion", "kind"].every((key) => text(target[key]) === text(was[key]));
  errors.push(...validateReference(target, "spec.scaleTargetRef", same ? "skip" : target["kind"] === "ReplicationController" ? "any" : "group"));
  const badBefore = list(before["metrics"]).some((m) => text(json(json(json(m)["object"])["describedObject"])["apiVersion"]).split("/").length > 2);
  errors.push(...each(spec["metrics"], "spec.metrics", (metric, at) => validateMetric(metric, at, badBefore ? "skip" : "any")));
  if (min === 0 && !list(spec["metrics"]).some((m) => ["Object", "External"].includes(text(json(m)["type"])))) errors.push(forbidden("spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas"));
  const behavior = json(spec["behavior"]);
  return [...errors, ...validateRules(behavior["scaleUp"], "spec.behavior.scaleUp"), ...validateRules(behavior["scaleDown"], "spec.behavior.scaleDown")];
}

export const validateHorizontalPodAutoscalerStatus = (object: KubeObject): FieldError[] => nonnegatives(json(object.status), "status", ["currentReplicas", "desiredReplicas"]);
export const validateScale = (object: KubeObject): FieldError[] => nonnegatives(specOf(object), "spec", ["replicas"]);
