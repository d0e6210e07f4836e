// Models validateJobStatus and ValidateJobStatusUpdate of kubernetes/pkg/apis/batch/validation and getStatusValidationOptions of pkg/registry/batch/job/strategy.go
import { duplicate, type FieldError, invalid, invalidOmitted, required } from "../field-error.ts";
import type { KubeObject } from "../types.ts";
import { eachText, isSet, type Json, json, list, nonnegatives, number, seenBefore, semanticEqual, spec, text } from "./helpers.ts";
import { overlap, parseIndexes } from "./job-policies.ts";

interface View {
  readonly spec: Json;
  readonly status: Json;
  readonly is: (type: string) => boolean;
  readonly finished: boolean;
}

function view(job: KubeObject): View {
  const status = json(job.status);
  const is = (type: string): boolean => list(status["conditions"]).some((entry) => json(entry)["type"] === type && json(entry)["status"] === "True");
  return { spec: spec(job), status, is, finished: is("Complete") || is("Failed") };
}

/** Rules that only look at the new status. Each holds only when what it looks at has changed: what is stored may stay. */
function validateConditions(now: View, changed: (...types: string[]) => boolean): FieldError[] {
  const errors: FieldError[] = [];
  const no = (detail: string): number => errors.push(invalidOmitted("status.conditions", detail));
  const { is } = now;
  if (changed("Complete", "Failed") && is("Complete") && is("Failed")) no("cannot set Complete=True and Failed=true conditions");
  if (changed("Complete", "FailureTarget") && is("Complete") && is("FailureTarget")) no("cannot set Complete=True and FailureTarget=true conditions");
  return errors;
}

function validateTimes(now: View, before: View, changed: (...types: string[]) => boolean): FieldError[] {
  const { status, is } = now;
  const { completionTime, startTime } = status;
  const completion = changed("Complete") || completionTime !== before.status["completionTime"];
  const errors: FieldError[] = [];
  if (completion && isSet(completionTime) && !is("Complete")) errors.push(invalid("status.completionTime", completionTime, "cannot set completionTime when there is no Complete=True condition"));
  if (completion && !isSet(completionTime) && is("Complete")) errors.push(required("status.completionTime", "completionTime is required for Complete jobs"));
  const moved = startTime !== before.status["startTime"] || completionTime !== before.status["completionTime"];
  if (moved && isSet(startTime) && isSet(completionTime) && text(completionTime) < text(startTime)) errors.push(invalid("status.completionTime", completionTime, "must be equal to or after `startTime`"));
  return errors;
}

function validateFinished(now: View, before: View): FieldError[] {
  const { status } = now;
  const ended = now.finished !== before.finished;
  const touched = (key: string): boolean => ended || !semanticEqual(status[key], before.status[key]);
  const errors: FieldError[] = [];
  if (!now.finished) return errors;
  const active = number(status["active"]) ?? 0;
  const empty = now.spec["suspend"] === true && now.spec["completions"] === 0;
  const uncounted = json(status["uncountedTerminatedPods"]);
  if (touched("active") && active > 0) errors.push(invalid("status.active", active, "active>0 is invalid for finished job"));
  if (touched("startTime") && !empty && !isSet(status["startTime"])) errors.push(required("status.startTime", "startTime is required for finished job"));
  if (touched("uncountedTerminatedPods") && list(uncounted["failed"]).length + list(uncounted["succeeded"]).length > 0) {
    errors.push(invalid("status.uncountedTerminatedPods", { Succeeded: uncounted["succeeded"] ?? null, Failed: uncounted["failed"] ?? null }, "must be empty for finished job"));
  }
  return errors;
}

