// Models kubernetes/pkg/apis/apps/validation/validation.go and ValidateReplicationController of pkg/apis/core/validation
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isValidPercent } from "../names.ts";
import { labelSelectorAsSelector, matches, selectorFromSet } from "../labels.ts";
import type { IntOrString, KubeObject, LabelSelector, PodSpec, PodTemplateSpec, Volume } from "../types.ts";
import { each, isEmptyLabelSelector, type Json, json, list, number, root, semanticEqual, text, validateDNS1123Label, validateImmutable, validateLabels, validateLabelSelector, validateNonnegative } from "./helpers.ts";
import { validateAnnotations } from "./object-meta.ts";
import { validatePersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import { validatePodTemplateSpec } from "./pod.ts";
import { validatePodAnnotations } from "./pod-annotations.ts";
import type { SecurityOptions } from "./security-context.ts";

const template = (spec: Json): PodTemplateSpec => {
  const t = json(spec["template"]);
  return { ...t, spec: json(t["spec"]) as unknown as PodSpec } as PodTemplateSpec;
};
const selectorOf = (spec: Json): LabelSelector | undefined => spec["selector"] as LabelSelector | undefined;

/** A count of at least 0 or a percentage. */
export function positiveIntOrPercent(value: IntOrString, path: string): FieldError[] {
  return typeof value === "number" ? validateNonnegative(value, path) : invalidEach(path, value, isValidPercent(value));
}
const amount = (value: IntOrString | undefined): number => (typeof value === "number" ? value : Number(/^(\d+)%$/.exec(value ?? "")?.[1] ?? 0));
export const notOver100Percent = (value: IntOrString, path: string): FieldError[] => (typeof value === "string" && amount(value) > 100 ? [invalid(path, value, "must not be greater than 100%")] : []);

function requiredSelector(spec: Json, what: string): FieldError[] {
  const selector = selectorOf(spec);
  if (!selector) return [required("spec.selector")];
  return [...validateLabelSelector(selector, "spec.selector"), ...(isEmptyLabelSelector(selector) ? [invalid("spec.selector", selector, `empty selector is invalid for ${what}`)] : [])];
}

/** The template of a workload whose Pods are restarted for ever. */
function validateTemplate(spec: Json, of: PodTemplateSpec, what: string, validateSpec: (t: PodTemplateSpec) => FieldError[]): FieldError[] {
  const errors: FieldError[] = [];
  const requirements = labelSelectorAsSelector(selectorOf(spec));
  if (typeof requirements === "string") return [invalid("spec.selector", selectorOf(spec), "invalid label selector")];
  if (requirements.length > 0 && !matches(requirements, of.metadata?.labels)) errors.push(invalid("spec.template.metadata.labels", of.metadata?.labels, "`selector` does not match template `labels`"));
  errors.push(...validateSpec(of));
  if (of.spec.restartPolicy !== "Always") errors.push(notSupported("spec.template.spec.restartPolicy", of.spec.restartPolicy ?? "", ["Always"]));
  if (of.spec.activeDeadlineSeconds !== undefined) errors.push(forbidden("spec.template.spec.activeDeadlineSeconds", `activeDeadlineSeconds in ${what} is not Supported`));
  return errors;
}

function validateDeploymentStrategy(spec: Json): FieldError[] {
  const strategy = json(spec["strategy"]);
  const rolling = strategy["rollingUpdate"] as { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString } | undefined;
  const path = "spec.strategy";
  if (strategy["type"] === "Recreate") return rolling ? [forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")] : [];
  if (strategy["type"] !== "RollingUpdate") return [notSupported(path, { Type: strategy["type"], RollingUpdate: rolling ?? null }, ["Recreate", "RollingUpdate"])];
  if (!rolling) return [required(`${path}.rollingUpdate`, "this should be defaulted and never be nil")];
  const { maxUnavailable = 0, maxSurge = 0 } = rolling;
  return [
    ...positiveIntOrPercent(maxUnavailable, `${path}.rollingUpdate.maxUnavailable`),
    ...positiveIntOrPercent(maxSurge, `${path}.rollingUpdate.maxSurge`),
    ...(amount(maxUnavailable) === 0 && amount(maxSurge) === 0 ? [invalid(`${path}.rollingUpdate.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0")] : []),
    ...notOver100Percent(maxUnavailable, `${path}.rollingUpdate.maxUnavailable`),
  ];
}

export function validateDeploymentSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const errors = [...validateNonnegative(number(spec["replicas"]), "spec.replicas"), ...requiredSelector(spec, "deployment")];
  errors.push(...validateTemplate(spec, template(spec), "ReplicaSet", (t) => validatePodTemplateSpec(t, "spec.template", security)));
  errors.push(...validateDeploymentStrategy(spec), ...validateNonnegative(number(spec["minReadySeconds"]), "spec.minReadySeconds"), ...validateNonnegative(number(spec["revisionHistoryLimit"]), "spec.revisionHistoryLimit"));
  const deadline = number(spec["progressDeadlineSeconds"]);
  errors.push(...validateNonnegative(deadline, "spec.progressDeadlineSeconds"));
  if (deadline !== undefined && deadline <= (number(spec["minReadySeconds"]) ?? 0)) errors.push(invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"));
  return errors;
}

export function validateReplicaSetSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  return [
    ...validateNonnegative(number(spec["replicas"]), "spec.replicas"),
    ...validateNonnegative(number(spec["minReadySeconds"]), "spec.minReadySeconds"),
    ...requiredSelector(spec, "deployment"),
    ...validateTemplate(spec, template(spec), "ReplicaSet", (t) => validatePodTemplateSpec(t, "spec.template", security)),
  ];
}

export function validateReplicationControllerSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const selector = json(spec["selector"]) as Readonly<Record<string, string>>;
  const errors = [...validateNonnegative(number(spec["minReadySeconds"]), "spec.minReadySeconds")];
  if (Object.keys(selector).length === 0) errors.push(required("spec.selector"));
  errors.push(...validateNonnegative(number(spec["replicas"]), "spec.replicas"));
  if (spec["template"] === undefined) return [...errors, required("spec.template")];
  const of = template(spec);
  if (!matches(selectorFromSet(selector), of.metadata?.labels)) errors.push(invalid("spec.template.metadata.labels", of.metadata?.labels, "`selector` does not match template `labels`"));
  errors.push(...validatePodTemplateSpec(of, "spec.template", security));
  if (of.spec.restartPolicy !== "Always") errors.push(notSupported("spec.template.spec.restartPolicy", of.spec.restartPolicy ?? "", ["Always"]));
  if (of.spec.activeDeadlineSeconds !== undefined) errors.push(forbidden("spec.template.spec.activeDeadlineSeconds", "activeDeadlineSeconds in ReplicationController is not Supported"));
  return errors;
}

function validateDaemonSetStrategy(spec: Json): FieldError[] {
  const strategy = json(spec["updateStrategy"]);
  const path = "spec.updateStrategy";
  if (strategy["type"] === "OnDelete") return [];
  if (strategy["type"] !== "RollingUpdate") return [notSupported(path, { Type: strategy["type"], RollingUpdate: strategy["rollingUpdate"] ?? null }, ["RollingUpdate", "OnDelete"])];
  const { maxUnavailable = 0, maxSurge = 0 } = json(strategy["rollingUpdate"]) as { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString };
  const at = `${path}.rollingUpdate`;
  const errors = [...positiveIntOrPercent(maxUnavailable, `${at}.maxUnavailable`), ...positiveIntOrPercent(maxSurge, `${at}.maxSurge`), ...notOver100Percent(maxUnavailable, `${at}.maxUnavailable`), ...notOver100Percent(maxSurge, `${at}.maxSurge`)];
  if (amount(maxUnavailable) !== 0 && amount(maxSurge) !== 0) errors.push(invalid(`${at}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero"));
  if (amount(maxUnavailable) === 0 && amount(maxSurge) === 0) errors.push(required(`${at}.maxUnavailable`, "cannot be 0 when maxSurge is 0"));
  return errors;
}

export function validateDaemonSetSpec(object: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const of = template(spec);
  const selector = selectorOf(spec);
  const requirements = labelSelectorAsSelector(selector);
  const errors = validateLabelSelector(selector, "spec.selector");
  if (typeof requirements !== "string" && !matches(requirements, of.metadata?.labels)) errors.push(invalid("spec.template.metadata.labels", of.metadata?.labels, "`selector` does not match template `labels`"));
  if (isEmptyLabelSelector(selector)) errors.push(invalid("spec.selector", selector, "empty selector is invalid for daemonset"));
  errors.push(...validatePodTemplateSpec(of, "spec.template", security));
  if (of.spec.restartPolicy !== "Always") errors.push(notSupported("spec.template.spec.restartPolicy", of.spec.restartPolicy ?? "", ["Always"]));
  if (of.spec.activeDeadlineSeconds !== undefined) errors.push(forbidden("spec.template.spec.activeDeadlineSeconds", "activeDeadlineSeconds in DaemonSet is not Supported"));
  errors.push(...validateNonnegative(number(spec["minReadySeconds"]), "spec.minReadySeconds"), ...validateDaemonSetStrategy(spec), ...validateNonnegative(number(spec["revisionHistoryLimit"]), "spec.revisionHistoryLimit"));
  return errors;
}

function validateStatefulSetStrategy(spec: Json): FieldError[] {
  const strategy = json(spec["updateStrategy"]);
  const path = "spec.updateStrategy";
  const rolling = strategy["rollingUpdate"];
  switch (text(strategy["type"])) {
    case "":
      return [required(path)];
    case "OnDelete":
      return rolling === undefined ? [] : [invalid(`${path}.rollingUpdate`, rolling, "only allowed for updateStrategy 'RollingUpdate'")];
    case "RollingUpdate": {
      const { partition, maxUnavailable } = json(rolling) as { readonly partition?: number; readonly maxUnavailable?: IntOrString };
      const errors = validateNonnegative(partition, `${path}.rollingUpdate.partition`);
      if (maxUnavailable === undefined) return errors;
      const at = `${path}.rollingUpdate.maxUnavailable`;
      return [...errors, ...positiveIntOrPercent(maxUnavailable, at), ...(amount(maxUnavailable) === 0 ? [invalid(at, maxUnavailable, "cannot be 0")] : []), ...notOver100Percent(maxUnavailable, at)];
    }
    default:
      return [invalid(path, { Type: strategy["type"], RollingUpdate: rolling ?? null }, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

/** Claim templates become volumes of the Pod, whether or not the template lists them. */
function withClaimVolumes(spec: Json, of: PodTemplateSpec): PodTemplateSpec {
  const claims = list(spec["volumeClaimTemplates"]).map((c) => text(json(json(c)["metadata"])["name"]));
  const added = claims.map((name): Volume => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes = [...added, ...(of.spec.volumes ?? []).filter((v) => !claims.includes(v.name))];
  const { subdomain: _subdomain, hostname: _hostname, ...rest } = of.spec;
  return { ...of, spec: volumes.length === 0 ? rest : { ...rest, volumes } };
}

/** Upstream looks at the metadata of the template twice. */
function validateSetTemplate(of: PodTemplateSpec, security: SecurityOptions, whole: boolean): FieldError[] {
  const path = "spec.template";
  const metadata = [...validateLabels(of.metadata?.labels, `${path}.labels`), ...validateAnnotations(of.metadata?.annotations, `${path}.annotations`), ...validatePodAnnotations(of.metadata?.annotations ?? {}, of.spec, `${path}.annotations`)];
  return [...(whole ? validatePodTemplateSpec(of, path, security) : []), ...metadata];
}

function statefulSetSpec(object: KubeObject, security: SecurityOptions, create: boolean, checkTemplate: boolean): FieldError[] {
  const spec = json(object.spec);
  const errors: FieldError[] = [];
  const policy = text(spec["podManagementPolicy"]);
  if (policy === "") errors.push(required("spec.podManagementPolicy"));
  else if (policy !== "OrderedReady" && policy !== "Parallel") errors.push(invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'"));
  errors.push(...validateStatefulSetStrategy(spec), ...validateRetentionPolicy(spec));
  if (create) errors.push(...each(spec["volumeClaimTemplates"], "spec.volumeClaimTemplates", (claim, at) => validatePersistentVolumeClaimSpec(json(claim["spec"]), `${at}.spec`)));
  errors.push(...validateNonnegative(number(spec["replicas"]), "spec.replicas"), ...validateNonnegative(number(spec["minReadySeconds"]), "spec.minReadySeconds"));
  errors.push(...validateNonnegative(number(json(spec["ordinals"])["start"]), "spec.ordinals.start"));
  const service = text(spec["serviceName"]);
  if (create && service !== "") errors.push(...validateDNS1123Label(service, "spec.serviceName"));
  errors.push(...requiredSelector(spec, "statefulset"));
  errors.push(...validateTemplate(spec, withClaimVolumes(spec, template(spec)), "StatefulSet", (t) => validateSetTemplate(t, security, checkTemplate)));
  return errors;
}

function validateRetentionPolicy(spec: Json): FieldError[] {
  const policy = json(spec["persistentVolumeClaimRetentionPolicy"]);
  return ["whenDeleted", "whenScaled"].flatMap((key) => {
    const value = policy[key];
    return value === undefined || value === "Retain" || value === "Delete" ? [] : [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${key}`, value, ["Retain", "Delete"])];
  });
}

const STATEFUL_SET_MUTABLE = ["replicas", "template", "updateStrategy", "minReadySeconds", "ordinals", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy"];

export const validateStatefulSetSpec = (object: KubeObject, security: SecurityOptions): FieldError[] => statefulSetSpec(object, security, true, true);

/** What cannot change any more is not judged again, and a template that was bad before may stay. */
export function validateStatefulSetUpdate(object: KubeObject, old: KubeObject, security: SecurityOptions): FieldError[] {
  const spec = json(object.spec);
  const before = json(old.spec);
  const errors = statefulSetSpec(object, security, false, statefulSetSpec(old, security, false, true).length === 0);
  const kept = { ...spec, ...Object.fromEntries(STATEFUL_SET_MUTABLE.map((key) => [key, before[key]])) };
  if (semanticEqual(kept, before)) return errors;
  return [...errors, forbidden("spec", "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden")];
}

export const validateSelectorUpdate = (object: KubeObject, old: KubeObject): FieldError[] => validateImmutable(selectorOf(json(object.spec)), selectorOf(json(old.spec)), "spec.selector");

const revision = (object: KubeObject): FieldError[] => validateNonnegative(number(root(object)["revision"]), "revision");

export function validateControllerRevision(object: KubeObject): FieldError[] {
  const { data } = root(object);
  if (data === undefined || data === null) return [...revision(object), required("data", "data is mandatory")];
  return [...revision(object), ...(typeof data !== "object" || Array.isArray(data) ? [required("data", "data must be a valid JSON object")] : [])];
}

export const validateControllerRevisionUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [...revision(object), ...validateImmutable({ Raw: root(object)["data"] }, { Raw: root(old)["data"] }, "data")];
