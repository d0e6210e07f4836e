// Models validatePodFailurePolicy and validateSuccessPolicy of kubernetes/pkg/apis/batch/validation/validation.go
import { duplicate, type FieldError, invalid, invalidEach, invalidOmitted, notSupported, required, tooLong, tooMany } from "../field-error.ts";
import { isQualifiedName } from "../names.ts";
import { each, isSet, type Json, json, list, number, oneOf, text, validateNonnegative } from "./helpers.ts";

const MAX_RULES = 20;
const MAX_PATTERNS = 20;
const MAX_EXIT_CODES = 255;
const MAX_INDEXES = 65_536;
const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

/** A list of values as Go's %q prints it. */
const quoted = (values: readonly string[]): string => `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
const oneOfQuoted = (value: unknown, path: string, values: readonly string[]): FieldError[] => oneOf(value, path, values, quoted(values));

function validateExitCodes(requirement: Json, names: ReadonlySet<string>, at: string): FieldError[] {
  const { operator, containerName } = requirement;
  const values = list(requirement["values"]) as readonly number[];
  const errors = oneOfQuoted(operator, `${at}.operator`, ["In", "NotIn"]);
  const path = `${at}.values`;
  if (isSet(containerName) && !names.has(text(containerName))) errors.push(invalid(`${at}.containerName`, containerName, "must be one of the container or initContainer names in the pod template"));
  if (values.length === 0) errors.push(invalid(path, requirement["values"] ?? null, "at least one value is required"));
  else if (values.length > MAX_EXIT_CODES) errors.push(tooMany(path, values.length, MAX_EXIT_CODES));
  for (const [i, value] of values.entries()) {
    if (operator === "In" && value === 0) errors.push(invalid(`${path}[${i}]`, value, "must not be 0 for the In operator"));
    if (values.indexOf(value) < i) errors.push(duplicate(`${path}[${i}]`, value));
  }
  return values.some((value, i) => i > 0 && (values[i - 1] ?? 0) > value) ? [...errors, invalid(path, values, "must be ordered")] : errors;
}

function validateConditions(patterns: readonly unknown[], at: string): FieldError[] {
  return [
    ...(patterns.length > MAX_PATTERNS ? [tooMany(at, patterns.length, MAX_PATTERNS)] : []),
    ...each(patterns, at, ({ type, status }, path) => [...invalidEach(`${path}.type`, type, isQualifiedName(text(type))), ...oneOfQuoted(status, `${path}.status`, ["False", "True", "Unknown"])]),
  ];
}

function validateFailureRule(rule: Json, spec: Json, names: ReadonlySet<string>, at: string): FieldError[] {
  const { action, onExitCodes } = rule;
  const conditions = list(rule["onPodConditions"]);
  const errors: FieldError[] = [];
  if (action === "FailIndex") {
    if (!isSet(spec["backoffLimitPerIndex"])) errors.push(invalid(`${at}.action`, action, "requires the backoffLimitPerIndex to be set"));
  } else errors.push(...oneOfQuoted(action, `${at}.action`, ACTIONS));
  if (isSet(onExitCodes)) errors.push(...validateExitCodes(json(onExitCodes), names, `${at}.onExitCodes`));
  if (conditions.length > 0) errors.push(...validateConditions(conditions, `${at}.onPodConditions`));
  if (isSet(onExitCodes) && conditions.length > 0) errors.push(invalidOmitted(at, "specifying both OnExitCodes and OnPodConditions is not supported"));
  if (!isSet(onExitCodes) && conditions.length === 0) errors.push(invalidOmitted(at, "specifying one of OnExitCodes and OnPodConditions is required"));
  return errors;
}

export function validatePodFailurePolicy(spec: Json, path: string): FieldError[] {
  const rules = list(json(spec["podFailurePolicy"])["rules"]);
  const podSpec = json(json(spec["template"])["spec"]);
  const names = new Set([...list(podSpec["containers"]), ...list(podSpec["initContainers"])].map((container) => text(json(container)["name"])));
  return [...(rules.length > MAX_RULES ? [tooMany(`${path}.rules`, rules.length, MAX_RULES)] : []), ...each(rules, `${path}.rules`, (rule, at) => validateFailureRule(rule, spec, names, at))];
}

const ATOI = /^[+-]?\d+$/;

function parseInterval(interval: string, completions: number): readonly [number, number] | string {
  const parts = interval.split("-");
  if (parts.length > 2) return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const bad = parts.find((part) => !ATOI.test(part) || Number(part) >= completions);
  if (bad !== undefined) return ATOI.test(bad) ? `too large index: ${JSON.stringify(bad)}` : `cannot convert string to integer for index: ${JSON.stringify(bad)}`;
  const [from = 0, to = from] = parts.map(Number);
  return parts.length > 1 && from >= to ? `non-increasing order, previous: ${from}, current: ${to}` : [from, to];
}

/** "1,3-5": how many indexes that is, or what is wrong. */
export function parseIndexes(indexes: string, completions: number): number | string {
  if (indexes === "") return 0;
  let last: number | undefined;
  let total = 0;
  for (const interval of indexes.split(",")) {
    const range = parseInterval(interval, completions);
    if (typeof range === "string") return range;
    if (last !== undefined && last >= range[0]) return `non-increasing order, previous: ${last}, current: ${range[0]}`;
    total += range[1] - range[0] + 1;
    last = range[1];
  }
  return total;
}

/** The first index that is both completed and failed. */
export function overlap(completed: string, failed: string, completions: number): number | undefined {
  const ranges = (indexes: string): readonly (readonly [number, number])[] => (indexes === "" ? [] : indexes.split(",").map((interval) => parseInterval(interval, completions)).filter((range) => typeof range !== "string"));
  const starts = ranges(completed).flatMap(([cx, cy]) => ranges(failed).flatMap(([fx, fy]) => (cx <= fy && fx <= cy ? [Math.max(cx, fx)] : [])));
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function validateSuccessRule(rule: Json, completions: number, at: string): FieldError[] {
  const count = number(rule["succeededCount"]);
  const { succeededIndexes } = rule;
  if (count === undefined && !isSet(succeededIndexes)) return [required(at, "at least one of succeededCount or succeededIndexes must be specified")];
  const errors: FieldError[] = [];
  const path = `${at}.succeededIndexes`;
  const total = isSet(succeededIndexes) ? parseIndexes(text(succeededIndexes), completions) : 0;
  if (text(succeededIndexes).length > MAX_INDEXES) errors.push(tooLong(path, MAX_INDEXES));
  if (typeof total === "string") errors.push(invalid(path, succeededIndexes, `error parsing succeededIndexes: ${total}`));
  if (count === undefined) return errors;
  const most = (limit: number, what: string): FieldError => invalid(`${at}.succeededCount`, count, `must be less than or equal to ${limit} (${what})`);
  errors.push(...validateNonnegative(count, `${at}.succeededCount`));
  if (count > completions) errors.push(most(completions, "the number of specified completions"));
  const indexes = typeof total === "string" ? 0 : total;
  return isSet(succeededIndexes) && count > indexes ? [...errors, most(indexes, "the number of indexes in the specified succeededIndexes field")] : errors;
}

export function validateSuccessPolicy(spec: Json, path: string): FieldError[] {
  const rules = list(json(spec["successPolicy"])["rules"]);
  return [
    ...(rules.length === 0 ? [required(`${path}.rules`, "at least one rules must be specified when the successPolicy is specified")] : []),
    ...(rules.length > MAX_RULES ? [tooMany(`${path}.rules`, rules.length, MAX_RULES)] : []), ...each(rules, `${path}.rules`, (rule, at) => validateSuccessRule(rule, number(spec["completions"]) ?? 0, at)),
  ];
}

/** With a failure policy, a Pod is only replaced once it has failed. */
export function validatePodReplacementPolicy(spec: Json, path: string): FieldError[] {
  const policy = spec["podReplacementPolicy"];
  const allowed = isSet(spec["podFailurePolicy"]) ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return isSet(policy) && !allowed.includes(text(policy)) ? [notSupported(path, policy, allowed)] : [];
}
