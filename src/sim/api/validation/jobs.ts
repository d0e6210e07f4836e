// Models kubernetes/pkg/apis/batch/validation/validation.go
import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { isDNS1123Label } from "../names.ts";
import { internalPodSpec } from "../internal-form.ts";
import { labelSelectorAsSelector, matches } from "../labels.ts";
import type { KubeObject, LabelSelector, PodSpec, PodTemplateSpec } from "../types.ts";
import { cronScheduleError } from "./cron-schedule.ts";
import { type Json, json, semanticEqual, text, validateImmutable, validateLabelSelector, validateNonnegative } from "./helpers.ts";
import { validatePodTemplateSpec } from "./pod.ts";
import type { SecurityOptions } from "./security-context.ts";

const MAX_PARALLELISM_INDEXED = 100_000;
const MAX_CRON_JOB_NAME = 52;

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const template = (spec: Json): PodTemplateSpec => {
  const t = json(spec["template"]);
  return { ...t, spec: json(t["spec"]) as unknown as PodSpec } as PodTemplateSpec;
};

function validateCompletionMode(spec: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const mode = spec["completionMode"];
  if (mode !== undefined && mode !== "NonIndexed" && mode !== "Indexed") errors.push(notSupported(`${path}.completionMode`, mode, ["NonIndexed", "Indexed"]));
  if (mode === "Indexed") {
    if (spec["completions"] === undefined) errors.push(required(`${path}.completions`, "when completion mode is Indexed"));
    const parallelism = number(spec["parallelism"]);
    if (parallelism !== undefined && parallelism > MAX_PARALLELISM_INDEXED) errors.push(invalid(`${path}.parallelism`, parallelism, `must be less than or equal to ${MAX_PARALLELISM_INDEXED} when completion mode is Indexed`));
    const failed = number(spec["maxFailedIndexes"]);
    if (failed !== undefined && failed > (number(spec["completions"]) ?? failed)) errors.push(invalid(`${path}.maxFailedIndexes`, failed, "must be less than or equal to completions"));
    return errors;
  }
  for (const key of ["backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"]) if (spec[key] !== undefined && key !== "successPolicy") errors.push(invalid(`${path}.${key}`, spec[key], "requires indexed completion mode"));
  if (spec["successPolicy"] !== undefined) errors.push(invalid(`${path}.successPolicy`, spec["successPolicy"], "requires indexed completion mode"));
  return errors;
}

/** Simplified: upstream also checks the rules of podFailurePolicy and successPolicy. */
function validateSpec(spec: Json, path: string, security: SecurityOptions): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"]) errors.push(...validateNonnegative(number(spec[key]), `${path}.${key}`));
  if (spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined) errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  errors.push(...validateCompletionMode(spec, path));
  const replacement = spec["podReplacementPolicy"];
  const allowed = spec["podFailurePolicy"] === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  if (replacement !== undefined && !allowed.includes(text(replacement))) errors.push(notSupported(`${path}.podReplacementPolicy`, replacement, allowed));
  const of = template(spec);
  errors.push(...validatePodTemplateSpec(of, `${path}.template`, security));
  const policy = of.spec.restartPolicy ?? "";
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === "Always" || policy === "") errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== "OnFailure" && policy !== "Never") errors.push(notSupported(at, policy, ["OnFailure", "Never"]));
  else if (spec["podFailurePolicy"] !== undefined && policy !== "Never") errors.push(invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  return errors;
}

export function validateJobSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const errors = validateSpec(spec, "spec", security);
  const selector = spec["selector"] as LabelSelector | undefined;
  if (!selector) errors.push(required("spec.selector"));
  else errors.push(...validateLabelSelector(selector, "spec.selector"));
  const requirements = labelSelectorAsSelector(selector);
  const labels = template(spec).metadata?.labels;
  if (typeof requirements !== "string" && !matches(requirements, labels)) errors.push(invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
  const completions = number(spec["completions"]) ?? 0;
  if (spec["completionMode"] === "Indexed" && completions > 0) {
    const hostname = `${object.metadata.name ?? ""}-${completions - 1}`;
    if (isDNS1123Label(hostname).length > 0) errors.push(invalid("metadata.name", object.metadata.name, `will not able to create pod with invalid DNS label: ${hostname}`));
  }
  return errors;
}

export function validateJobSpecUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const before = json(old.spec);
  const keys = ["completions", "selector", "template", "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"];
  // A suspended Job that has not started may still be given another template and, when indexed, another size.
  const free = before["suspend"] === true ? ["template"] : [];
  if (spec["completionMode"] === "Indexed" && spec["completions"] === spec["parallelism"]) free.push("completions");
  return keys.filter((key) => !free.includes(key)).flatMap((key) => {
    if (key !== "template") return validateImmutable(spec[key], before[key], `spec.${key}`);
    const { metadata, spec: podSpec } = template(spec);
    return semanticEqual(spec[key], before[key]) ? [] : [invalid("spec.template", { ...metadata, Spec: internalPodSpec(podSpec) }, "field is immutable")];
  });
}

export function validateCronJobSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const errors: FieldError[] = [];
  const schedule = text(spec["schedule"]);
  if (schedule === "") errors.push(required("spec.schedule"));
  else {
    const error = cronScheduleError(schedule);
    if (error !== undefined) errors.push(invalid("spec.schedule", schedule, error));
    if (schedule.includes("TZ")) errors.push(invalid("spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  }
  errors.push(...validateNonnegative(number(spec["startingDeadlineSeconds"]), "spec.startingDeadlineSeconds"));
  const policy = text(spec["concurrencyPolicy"]);
  if (policy === "") errors.push(required("spec.concurrencyPolicy"));
  else if (!["Allow", "Forbid", "Replace"].includes(policy)) errors.push(notSupported("spec.concurrencyPolicy", policy, ["Allow", "Forbid", "Replace"]));
  const jobSpec = json(json(spec["jobTemplate"])["spec"]);
  errors.push(...validateSpec(jobSpec, "spec.jobTemplate.spec", security));
  if (jobSpec["selector"] !== undefined) errors.push(invalid("spec.jobTemplate.spec.selector", jobSpec["selector"], "`selector` will be auto-generated"));
  if (jobSpec["manualSelector"] === true) errors.push(notSupported("spec.jobTemplate.spec.manualSelector", true, ["nil", "false"]));
  errors.push(...validateNonnegative(number(spec["successfulJobsHistoryLimit"]), "spec.successfulJobsHistoryLimit"), ...validateNonnegative(number(spec["failedJobsHistoryLimit"]), "spec.failedJobsHistoryLimit"));
  if ((object.metadata.name ?? "").length > MAX_CRON_JOB_NAME) errors.push(invalid("metadata.name", object.metadata.name, "must be no more than 52 characters"));
  return errors;
}
