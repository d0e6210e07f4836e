// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go and the small helpers of pkg/apis/core/validation
import { type FieldError, forbidden, invalid, invalidEach, required } from "../field-error.ts";
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, isValidPortName, isValidPortNum } from "../names.ts";
import type { IntOrString, LabelSelector } from "../types.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Labels = Readonly<Record<string, string>>;

export const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const json = (value: unknown): Json => (isJson(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Go maps are walked in random order; sorted keys make the list of errors repeatable. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | undefined): [string, T][] => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

export const validateDNS1123Label = (value: string, path: string): FieldError[] => invalidEach(path, value, isDNS1123Label(value));
export const validateDNS1123Subdomain = (value: string, path: string): FieldError[] => invalidEach(path, value, isDNS1123Subdomain(value));
export const validateQualifiedName = (value: string, path: string): FieldError[] => invalidEach(path, value, isQualifiedName(value));
export const validateLabelName = validateQualifiedName;

/** Labels without errors, by identity: most writes leave them as they are. */
const validLabels = new WeakSet<object>();

export function validateLabels(labels: Labels | undefined, path: string): FieldError[] {
  if (labels === undefined || labels === null || validLabels.has(labels)) return [];
  const errors = sortedEntries(labels).flatMap(([key, value]) => [...validateLabelName(key, path), ...invalidEach(path, value, isValidLabelValue(value))]);
  if (errors.length === 0) validLabels.add(labels);
  return errors;
}

function validateRequirement(requirement: { readonly key: string; readonly operator: string; readonly values?: readonly string[] }, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case "In":
    case "NotIn":
      if (values.length === 0) errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    default:
      errors.push(invalid(`${path}.operator`, requirement.operator, "not a valid selector operator"));
  }
  errors.push(...validateLabelName(requirement.key, `${path}.key`));
  for (const [i, value] of values.entries()) errors.push(...invalidEach(`${path}.values[${i}]`, value, isValidLabelValue(value)));
  return errors;
}

export function validateLabelSelector(selector: LabelSelector | undefined, path: string): FieldError[] {
  if (!selector) return [];
  return [...validateLabels(selector.matchLabels, `${path}.matchLabels`), ...(selector.matchExpressions ?? []).flatMap((r, i) => validateRequirement(r, `${path}.matchExpressions[${i}]`))];
}

export const isEmptyLabelSelector = (selector: LabelSelector | undefined): boolean =>
  selector !== undefined && Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;

export const validateNonnegative = (value: number | undefined, path: string): FieldError[] => ((value ?? 0) < 0 ? [invalid(path, value, "must be greater than or equal to 0")] : []);
export const validatePositive = (value: number, path: string): FieldError[] => (value <= 0 ? [invalid(path, value, "must be greater than zero")] : []);

export function validatePortNumOrName(port: IntOrString, path: string): FieldError[] {
  return typeof port === "number" ? invalidEach(path, port, isValidPortNum(port)) : invalidEach(path, port, isValidPortName(port));
}

/** apiequality.Semantic.DeepEqual on plain data: unset and empty lists, maps and pointers count as equal. */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const empty = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  if (empty(a) || empty(b)) return empty(a) && empty(b);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => semanticEqual(item, b[i]));
  if (!isJson(a) || !isJson(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => semanticEqual(a[key], b[key]));
}

export const validateImmutable = (value: unknown, old: unknown, path: string): FieldError[] => (semanticEqual(value, old) ? [] : [invalid(path, value, "field is immutable")]);
