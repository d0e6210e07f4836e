// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go and the small helpers of pkg/apis/core/validation
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, isValidPortName, isValidPortNum } from "../names.ts";
import type { IntOrString, KubeObject, LabelSelector } from "../types.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Labels = Readonly<Record<string, string>>;

export const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const json = (value: unknown): Json => (isJson(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
export const isSet = (value: unknown): boolean => value !== undefined && value !== null;
/** The whole object as plain data: for the kinds whose fields stand beside the metadata. */
export const root = (object: KubeObject): Json => object as unknown as Json;
export const spec = (object: KubeObject): Json => json(object.spec);

type Check = (value: string) => readonly string[];

/** The errors of each item of a list of objects; `check` gets the item's own path. */
export const each = (value: unknown, path: string, check: (item: Json, path: string, i: number) => readonly FieldError[]): FieldError[] => list(value).flatMap((item, i) => check(json(item), `${path}[${i}]`, i));
/** The same for a list of texts. */
export const eachText = (value: unknown, path: string, check: (item: string, path: string, i: number) => readonly FieldError[]): FieldError[] => list(value).flatMap((item, i) => check(text(item), `${path}[${i}]`, i));

/** A text that has to be there and pass the check. */
export const named = (value: unknown, path: string, check: Check, detail = ""): FieldError[] => (text(value) === "" ? [required(path, detail)] : invalidEach(path, value, check(text(value))));
/** A text that has to pass the check when it is there. */
export const named0 = (value: unknown, path: string, check: Check): FieldError[] => (text(value) === "" ? [] : invalidEach(path, value, check(text(value))));

/** One of the supported values, which stand in the order upstream prints them. */
export function oneOf(value: unknown, path: string, supported: readonly string[], detail = ""): FieldError[] {
  if (text(value) === "") return [required(path, detail)];
  return supported.includes(text(value)) ? [] : [notSupported(path, value, supported)];
}
/** The same for a pointer: fine when it is not set, refused when empty. */
export const oneOf0 = (value: unknown, path: string, supported: readonly string[]): FieldError[] => (!isSet(value) || supported.includes(text(value)) ? [] : [notSupported(path, value, supported)]);

/** Fields of a struct that must not be empty. */
export const requireFields = (source: Json, path: string, names: readonly string[]): FieldError[] =>
  names.flatMap((name) => (!source[name] || (Array.isArray(source[name]) && source[name].length === 0) ? [required(`${path}.${name}`)] : []));

/** Fields of a struct that must not be negative. */
export const nonnegatives = (source: Json, path: string, names: readonly string[]): FieldError[] => names.flatMap((name) => validateNonnegative(number(source[name]), `${path}.${name}`));

/** Says whether a key was seen before. */
export function seenBefore(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

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

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/**
 * A requirement of a label or node selector. Node selectors know two operators more (`numeric`), and those of preferred
 * terms may have values that no label can have.
 */
export function validateRequirement(requirement: Requirement, path: string, numeric = false, checkValues = true): FieldError[] {
  const errors: FieldError[] = [];
  const { operator, values = [] } = requirement;
  const at = `${path}.values`;
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) errors.push(forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (numeric && (operator === "Gt" || operator === "Lt")) {
    if (values.length !== 1) errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else errors.push(invalid(`${path}.operator`, operator, "not a valid selector operator"));
  errors.push(...validateLabelName(requirement.key, `${path}.key`));
  if (checkValues) for (const [i, value] of values.entries()) errors.push(...invalidEach(`${at}[${i}]`, value, isValidLabelValue(value)));
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
