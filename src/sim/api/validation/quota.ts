// Models ValidateLimitRange and ValidateResourceQuota* of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, required } from "../field-error.ts";
import { internalForm } from "../internal-form.ts";
import { isQualifiedName } from "../names.ts";
import { canonicalQuantity, compareQuantity, milliValue, value } from "../quantity.ts";
import type { KubeObject, Quantity, ResourceList } from "../types.ts";
import { each, isSet, type Json, json, list, seenBefore, sortedEntries, spec, text } from "./helpers.ts";
import { isOvercommitAllowed, isStandardQuotaResourceName, validateContainerResourceName, validateResourceName, validateResourceQuantityValue } from "./resources.ts";

type Amounts = (key: string) => ResourceList;

/** Above this, thousandths would not fit into 64 bits. */
const MAX_MILLI_VALUE = 2 ** 63 / 1000;

function validateRatio(name: string, amounts: Amounts, at: string): FieldError[] {
  const [min, max, ratio] = ["min", "max", "maxLimitRequestRatio"].map((key) => amounts(key)[name]);
  if (ratio === undefined) return [];
  const path = `${at}.maxLimitRequestRatio[${name}]`;
  const shown = canonicalQuantity(ratio);
  const errors = compareQuantity(ratio, "1") < 0 ? [invalid(path, shown, `ratio ${shown} is less than 1`)] : [];
  if (min === undefined || max === undefined) return errors;
  const fine = [ratio, min, max].every((q) => value(q) < MAX_MILLI_VALUE);
  const limit = fine ? milliValue(max) / milliValue(min) : value(max) / value(min);
  const wanted = fine ? milliValue(ratio) / 1000 : value(ratio);
  const printed = Number.isFinite(limit) ? limit.toFixed(6) : "+Inf";
  return wanted > limit ? [...errors, invalid(path, shown, `ratio ${shown} is greater than max/min = ${printed}`)] : errors;
}

/** min <= default request <= default limit <= max. What is quoted is not always what is wrong. */
function validateLimitOrder(name: string, amounts: Amounts, at: string): FieldError[] {
  const [min, max, limit, request] = ["min", "max", "default", "defaultRequest"].map((key) => amounts(key)[name]);
  const above = (a: Quantity | undefined, b: Quantity | undefined, key: string, quoted: Quantity | undefined, words: readonly [string, string]): FieldError[] =>
    a !== undefined && b !== undefined && compareQuantity(a, b) > 0
      ? [invalid(`${at}.${key}[${name}]`, canonicalQuantity(quoted ?? 0), `${words[0]} value ${canonicalQuantity(a)} is greater than ${words[1]} value ${canonicalQuantity(b)}`)] : [];
  const errors = [
    ...above(min, max, "min", min, ["min", "max"]),
    ...above(min, request, "defaultRequest", request, ["min", "default request"]), ...above(request, max, "defaultRequest", request, ["default request", "max"]), ...above(request, limit, "defaultRequest", request, ["default request", "default limit"]),
    ...above(min, limit, "default", min, ["min", "default"]), ...above(limit, max, "default", max, ["default", "max"]),
    ...validateRatio(name, amounts, at),
  ];
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined || compareQuantity(limit, request) === 0) return errors;
  return [...errors, invalid(`${at}.defaultRequest[${name}]`, canonicalQuantity(request), `default value ${canonicalQuantity(limit)} must equal to defaultRequest value ${canonicalQuantity(request)} in ${name}`)];
}

