// Models kubernetes/pkg/apis/{scheduling,storage,policy,networking,rbac,autoscaling}/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { ipFamily, isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidPortName, isValidPortNum, isWildcardDNS1123Subdomain } from "../names.ts";
import type { IntOrString, KubeObject, LabelSelector } from "../types.ts";
import { type Json, json, list, semanticEqual, text, validateImmutable, validateLabelSelector } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";
import { notOver100Percent, positiveIntOrPercent } from "./workloads.ts";

const RBAC_GROUP = "rbac.authorization.k8s.io";
const HIGHEST_USER_PRIORITY = 1_000_000_000;
const SYSTEM_PREFIX = "system-";
const SYSTEM_CLASSES: Readonly<Record<string, number>> = { "system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000 };
const root = (object: KubeObject): Json => object as unknown as Json;

export function validatePriorityClass(object: KubeObject): FieldError[] {
  const value = Number(root(object)["value"] ?? 0);
  const name = object.metadata.name ?? "";
  const errors: FieldError[] = [];
  if (name.startsWith(SYSTEM_PREFIX)) {
    const known = SYSTEM_CLASSES[name];
    const reserved = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: `;
    if (known === undefined) errors.push(forbidden("metadata.name", `${reserved}${name} is not a known system priority class`));
    else if (known !== value) errors.push(forbidden("metadata.name", `${reserved}value of ${name} PriorityClass must be ${known}`));
  } else if (value > HIGHEST_USER_PRIORITY) errors.push(forbidden("value", `maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}`));
  const policy = root(object)["preemptionPolicy"];
  if (policy !== undefined && policy !== "PreemptLowerPriority" && policy !== "Never") errors.push(notSupported("preemptionPolicy", policy, ["PreemptLowerPriority", "Never"]));
  return errors;
}

export function validatePriorityClassUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const changed = root(object)["value"] !== root(old)["value"] ? [forbidden("value", "may not be changed in an update.")] : [];
  return [...changed, ...validateImmutable(root(object)["preemptionPolicy"], root(old)["preemptionPolicy"], "preemptionPolicy")];
}

export function validateStorageClass(object: KubeObject): FieldError[] {
  const { provisioner, reclaimPolicy, volumeBindingMode } = root(object);
  const name = text(provisioner);
  const errors: FieldError[] = name === "" ? [required("provisioner")] : invalidEach("provisioner", name.toLowerCase(), isQualifiedName(name.toLowerCase()));
  if (reclaimPolicy !== "Delete" && reclaimPolicy !== "Retain") errors.push(notSupported("reclaimPolicy", reclaimPolicy, ["Delete", "Retain"]));
  if (volumeBindingMode !== "Immediate" && volumeBindingMode !== "WaitForFirstConsumer") errors.push(notSupported("volumeBindingMode", volumeBindingMode, ["Immediate", "WaitForFirstConsumer"]));
  return errors;
}

export function validateStorageClassUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const errors = ["parameters"].flatMap((key) => (JSON.stringify(root(object)[key] ?? {}) === JSON.stringify(root(old)[key] ?? {}) ? [] : [forbidden(key, "updates to parameters are forbidden.")]));
  if (root(object)["provisioner"] !== root(old)["provisioner"]) errors.push(forbidden("provisioner", "updates to provisioner are forbidden."));
  if (root(object)["reclaimPolicy"] !== root(old)["reclaimPolicy"]) errors.push(forbidden("reclaimPolicy", "updates to reclaimPolicy are forbidden."));
  return [...errors, ...validateImmutable(root(object)["volumeBindingMode"], root(old)["volumeBindingMode"], "volumeBindingMode")];
}

export function validatePodDisruptionBudget(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const errors: FieldError[] = [];
  if (spec["minAvailable"] !== undefined && spec["maxUnavailable"] !== undefined) {
    const shown = { MinAvailable: spec["minAvailable"], Selector: spec["selector"] ?? null, MaxUnavailable: spec["maxUnavailable"], UnhealthyPodEvictionPolicy: spec["unhealthyPodEvictionPolicy"] ?? null };
    errors.push(invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const key of ["minAvailable", "maxUnavailable"]) {
    const value = spec[key] as IntOrString | undefined;
    if (value !== undefined) errors.push(...positiveIntOrPercent(value, `spec.${key}`), ...notOver100Percent(value, `spec.${key}`));
  }
  return [...errors, ...validateLabelSelector(spec["selector"] as LabelSelector | undefined, "spec.selector")];
}

function validateBackend(backend: Json, path: string): FieldError[] {
  const service = backend["service"];
  if (backend["resource"] !== undefined) return service === undefined ? [] : [invalid(path, "", "cannot set both resource and service backends")];
  if (service === undefined) return [invalid(path, "", "resource or service backend is required")];
  const name = text(json(service)["name"]);
  const port = json(json(service)["port"]);
  const errors: FieldError[] = name === "" ? [required(`${path}.service.name`)] : invalidEach(`${path}.service.name`, name, isDNS1123Label(name));
  const portName = text(port["name"]);
  const number = Number(port["number"] ?? 0);
  if (portName !== "" && number !== 0) errors.push(invalid(path, "", "cannot set both port name & port number"));
  else if (portName !== "") errors.push(...invalidEach(`${path}.service.port.name`, portName, isValidPortName(portName)));
  else if (number !== 0) errors.push(...invalidEach(`${path}.service.port.number`, number, isValidPortNum(number)));
  else errors.push(required(path, "port name or number is required"));
  return errors;
}

function validateHTTPPath(path: Json, at: string): FieldError[] {
  const type = path["pathType"];
  if (type === undefined) return [required(`${at}.pathType`, "pathType must be specified")];
  const value = text(path["path"]);
  const errors: FieldError[] = [];
  if (type === "Exact" || type === "Prefix") {
    if (!value.startsWith("/")) errors.push(invalid(`${at}.path`, value, "must be an absolute path"));
    for (const bad of ["//", "/./", "/../", "%2f", "%2F"]) if (value.includes(bad)) errors.push(invalid(`${at}.path`, value, `must not contain '${bad}'`));
    for (const bad of ["/..", "/."]) if (value.endsWith(bad)) errors.push(invalid(`${at}.path`, value, `cannot end with '${bad}'`));
  } else if (type === "ImplementationSpecific") {
    if (value !== "" && !value.startsWith("/")) errors.push(invalid(`${at}.path`, value, "must be an absolute path"));
  } else errors.push(notSupported(`${at}.pathType`, type, ["Exact", "ImplementationSpecific", "Prefix"]));
  return [...errors, ...validateBackend(json(path["backend"]), `${at}.backend`)];
}

export function validateIngress(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const rules = list(spec["rules"]);
  const errors: FieldError[] = [];
  if (rules.length === 0 && spec["defaultBackend"] === undefined) errors.push(invalid("spec", null, "either `defaultBackend` or `rules` must be specified"));
  if (spec["defaultBackend"] !== undefined) errors.push(...validateBackend(json(spec["defaultBackend"]), "spec.defaultBackend"));
  for (const [i, value] of rules.entries()) {
    const rule = json(value);
    const host = text(rule["host"]);
    const at = `spec.rules[${i}]`;
    if (ipFamily(host) !== 0) errors.push(invalid(`${at}.host`, host, "must be a DNS name, not an IP address"));
    if (host !== "") errors.push(...invalidEach(`${at}.host`, host, host.includes("*") ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host)));
    if (rule["http"] === undefined) continue;
    const paths = list(json(rule["http"])["paths"]);
    if (paths.length === 0) errors.push(required(`${at}.http.paths`));
    for (const [j, path] of paths.entries()) errors.push(...validateHTTPPath(json(path), `${at}.http.paths[${j}]`));
  }
  return errors;
}

function validateSubject(subject: Json, namespaced: boolean, at: string): FieldError[] {
  const name = text(subject["name"]);
  const group = text(subject["apiGroup"]);
  const errors: FieldError[] = name === "" ? [required(`${at}.name`)] : [];
  switch (subject["kind"]) {
    case "ServiceAccount":
      if (name !== "") errors.push(...invalidEach(`${at}.name`, name, isDNS1123Subdomain(name)));
      if (group !== "") errors.push(notSupported(`${at}.apiGroup`, group, [""]));
      if (!namespaced && !subject["namespace"]) errors.push(required(`${at}.namespace`));
      return errors;
    case "User":
    case "Group":
      return group === RBAC_GROUP ? errors : [...errors, notSupported(`${at}.apiGroup`, group, [RBAC_GROUP])];
    default:
      return [...errors, notSupported(`${at}.kind`, text(subject["kind"]), ["ServiceAccount", "User", "Group"])];
  }
}

export function validateRoleBinding(object: KubeObject): FieldError[] {
  const ref = json(root(object)["roleRef"]);
  const errors: FieldError[] = [];
  const kinds = object.kind === "ClusterRoleBinding" ? ["ClusterRole"] : ["ClusterRole", "Role"];
  if (ref["apiGroup"] !== RBAC_GROUP) errors.push(notSupported("roleRef.apiGroup", ref["apiGroup"], [RBAC_GROUP]));
  if (!kinds.includes(text(ref["kind"]))) errors.push(notSupported("roleRef.kind", ref["kind"], kinds));
  const name = text(ref["name"]);
  errors.push(...(name === "" ? [required("roleRef.name")] : invalidEach("roleRef.name", name, pathSegmentName(name))));
  for (const [i, subject] of list(root(object)["subjects"]).entries()) errors.push(...validateSubject(json(subject), object.kind === "RoleBinding", `subjects[${i}]`));
  return errors;
}

/** roleRef is shown under its internal Go names, as upstream does. */
export function validateRoleBindingUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const ref = json(root(object)["roleRef"]);
  if (semanticEqual(ref, root(old)["roleRef"])) return [];
  return [invalid("roleRef", { APIGroup: ref["apiGroup"], Kind: ref["kind"], Name: ref["name"] }, "cannot change roleRef")];
}

function validatePolicyRule(rule: Json, namespaced: boolean, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const urls = list(rule["nonResourceURLs"]);
  const has = (key: string): boolean => list(rule[key]).length > 0;
  if (!has("verbs")) errors.push(required(`${at}.verbs`, "verbs must contain at least one value"));
  if (urls.length > 0) {
    if (namespaced) errors.push(invalid(`${at}.nonResourceURLs`, urls, "namespaced rules cannot apply to non-resource URLs"));
    if (has("apiGroups") || has("resources") || has("resourceNames")) errors.push(invalid(`${at}.nonResourceURLs`, urls, "rules cannot apply to both regular resources and non-resource URLs"));
    return errors;
  }
  if (!has("apiGroups")) errors.push(required(`${at}.apiGroups`, "resource rules must supply at least one api group"));
  if (!has("resources")) errors.push(required(`${at}.resources`, "resource rules must supply at least one resource"));
  return errors;
}

export const validateRole = (object: KubeObject): FieldError[] => list(root(object)["rules"]).flatMap((rule, i) => validatePolicyRule(json(rule), object.kind === "Role", `rules[${i}]`));

export function validateHorizontalPodAutoscaler(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const min = Number(spec["minReplicas"] ?? 1);
  const max = Number(spec["maxReplicas"] ?? 0);
  const errors: FieldError[] = [];
  if (min < 1) errors.push(invalid("spec.minReplicas", min, "must be greater than or equal to 1"));
  if (max < 1) errors.push(invalid("spec.maxReplicas", max, "must be greater than 0"));
  if (max < min) errors.push(invalid("spec.maxReplicas", max, "must be greater than or equal to `minReplicas`"));
  const target = json(spec["scaleTargetRef"]);
  for (const key of ["kind", "name"]) if (!target[key]) errors.push(required(`spec.scaleTargetRef.${key}`));
  return errors;
}
