// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
import type { NamedExpression } from "../../api/cel/admission.ts";
import { matchesLabelSelector } from "../../api/labels.ts";
import { type ApiResource, resourceForKind } from "../../api/schema/resources.ts";
import type { KubeObject, LabelSelector } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { type Criteria, matchCriteria } from "./match-criteria.ts";

interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}
interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

export interface Mutation {
  readonly patchType: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

export interface Policy extends KubeObject {
  readonly spec?: {
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: Criteria;
    readonly matchConditions?: readonly NamedExpression[];
    readonly variables?: readonly NamedExpression[];
    readonly failurePolicy?: string;
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
    readonly mutations?: readonly Mutation[];
    readonly reinvocationPolicy?: string;
  };
}

export interface Binding extends KubeObject {
  readonly spec?: { readonly policyName?: string; readonly paramRef?: ParamRef; readonly matchResources?: Criteria; readonly validationActions?: readonly string[] };
}

/** One policy to be evaluated for a request, once a binding and parameter; or why it cannot be. */
export interface Invocation {
  readonly policy: Policy;
  readonly binding: Binding | undefined;
  readonly matched: ApiResource | undefined;
  /** null: the policy has no parameters, or its binding names none. */
  readonly param: KubeObject | null;
  readonly error?: string;
}

const byName = (a: KubeObject, b: KubeObject): number => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1);

/** CollectParams: the parameter objects of a binding, or why there are none. */
function collectParams(kind: ParamKind | undefined, ref: ParamRef | undefined, attrs: AdmissionAttributes): readonly (KubeObject | null)[] | string {
  if (kind === undefined || ref === undefined) return [null];
  const api = resourceForKind(kind.apiVersion, kind.kind);
  if (api === undefined) return `paramKind kind \`${kind.apiVersion}, Kind=${kind.kind}\` not known`;
  const namespace = ref.namespace || attrs.namespace;
  if (api.namespaced && namespace === "") return "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
  if (!api.namespaced && (ref.namespace ?? "") !== "") return "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
  let params: readonly KubeObject[];
  if ((ref.name ?? "") !== "") {
    const found = attrs.lookup(api.resource, api.namespaced ? namespace : "", ref.name ?? "");
    params = found === undefined ? [] : [found];
  } else params = attrs.list(api.resource, api.namespaced ? namespace : "").filter((object) => matchesLabelSelector(ref.selector, object.metadata.labels));
  return params.length === 0 && ref.parameterNotFoundAction === "Deny" ? "no params found for policy binding with `Deny` parameterNotFoundAction" : params;
}

/** Every policy of a kind that has a binding and concerns the request, in order of names. */
export function invocationsFor(policies: string, bindings: string, object: KubeObject | undefined, attrs: AdmissionAttributes): readonly Invocation[] {
  const bound = attrs.list(bindings, "") as readonly Binding[];
  if (bound.length === 0) return [];
  const found: Invocation[] = [];
  for (const policy of [...(attrs.list(policies, "") as readonly Policy[])].sort(byName)) {
    const own = bound.filter((binding) => binding.spec?.policyName === policy.metadata.name).sort(byName);
    if (own.length === 0) continue;
    const match = matchCriteria(policy.spec?.matchConstraints ?? {}, object, attrs);
    if (match === undefined) continue;
    if ("kind" in match) {
      found.push({ policy, binding: undefined, matched: undefined, param: null, error: `failed to configure policy: ${match.message ?? ""}` });
      continue;
    }
    for (const binding of own) {
      const narrowed = binding.spec?.matchResources === undefined ? match : matchCriteria(binding.spec.matchResources, object, attrs);
      if (narrowed === undefined) continue;
      const params = "kind" in narrowed ? (narrowed.message ?? "") : collectParams(policy.spec?.paramKind, binding.spec?.paramRef, attrs);
      if (typeof params === "string") found.push({ policy, binding, matched: match.resource, param: null, error: `failed to configure binding: ${params}` });
      else found.push(...params.map((param) => ({ policy, binding, matched: match.resource, param })));
    }
  }
  return found;
}
