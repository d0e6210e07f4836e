// Models kubernetes/pkg/apis/{policy,scheduling,coordination,node}/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import { internalForm } from "../internal-form.ts";
import { isDNS1123Label, isQualifiedName } from "../names.ts";
import type { IntOrString, KubeObject, LabelSelector, ResourceList, Toleration } from "../types.ts";
import { validateConditions } from "./conditions.ts";
import { isSet, json, list, type Labels, named, named0, nonnegatives, number, oneOf0, root, seenBefore, spec as specOf, text, validateImmutable, validateLabels, validateLabelSelector } from "./helpers.ts";
import { validateContainerResources } from "./resources.ts";
import { validateTolerations } from "./scheduling.ts";
import { notOver100Percent, positiveIntOrPercent } from "./workloads.ts";

const HIGHEST_USER_PRIORITY = 1_000_000_000;
const SYSTEM_PREFIX = "system-";
const SYSTEM_CLASSES: Readonly<Record<string, number>> = { "system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000 };

function systemClassError(object: KubeObject): string | undefined {
  const name = object.metadata.name ?? "";
  const known = SYSTEM_CLASSES[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== root(object)["value"]) return `value of ${name} PriorityClass must be ${known}`;
  return root(object)["globalDefault"] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function validatePriorityClass(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.metadata.name?.startsWith(SYSTEM_PREFIX)) {
    const error = systemClassError(object);
    if (error !== undefined) errors.push(forbidden("metadata.name", `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${error}`));
  } else if ((number(root(object)["value"]) ?? 0) > HIGHEST_USER_PRIORITY) errors.push(forbidden("value", `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`));
  return [...errors, ...validatePreemptionPolicy(root(object)["preemptionPolicy"], "preemptionPolicy")];
}

export function validatePreemptionPolicy(policy: unknown, path: string): FieldError[] {
  if (policy === "") return [required(path)];
  return oneOf0(policy, path, ["PreemptLowerPriority", "Never"]);
}

export const validatePriorityClassUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...((root(object)["value"] ?? 0) === (root(old)["value"] ?? 0) ? [] : [forbidden("value", "may not be changed in an update.")]), ...validateImmutable(root(object)["preemptionPolicy"], root(old)["preemptionPolicy"], "preemptionPolicy"),
];

export function validatePodDisruptionBudget(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const both = isSet(spec["minAvailable"]) && isSet(spec["maxUnavailable"]);
  const errors = both ? [invalid("spec", internalForm(spec, "PodDisruptionBudgetSpec"), "minAvailable and maxUnavailable cannot be both set")] : [];
  for (const key of ["minAvailable", "maxUnavailable"]) {
    const value = spec[key];
    if (isSet(value)) errors.push(...positiveIntOrPercent(value as IntOrString, `spec.${key}`), ...notOver100Percent(value as IntOrString, `spec.${key}`));
  }
  return [...errors, ...validateLabelSelector(spec["selector"] as LabelSelector | undefined, "spec.selector"), ...oneOf0(spec["unhealthyPodEvictionPolicy"], "spec.unhealthyPodEvictionPolicy", ["AlwaysAllow", "IfHealthyBudget"])];
}

export const validatePodDisruptionBudgetStatus = (object: KubeObject): FieldError[] => [
  ...validateConditions(json(object.status)["conditions"], "status.conditions"), ...nonnegatives(json(object.status), "status", ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"]),
];

const STRATEGY = "spec.strategy.strategy";

export function validateLease(object: KubeObject): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = specOf(object);
  const errors = [
    ...((number(leaseDurationSeconds) ?? 1) <= 0 ? [invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")] : []),
    ...((number(leaseTransitions) ?? 0) < 0 ? [invalid("spec.leaseTransitions", leaseTransitions, "must be greater than or equal to 0")] : []),
    ...(isSet(strategy) ? validateLeaseStrategy(text(strategy)) : []),
  ];
  return preferredHolder && !strategy ? [...errors, forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined")] : errors;
}

/** "OldestEmulationVersion", or one with a domain. Upstream names the field twice. */
const validateLeaseStrategy = (strategy: string): FieldError[] => (strategy.includes("/") ? named0(strategy, STRATEGY, isQualifiedName) : strategy === "OldestEmulationVersion" ? [] : [notSupported(STRATEGY, strategy, ["OldestEmulationVersion"])]);

/** A toleration may stand there once. */
function validateSchedulingTolerations(tolerations: readonly Toleration[], path: string): FieldError[] {
  const seen = seenBefore();
  const repeated = tolerations.flatMap((t, i) => {
    const shown = { Key: t.key ?? "", Operator: t.operator ?? "", Value: t.value ?? "", Effect: t.effect ?? "", TolerationSeconds: t.tolerationSeconds ?? null };
    return seen([t.key, t.operator, t.value, t.effect].map((part) => part ?? "").join(" ")) ? [duplicate(`${path}[${i}]`, shown)] : [];
  });
  return [...validateTolerations(tolerations, path), ...repeated];
}

export function validateRuntimeClass(object: KubeObject): FieldError[] {
  const { handler, overhead, scheduling } = root(object);
  const errors = named(handler, "handler", isDNS1123Label);
  if (isSet(overhead)) errors.push(...validateContainerResources({ limits: json(json(overhead)["podFixed"]) as ResourceList }, new Set(), "overhead"));
  if (!isSet(scheduling)) return errors;
  const { nodeSelector, tolerations } = json(scheduling);
  return [...errors, ...validateLabels(nodeSelector as Labels | undefined, "scheduling.nodeSelector"), ...validateSchedulingTolerations(list(tolerations) as readonly Toleration[], "scheduling.tolerations")];
}

export const validateRuntimeClassUpdate = (object: KubeObject, old: KubeObject): FieldError[] => validateImmutable(root(object)["handler"], root(old)["handler"], "handler");