function validateIndexes(now: View, before: View): FieldError[] {
  const { status } = now;
  const errors: FieldError[] = [];
  const completions = number(now.spec["completions"]);
  const completed = text(status["completedIndexes"]);
  const failed = status["failedIndexes"];
  const [completedChanged, failedChanged] = ["completedIndexes", "failedIndexes"].map((key) => (status[key] ?? undefined) !== (before.status[key] ?? undefined));
  const perIndex = isSet(now.spec["backoffLimitPerIndex"]);
  const parse = (key: string, value: string): void => {
    const result = parseIndexes(value, completions ?? 0);
    if (typeof result === "string") errors.push(invalid(`status.${key}`, value, `error parsing ${key}: ${result}`));
  };
  if (completedChanged && completions !== undefined) parse("completedIndexes", completed);
  if (failedChanged && completions !== undefined && perIndex && isSet(failed)) parse("failedIndexes", text(failed));
  if (completedChanged && completed !== "" && now.spec["completionMode"] !== "Indexed") errors.push(invalid("status.completedIndexes", completed, "cannot set non-empty completedIndexes when non-indexed completion mode"));
  if (failedChanged && !perIndex && isSet(failed)) errors.push(invalid("status.failedIndexes", failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
  const both = (completedChanged || failedChanged) && completions !== undefined && isSet(failed) ? overlap(completed, text(failed), completions) : undefined;
  return both === undefined ? errors : [...errors, invalid("status.failedIndexes", failed, `failedIndexes and completedIndexes overlap at index: ${both}`)];
}

function validateUpdate(now: View, before: View): FieldError[] {
  const errors: FieldError[] = [];
  const { status } = now;
  for (const type of ["Failed", "Complete", "FailureTarget"]) if (before.is(type) && !now.is(type)) errors.push(invalidOmitted("status.conditions", `cannot disable the terminal ${type}=True condition`));
  const indexed = now.spec["completionMode"] === "Indexed";
  for (const key of ["failed", "succeeded"]) {
    // An indexed Job that shrinks may count fewer successes.
    if (key === "succeeded" && indexed && semanticEqual(now.spec["completions"], now.spec["parallelism"])) continue;
    const value = number(status[key]) ?? 0;
    if (value < (number(before.status[key]) ?? 0)) errors.push(invalid(`status.${key}`, value, `cannot decrease the ${key} counter`));
  }
  const { completionTime, startTime } = status;
  if (isSet(completionTime) && isSet(before.status["completionTime"]) && completionTime !== before.status["completionTime"]) errors.push(invalid("status.completionTime", completionTime, "field is immutable"));
  const suspended = (of: View, value: string): boolean => list(of.status["conditions"]).some((entry) => json(entry)["type"] === "Suspended" && json(entry)["status"] === value);
  const resuming = suspended(before, "True") && suspended(now, "False");
  const started = isSet(before.status["startTime"]) && startTime !== before.status["startTime"] && !resuming && now.spec["suspend"] !== true;
  if (started) errors.push(invalid("status.startTime", startTime ?? null, "field is immutable for unsuspended job once set"));
  if (before.is("SuccessCriteriaMet") && !now.is("SuccessCriteriaMet")) errors.push(invalidOmitted("status.conditions", "cannot disable the SuccessCriteriaMet=True condition"));
  if (before.is("Complete") && !before.is("SuccessCriteriaMet") && now.is("SuccessCriteriaMet")) errors.push(invalidOmitted("status.conditions", "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"));
  return errors;
}

/** A status as only a Job controller may write it. */
export function validateJobStatus(job: KubeObject, old: KubeObject): FieldError[] {
  const now = view(job);
  const before = view(old);
  const { status, is } = now;
  const changed = (...types: string[]): boolean => types.some((type) => now.is(type) !== before.is(type));
  const seen = seenBefore();
  const uncounted = json(status["uncountedTerminatedPods"]);
  const pods = ["succeeded", "failed"].flatMap((key) => eachText(uncounted[key], `status.uncountedTerminatedPods.${key}`, (uid, at) => (uid === "" ? [invalid(at, uid, "must not be empty")] : seen(uid) ? [duplicate(at, uid)] : [])));
  const errors = [...nonnegatives(status, "status", ["active", "succeeded", "failed", "ready", "terminating"]), ...pods, ...validateConditions(now, changed), ...validateTimes(now, before, changed)];
  const no = (detail: string): number => errors.push(invalidOmitted("status.conditions", detail));
  if ((changed("Failed") || status["failedIndexes"] !== before.status["failedIndexes"]) && is("Failed") && !is("FailureTarget")) no("cannot set Failed=True condition without the FailureTarget=true condition");
  if (changed("Complete", "SuccessCriteriaMet") && is("Complete") && !is("SuccessCriteriaMet")) no("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  errors.push(...validateFinished(now, before), ...validateIndexes(now, before));
  const terminating = number(status["terminating"]) ?? 0;
  const ready = number(status["ready"]) ?? 0;
  if (now.finished && terminating > 0 && (!before.finished || terminating !== before.status["terminating"])) errors.push(invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
  if (ready > (number(status["active"]) ?? 0) && ["ready", "active"].some((key) => status[key] !== before.status[key])) errors.push(invalid("status.ready", ready, "cannot set more ready pods than active"));
  if (is("SuccessCriteriaMet") && is("Failed")) no("cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (is("SuccessCriteriaMet") && is("FailureTarget")) no("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  if (isSet(now.spec["successPolicy"]) && !is("SuccessCriteriaMet") && is("Complete")) no("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  return [...errors, ...validateUpdate(now, before)];
}
