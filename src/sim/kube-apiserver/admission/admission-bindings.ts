// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/{cel/condition.go,webhook/matchconditions}: what expressions see of a request
import { AdmissionEvaluation, type NamedExpression } from "../../api/cel/admission.ts";
import { CelAuthorizer, isCelFailure, MATCH_CONDITIONS_BUDGET } from "../../api/cel/cel.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";

/** AdmissionRequest as expressions and webhooks see it, without the objects. */
export function admissionRequest(attrs: AdmissionAttributes, matched: ApiResource | undefined): Readonly<Record<string, unknown>> {
  const { group, version = "v1", resource, kind = "", subresource } = attrs;
  const requestKind = { ...(attrs.kindVersion ?? { group, version }), kind };
  const requestResource = { group, version, resource };
  const sub = subresource === "" ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    kind: matched === undefined || attrs.kindVersion !== undefined ? requestKind : { group: matched.group, version: matched.version, kind: matched.kind },
    resource: matched === undefined ? requestResource : { group: matched.group, version: matched.version, resource: matched.resource },
    ...sub, requestKind, requestResource, name: attrs.name, ...(attrs.namespace === "" && attrs.resource !== "namespaces" ? {} : { namespace: attrs.resource === "namespaces" ? attrs.name : attrs.namespace }),
    operation: attrs.operation, userInfo: { username: attrs.user.name, groups: attrs.user.groups ?? [] }, dryRun: attrs.dryRun, ...(attrs.options === undefined ? {} : { options: attrs.options }),
  };
}

export function authorizerOf(attrs: AdmissionAttributes): CelAuthorizer {
  const { group, resource, subresource, namespace, name } = attrs;
  return new CelAuthorizer((query) => attrs.authorize?.(query) ?? { allowed: false, reason: "" }, {}, { group, resource, subresource, namespace, name });
}

/** Kinds of subresources: they have one version. */
const SPOKEN = new Set(["Binding", "Eviction", "TokenRequest", "PodExecOptions", "PodAttachOptions", "PodPortForwardOptions"]);

/** The object under another of its names: upstream converts it to the version that the rule speaks of. */
export const versioned = (object: KubeObject | undefined, matched: ApiResource | undefined): KubeObject | null =>
  object === undefined ? null : matched === undefined || SPOKEN.has(object.kind) ? object : { ...object, apiVersion: matched.apiVersion, kind: matched.kind };

/** Variables of every expression about this request. */
export function bindingsOf(object: KubeObject | undefined, attrs: AdmissionAttributes, matched: ApiResource | undefined, params?: KubeObject | null): Readonly<Record<string, unknown>> {
  return {
    object: versioned(object, matched), oldObject: versioned(attrs.oldObject, matched), request: admissionRequest(attrs, matched), authorizer: authorizerOf(attrs),
    ...(attrs.namespace === "" ? {} : { namespaceObject: attrs.lookup("namespaces", "", attrs.namespace) }), ...(params === undefined ? {} : { params }),
  };
}

export type ConditionResult = { readonly matches: boolean } | { readonly error: string };

/** matchConditions: one false skips; an error fails or skips, as failurePolicy says. */
export function matchConditions(conditions: readonly NamedExpression[], evaluation: AdmissionEvaluation, failurePolicy: string): ConditionResult {
  const errors: string[] = [];
  for (const { expression } of conditions) {
    const result = evaluation.run(expression, ["bool"]);
    if (isCelFailure(result)) errors.push(result.error);
    else if (result.value === false) return { matches: false };
  }
  if (errors.length === 0) return { matches: true };
  if (failurePolicy === "Ignore") return { matches: false };
  return { error: errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]` };
}

/** The conditions of a webhook, which have no variables of their own. */
export function hookConditions(conditions: readonly NamedExpression[], object: KubeObject | undefined, attrs: AdmissionAttributes, matched: ApiResource | undefined, failurePolicy: string): ConditionResult {
  if (conditions.length === 0) return { matches: true };
  return matchConditions(conditions, new AdmissionEvaluation([], {}, bindingsOf(object, attrs, matched), MATCH_CONDITIONS_BUDGET), failurePolicy);
}
