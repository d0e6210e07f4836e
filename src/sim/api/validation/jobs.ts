// Models ValidateJob* and ValidateCronJob* of kubernetes/pkg/apis/batch/validation/validation.go
import { type FieldError, invalid, notSupported, required, tooLong } from "../field-error.ts";
import { internalForm, internalPodSpec } from "../internal-form.ts";
import { labelSelectorAsSelector, matches } from "../labels.ts";
import { isDNS1123Label } from "../names.ts";
import type { Container, KubeObject, LabelSelector, PodSpec, PodTemplateSpec } from "../types.ts";
import { cronScheduleError } from "./cron-schedule.ts";
import { validateDomainPrefixedPath } from "./domains.ts";
import { isSet, type Json, json, nonnegatives, number, oneOf, oneOf0, semanticEqual, spec as specOf, text, validateImmutable, validateLabelSelector } from "./helpers.ts";
import { validatePodFailurePolicy, validatePodReplacementPolicy, validateSuccessPolicy } from "./job-policies.ts";
import { validatePodTemplateSpec } from "./pod.ts";
import type { SecurityOptions } from "./security-context.ts";
import { validateTimeZone } from "./time-zone.ts";

const MAX_INDEXED = 100_000;
/** With a backoff limit per index, a Job of more than MAX_INDEXED indexes runs and fails no more than this. */
const MAX_OF_LARGE = 10_000;
const MAX_MANAGED_BY = 63;
const MAX_CRON_JOB_NAME = 52;

const template = (spec: Json): PodTemplateSpec => {
  const t = json(spec["template"]);
  return { ...t, spec: json(t["spec"]) as unknown as PodSpec } as PodTemplateSpec;
};

function validateIndexed(spec: Json, path: string): FieldError[] {
  const [completions, parallelism, failed] = ["completions", "parallelism", "maxFailedIndexes"].map((key) => number(spec[key]));
  const most = (key: string, value: number | undefined, limit: number, when = ""): FieldError[] => (value !== undefined && value > limit ? [invalid(`${path}.${key}`, value, `must be less than or equal to ${limit}${when}`)] : []);
  const errors = [
    ...(completions === undefined ? [required(`${path}.completions`, "when completion mode is Indexed")] : []),
    ...most("parallelism", parallelism, MAX_INDEXED, " when completion mode is Indexed"),
    ...(completions !== undefined && failed !== undefined && failed > completions ? [invalid(`${path}.maxFailedIndexes`, failed, "must be less than or equal to completions")] : []),
    ...most("maxFailedIndexes", failed, MAX_INDEXED),
  ];
  if ((completions ?? 0) <= MAX_INDEXED || !isSet(spec["backoffLimitPerIndex"])) return errors;
  const large = ` when completions are above ${MAX_INDEXED} and used with backoff limit per index`;
  if (failed === undefined) errors.push(required(`${path}.maxFailedIndexes`, `must be specified when completions is above ${MAX_INDEXED}`));
  return [...errors, ...most("parallelism", parallelism, MAX_OF_LARGE, large), ...most("maxFailedIndexes", failed, MAX_OF_LARGE, large)];
}

function validateCompletionMode(spec: Json, path: string): FieldError[] {
  const mode = spec["completionMode"];
  const errors = oneOf0(mode, `${path}.completionMode`, ["NonIndexed", "Indexed"]);
  if (mode === "Indexed") errors.push(...validateIndexed(spec, path));
  else if (!isSet(mode) || mode === "NonIndexed") {
    for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"]) if (isSet(spec[key])) errors.push(invalid(`${path}.${key}`, spec[key], "requires indexed completion mode"));
  }
  const { podFailurePolicy, successPolicy } = spec;
  if (isSet(podFailurePolicy)) errors.push(...validatePodFailurePolicy(spec, `${path}.podFailurePolicy`));
  if (!isSet(successPolicy)) return errors;
  const at = `${path}.successPolicy`;
  return [...errors, ...(mode === "Indexed" ? validateSuccessPolicy(spec, at) : [invalid(at, internalForm(successPolicy, "SuccessPolicy"), "requires indexed completion mode")])];
}

