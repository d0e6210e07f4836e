// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates and policy/matching: does a rule concern this request?
import { matchesLabelSelector } from "../../api/labels.ts";
import { API_RESOURCES, type ApiResource, resourceForPath } from "../../api/schema/resources.ts";
import { newNotFound } from "../../api/status-errors.ts";
import type { KubeObject, LabelSelector, Status } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";

export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

export interface Criteria {
  readonly rules?: readonly Rule[];
  readonly resourceRules?: readonly Rule[];
  readonly excludeResourceRules?: readonly Rule[];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchPolicy?: string;
}

/** The resource under whose name the rule matched: with matchPolicy Equivalent maybe another version of the same objects. */
export type Match = { readonly resource: ApiResource | undefined } | Status | undefined;

const oneOf = (items: readonly string[] | undefined, wanted: string): boolean => items === undefined || items.includes("*") || items.includes(wanted);

function scopeFits(rule: Rule, attrs: AdmissionAttributes): boolean {
  const clusterWide = attrs.resource === "namespaces" || attrs.namespace === "";
  return rule.scope === undefined || rule.scope === "*" || (rule.scope === "Cluster") === clusterWide;
}

function resourceFits(rule: Rule, attrs: AdmissionAttributes): boolean {
  return (rule.resources ?? []).some((text) => {
    const [resource = "", sub = ""] = text.split("/");
    return (resource === "*" || resource === attrs.resource) && (sub === "*" || sub === attrs.subresource);
  });
}

function ruleFits(rule: Rule, attrs: AdmissionAttributes, group: string, version: string): boolean {
  const named = (rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(attrs.name) === true;
  return named && scopeFits(rule, attrs) && oneOf(rule.operations, attrs.operation) && oneOf(rule.apiGroups, group) && oneOf(rule.apiVersions, version) && resourceFits(rule, attrs);
}

/** Other groups and versions that serve the same objects. */
function equivalents(attrs: AdmissionAttributes): readonly ApiResource[] {
  const own = resourceForPath(attrs.group === "" ? (attrs.version ?? "v1") : `${attrs.group}/${attrs.version ?? ""}`, attrs.resource);
  return own === undefined ? [] : API_RESOURCES.filter((api) => api.etcdPrefix === own.etcdPrefix && api !== own);
}

function anyRule(rules: readonly Rule[] | undefined, attrs: AdmissionAttributes, matchPolicy: string | undefined): { readonly resource: ApiResource | undefined } | undefined {
  const version = attrs.version ?? "v1";
  if (rules?.some((rule) => ruleFits(rule, attrs, attrs.group, version))) return { resource: undefined };
  if (matchPolicy !== "Equivalent" || rules === undefined) return undefined;
  const others = equivalents(attrs);
  for (const rule of rules) {
    const found = others.find((api) => ruleFits(rule, attrs, api.group, api.version));
    if (found !== undefined) return { resource: found };
  }
  return undefined;
}

const isEmpty = (selector: LabelSelector | undefined): boolean => selector === undefined || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);

/** A request about a namespace itself is matched by the labels it will have. */
function namespaceLabels(object: KubeObject | undefined, attrs: AdmissionAttributes): Readonly<Record<string, string>> | undefined | Status {
  if (attrs.resource === "namespaces" && attrs.subresource === "" && object !== undefined && (attrs.operation === "CREATE" || attrs.operation === "UPDATE")) return object.metadata.labels ?? {};
  const name = attrs.resource === "namespaces" ? attrs.name : attrs.namespace;
  if (name === "") return undefined;
  const namespace = attrs.lookup("namespaces", "", name);
  return namespace === undefined ? newNotFound({ resource: "namespaces" }, name) : (namespace.metadata.labels ?? {});
}

const isStatus = (value: object): value is Status => "kind" in value && value["kind"] === "Status";

/** Whether webhooks or policies with these criteria want to see the request; a Status when the namespace is gone. */
export function matchCriteria(criteria: Criteria, object: KubeObject | undefined, attrs: AdmissionAttributes): Match {
  let problem: Status | undefined;
  if (!isEmpty(criteria.namespaceSelector)) {
    const labels = namespaceLabels(object, attrs);
    if (labels !== undefined && isStatus(labels)) problem = labels;
    else if (labels !== undefined && !matchesLabelSelector(criteria.namespaceSelector, labels)) return undefined;
  }
  const selects = (one: KubeObject | undefined): boolean => one !== undefined && matchesLabelSelector(criteria.objectSelector, one.metadata?.labels);
  if (!isEmpty(criteria.objectSelector) && !selects(object) && !selects(attrs.oldObject)) return undefined;
  if (anyRule(criteria.excludeResourceRules, attrs, criteria.matchPolicy) !== undefined) return undefined;
  const rules = criteria.rules ?? criteria.resourceRules;
  const found = rules === undefined || (criteria.rules === undefined && rules.length === 0) ? { resource: undefined } : anyRule(rules, attrs, criteria.matchPolicy);
  return found === undefined ? undefined : (problem ?? found);
}

const EXEMPT = new Set(["validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"]);

/** Admission's own configuration is never judged by it: nobody can lock himself out. */
export const isExempt = (attrs: AdmissionAttributes): boolean => attrs.group === "admissionregistration.k8s.io" && EXEMPT.has(attrs.resource);