function validateLimitItem(item: Json, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const pod = item["type"] === "Pod";
  const amounts: Amounts = (key) => (pod && key.startsWith("default") ? {} : (json(item[key]) as ResourceList));
  const checkName = pod || item["type"] === "Container" ? validateContainerResourceName : validateResourceName;
  const keys = new Set<string>();
  const names = (key: string): void => {
    for (const [name] of sortedEntries(amounts(key))) {
      errors.push(...checkName(name, `${at}.${key}[${name}]`));
      keys.add(name);
    }
    if (pod && key.startsWith("default") && Object.keys(json(item[key])).length > 0) errors.push(forbidden(`${at}.${key}`, "may not be specified when `type` is 'Pod'"));
  };
  for (const key of ["max", "min", "default", "defaultRequest"]) names(key);
  if (item["type"] === "PersistentVolumeClaim" && amounts("min")["storage"] === undefined && amounts("max")["storage"] === undefined) errors.push(required(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided"));
  names("maxLimitRequestRatio");
  return [...errors, ...[...keys].sort((a, b) => (a < b ? -1 : 1)).flatMap((name) => validateLimitOrder(name, amounts, at))];
}

export function validateLimitRange(object: KubeObject): FieldError[] {
  const seen = seenBefore();
  return each(spec(object)["limits"], "spec.limits", (item, at) => {
    const type = text(item["type"]);
    const path = `${at}.type`;
    const errors = invalidEach(path, type, isQualifiedName(type));
    if (errors.length === 0 && !type.includes("/") && !["Pod", "Container", "PersistentVolumeClaim"].includes(type)) errors.push(invalid(path, type, "must be a standard limit type or fully qualified"));
    if (seen(type)) errors.push(duplicate(path, type));
    return [...errors, ...validateLimitItem(item, at)];
  });
}

const COMPUTE = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
/** What each scope can restrict. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: COMPUTE, NotTerminating: COMPUTE, BestEffort: ["pods"], NotBestEffort: COMPUTE, PriorityClass: COMPUTE, CrossNamespacePodAffinity: COMPUTE, VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
const PAIRS = [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]] as const;

function validateQuotaAmounts(amounts: unknown, path: string): FieldError[] {
  return sortedEntries(json(amounts) as ResourceList).flatMap(([name, quantity]) => {
    const at = `${path}[${name}]`;
    const errors = validateResourceName(name, at);
    if (!name.includes("/") && !isStandardQuotaResourceName(name)) errors.push(invalid(at, name, "must be a standard resource for quota"));
    return [...errors, ...validateResourceQuantityValue(name, quantity, at)];
  });
}

/** Errors of one scope: unknown ones pass the check of what they apply to. */
const unfit = (scope: string, hard: readonly string[], error: FieldError): FieldError[] =>
  hard.filter((name) => isStandardQuotaResourceName(name) && SCOPES[scope] !== undefined && !SCOPES[scope].includes(name)).map(() => error);
const conflicts = (scopes: readonly string[], error: FieldError): FieldError[] => PAIRS.filter((pair) => pair.every((scope) => scopes.includes(scope))).map(() => error);

function validateScopeSelector(selector: Json, hard: readonly string[], scopes: unknown): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const requirements = list(selector["matchExpressions"]).map(json);
  const errors = requirements.flatMap((requirement): FieldError[] => {
    const scope = text(requirement["scopeName"]);
    const operator = text(requirement["operator"]);
    const values = list(requirement["values"]);
    const out = SCOPES[scope] === undefined ? [invalid(`${path}.scopeName`, scope, "unsupported scope")] : [];
    out.push(...unfit(scope, hard, invalid(path, internalForm(selector, "ScopeSelector"), "unsupported scope applied to resource")));
    if (SCOPES[scope] !== undefined && scope !== "PriorityClass" && scope !== "VolumeAttributesClass" && operator !== "Exists") {
      const names = ["Terminating", "NotTerminating", "BestEffort", "NotBestEffort"].map((name) => `ResourceQuotaScope${name}`);
      out.push(invalid(`${path}.operator`, operator, `must be 'Exists' when scope is any of ${names.join(", ")} or ResourceQuotaScopeCrossNamespacePodAffinity`));
    }
    if (operator === "In" || operator === "NotIn") return values.length > 0 ? out : [...out, required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")];
    if (operator === "Exists" || operator === "DoesNotExist") return values.length === 0 ? out : [...out, invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")];
    return [...out, invalid(`${path}.operator`, operator, "not a valid selector operator")];
  });
  return [...errors, ...conflicts(requirements.map((r) => text(r["scopeName"])), invalid(path, scopes, "conflicting scopes"))];
}

const validateQuotaStatusAmounts = (object: KubeObject): FieldError[] => ["hard", "used"].flatMap((key) => validateQuotaAmounts(json(object.status)[key], `status.${key}`));

function validateQuotaSpec(object: KubeObject): FieldError[] {
  const { hard, scopes, scopeSelector } = spec(object);
  const names = Object.keys(json(hard)).sort((a, b) => (a < b ? -1 : 1));
  const all = list(scopes).map(text);
  const errors = validateQuotaAmounts(hard, "spec.hard");
  for (const scope of all) errors.push(...(SCOPES[scope] === undefined ? [invalid("spec.scopes", scopes, "unsupported scope")] : []), ...unfit(scope, names, invalid("spec.scopes", scopes, "unsupported scope applied to resource")));
  errors.push(...conflicts(all, invalid("spec.scopes", scopes, "conflicting scopes")));
  return isSet(scopeSelector) ? [...errors, ...validateScopeSelector(json(scopeSelector), names, scopes)] : errors;
}

export const validateResourceQuota = (object: KubeObject): FieldError[] => [...validateQuotaSpec(object), ...validateQuotaStatusAmounts(object)];

export function validateResourceQuotaUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const scopes = (of: KubeObject): string => [...new Set(list(spec(of)["scopes"]).map(text))].sort((a, b) => (a < b ? -1 : 1)).join();
  return [...validateQuotaSpec(object), ...(scopes(object) === scopes(old) ? [] : [invalid("spec.scopes", spec(object)["scopes"], "field is immutable")])];
}

export const validateResourceQuotaStatus = validateQuotaStatusAmounts;