function validateSpec(spec: Json, path: string, security: SecurityOptions): FieldError[] {
  const errors = nonnegatives(spec, path, ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"]);
  const { maxFailedIndexes, backoffLimitPerIndex, managedBy, podFailurePolicy } = spec;
  if (isSet(maxFailedIndexes) && !isSet(backoffLimitPerIndex)) errors.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  if (isSet(managedBy)) errors.push(...validateDomainPrefixedPath(text(managedBy), `${path}.managedBy`), ...(text(managedBy).length > MAX_MANAGED_BY ? [tooLong(`${path}.managedBy`, MAX_MANAGED_BY)] : []));
  const of = template(spec);
  errors.push(...validateCompletionMode(spec, path), ...validatePodReplacementPolicy(spec, `${path}.podReplacementPolicy`), ...validatePodTemplateSpec(of, `${path}.template`, security));
  const policy = of.spec.restartPolicy ?? "";
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === "Always" || policy === "") errors.push(required(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== "OnFailure" && policy !== "Never") errors.push(notSupported(at, policy, ["OnFailure", "Never"]));
  else if (isSet(podFailurePolicy) && policy !== "Never") errors.push(invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  return errors;
}

const UID_LABELS = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];

/** A Job that does not say manualSelector selects its Pods by the labels the server gave them. */
function validateGeneratedSelector(job: KubeObject): FieldError[] {
  const spec = specOf(job);
  if (spec["manualSelector"] === true || !isSet(spec["selector"])) return [];
  const uid = job.metadata.uid ?? "";
  const name = job.metadata.name ?? "";
  const errors = uid === "" ? [required("metadata.uid")] : [];
  const labels = template(spec).metadata?.labels ?? {};
  for (const i of [0, 1]) {
    for (const [key = "", wanted = ""] of [[UID_LABELS[i], uid], [NAME_LABELS[i], name]]) {
      const path = `spec.template.metadata.labels[${key}]`;
      if (labels[key] !== wanted) errors.push(labels[key] === undefined ? required(path, `must be '${wanted}'`) : invalid(path, labels, `must be '${wanted}'`));
    }
  }
  const requirements = labelSelectorAsSelector(spec["selector"] as LabelSelector);
  const expected = Object.fromEntries([...UID_LABELS.map((key) => [key, uid]), ...NAME_LABELS.map((key) => [key, name])]);
  return typeof requirements !== "string" && !matches(requirements, expected) ? [...errors, invalid("spec.selector", spec["selector"], "`selector` not auto-generated")] : errors;
}

function validateSpecAndSelector(spec: Json, security: SecurityOptions): FieldError[] {
  const errors = validateSpec(spec, "spec", security);
  const selector = spec["selector"] as LabelSelector | undefined;
  errors.push(...(selector ? validateLabelSelector(selector, "spec.selector") : [required("spec.selector")]));
  const requirements = labelSelectorAsSelector(selector);
  const labels = template(spec).metadata?.labels;
  return typeof requirements !== "string" && !matches(requirements, labels) ? [...errors, invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")] : errors;
}

export function validateJob(job: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = specOf(job);
  const errors = [...validateGeneratedSelector(job), ...validateSpecAndSelector(spec, security)];
  const completions = number(spec["completions"]) ?? 0;
  if (spec["completionMode"] !== "Indexed" || completions <= 0) return errors;
  const hostname = `${job.metadata.name ?? ""}-${completions - 1}`;
  return isDNS1123Label(hostname).length === 0 ? errors : [...errors, invalid("metadata.name", job.metadata.name, `will not able to create pod with invalid DNS label: ${hostname}`)];
}

/** A suspended Job that has not started, or says so in its conditions, and runs no Pod: its template may be changed in part. */
function isAtRest(job: KubeObject): boolean {
  const status = json(job.status);
  const suspended = ((status["conditions"] ?? []) as readonly Json[]).some((c) => c["type"] === "Suspended" && c["status"] === "True");
  return specOf(job)["suspend"] === true && (suspended || !isSet(status["startTime"])) && (number(status["active"]) ?? 0) === 0;
}

type Template = Readonly<Record<string, unknown>> & { readonly spec: PodSpec };

/** Where the Pods go (and their labels) may change: the old template with what the new one says about that. */
function withDirectives(old: Template, now: Template): Template {
  const { affinity: before } = old.spec;
  const { affinity: after } = now.spec;
  const { nodeAffinity: _node, ...others } = before ?? {};
  const nodeAffinity = after?.nodeAffinity;
  const affinity = { ...others, ...(nodeAffinity === undefined ? {} : { nodeAffinity }) };
  const { nodeSelector, tolerations, schedulingGates } = now.spec;
  const kept = after === undefined && Object.keys(others).length === 0 ? undefined : affinity;
  return {
    ...old, metadata: { ...json(old["metadata"]), annotations: json(now["metadata"])["annotations"], labels: json(now["metadata"])["labels"] },
    spec: { ...old.spec, nodeSelector, tolerations, schedulingGates, ...(before === undefined && after === undefined ? {} : { affinity: kept }) } as PodSpec,
  };
}

/** The old containers with the new ones' resources. */
function withResources(old: readonly Container[] | undefined, now: readonly Container[] | undefined): readonly Container[] | undefined {
  if (old === undefined || old.length !== now?.length) return old;
  return old.map((container, i) => (container.name === now[i]?.name ? ({ ...container, resources: now[i].resources } as Container) : container));
}

function validateTemplateUpdate(job: KubeObject, old: KubeObject): FieldError[] {
  const now = template(specOf(job)) as unknown as Template;
  const before = template(specOf(old)) as unknown as Template;
  if (!isAtRest(old)) return semanticEqual(now, before) ? [] : [invalid("spec.template", { ...json(now["metadata"]), Spec: internalPodSpec(now.spec) }, "field is immutable")];
  const { spec: free } = withDirectives(before, now);
  const allowed = { ...free, containers: withResources(free.containers, now.spec.containers), initContainers: withResources(free.initContainers, now.spec.initContainers) };
  return semanticEqual(now.spec, allowed) ? [] : [invalid("spec.template.spec", internalPodSpec(now.spec), "field is immutable")];
}

function validateCompletions(spec: Json, before: Json): FieldError[] {
  const { completions } = spec;
  if (spec["completionMode"] !== "Indexed") return validateImmutable(completions, before["completions"], "spec.completions");
  const fine = semanticEqual(completions, before["completions"]) || !isSet(completions) || completions === spec["parallelism"];
  return fine ? [] : [invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

/** Upstream validates the new Job first and then the change, which validates its spec again. */
export function validateJobUpdate(job: KubeObject, old: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = specOf(job);
  const before = specOf(old);
  const fixed = (key: string, type?: string): FieldError[] => (semanticEqual(spec[key], before[key]) ? [] : [invalid(`spec.${key}`, type === undefined ? spec[key] : internalForm(spec[key], type), "field is immutable")]);
  const whole = validateJob(job, security);
  return [
    ...whole, ...(whole.length === 0 ? [] : validateSpecAndSelector(spec, security)), ...validateCompletions(spec, before), ...fixed("selector"), ...validateTemplateUpdate(job, old), ...fixed("completionMode"),
    ...fixed("podFailurePolicy", "PodFailurePolicy"), ...fixed("backoffLimitPerIndex"), ...fixed("managedBy"), ...fixed("successPolicy", "SuccessPolicy"),
  ];
}

function validateSchedule(spec: Json, before: Json): FieldError[] {
  const schedule = text(spec["schedule"]);
  if (schedule === "") return [required("spec.schedule")];
  const error = cronScheduleError(schedule);
  const errors = error === undefined ? [] : [invalid("spec.schedule", schedule, error)];
  if (!schedule.includes("TZ")) return errors;
  if (!text(before["schedule"]).includes("TZ")) return [...errors, invalid("spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")];
  return isSet(spec["timeZone"]) ? [...errors, invalid("spec.schedule", schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule")] : errors;
}

/** `old` on an update: what is not changed is not looked at again. */
export function validateCronJob(object: KubeObject, security: SecurityOptions, old?: KubeObject): FieldError[] {
  const spec = specOf(object);
  const before = old === undefined ? {} : specOf(old);
  const errors = [...validateSchedule(spec, before), ...nonnegatives(spec, "spec", ["startingDeadlineSeconds"])];
  const { timeZone } = spec;
  if (isSet(timeZone) && (old === undefined || timeZone !== before["timeZone"])) errors.push(...validateTimeZone(text(timeZone), "spec.timeZone"));
  errors.push(...oneOf(spec["concurrencyPolicy"], "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]));
  const jobSpec = json(json(spec["jobTemplate"])["spec"]);
  const path = "spec.jobTemplate.spec";
  errors.push(...validateSpec(jobSpec, path, security));
  if (isSet(jobSpec["selector"])) errors.push(invalid(`${path}.selector`, jobSpec["selector"], "`selector` will be auto-generated"));
  if (jobSpec["manualSelector"] === true) errors.push(notSupported(`${path}.manualSelector`, true, ["nil", "false"]));
  errors.push(...nonnegatives(spec, "spec", ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"]));
  const { name = "" } = object.metadata;
  return old === undefined && name.length > MAX_CRON_JOB_NAME ? [...errors, invalid("metadata.name", name, "must be no more than 52 characters")] : errors;
}
