// Models kubernetes/pkg/apis/rbac/validation/validation.go
import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { labelSelectorAsSelector } from "../labels.ts";
import { isDNS1123Subdomain } from "../names.ts";
import type { KubeObject, LabelSelector } from "../types.ts";
import { each, isSet, type Json, json, list, named, named0, root, text, validateLabelSelector } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";

const GROUP = "rbac.authorization.k8s.io";

export function validatePolicyRule(rule: Json, namespaced: boolean, path: string): FieldError[] {
  const has = (key: string): boolean => list(rule[key]).length > 0;
  const errors: FieldError[] = has("verbs") ? [] : [required(`${path}.verbs`, "verbs must contain at least one value")];
  if (has("nonResourceURLs")) {
    const bad = (text: string): FieldError => invalid(`${path}.nonResourceURLs`, rule["nonResourceURLs"], text);
    if (namespaced) errors.push(bad("namespaced rules cannot apply to non-resource URLs"));
    return has("apiGroups") || has("resources") || has("resourceNames") ? [...errors, bad("rules cannot apply to both regular resources and non-resource URLs")] : errors;
  }
  if (!has("apiGroups")) errors.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  return has("resources") ? errors : [...errors, required(`${path}.resources`, "resource rules must supply at least one resource")];
}

function validateAggregation(rule: unknown): FieldError[] {
  if (!isSet(rule)) return [];
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = list(json(rule)["clusterRoleSelectors"]) as readonly LabelSelector[];
  if (selectors.length === 0) return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  return selectors.flatMap((selector, i) => [...validateLabelSelector(selector, `${path}[${i}]`), ...(typeof labelSelectorAsSelector(selector) === "string" ? [invalid(`${path}[${i}]`, null, "invalid label selector.")] : [])]);
}

export const validateRole = (object: KubeObject): FieldError[] => [
  ...each(root(object)["rules"], "rules", (rule, at) => validatePolicyRule(rule, object.kind === "Role", at)), ...(object.kind === "ClusterRole" ? validateAggregation(root(object)["aggregationRule"]) : []),
];

function validateSubject(subject: Json, namespaced: boolean, path: string): FieldError[] {
  const group = text(subject["apiGroup"]);
  const errors: FieldError[] = text(subject["name"]) === "" ? [required(`${path}.name`)] : [];
  switch (subject["kind"]) {
    case "ServiceAccount":
      errors.push(...named0(subject["name"], `${path}.name`, isDNS1123Subdomain));
      if (group !== "") errors.push(notSupported(`${path}.apiGroup`, group, [""]));
      return namespaced || subject["namespace"] ? errors : [...errors, required(`${path}.namespace`)];
    case "User":
    case "Group":
      return group === GROUP ? errors : [...errors, notSupported(`${path}.apiGroup`, group, [GROUP])];
    default:
      return [...errors, notSupported(`${path}.kind`, text(subject["kind"]), ["ServiceAccount", "User", "Group"])];
  }
}

export function validateRoleBinding(object: KubeObject): FieldError[] {
  const ref = json(root(object)["roleRef"]);
  const kinds = object.kind === "ClusterRoleBinding" ? ["ClusterRole"] : ["Role", "ClusterRole"];
  return [
    ...(ref["apiGroup"] === GROUP ? [] : [notSupported("roleRef.apiGroup", text(ref["apiGroup"]), [GROUP])]), ...(kinds.includes(text(ref["kind"])) ? [] : [notSupported("roleRef.kind", text(ref["kind"]), kinds)]),
    ...named(ref["name"], "roleRef.name", pathSegmentName), ...each(root(object)["subjects"], "subjects", (subject, at) => validateSubject(subject, object.kind === "RoleBinding", at)),
  ];
}

/** roleRef is shown under its internal Go names. */
export function validateRoleBindingUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const ref = json(root(object)["roleRef"]);
  const before = json(root(old)["roleRef"]);
  const same = ["apiGroup", "kind", "name"].every((key) => text(ref[key]) === text(before[key]));
  return same ? [] : [invalid("roleRef", { APIGroup: text(ref["apiGroup"]), Kind: text(ref["kind"]), Name: text(ref["name"]) }, "cannot change roleRef")];
}
