// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/{dispatcher.go,reinvocationcontext.go,patch}
import { AdmissionEvaluation } from "../../api/cel/admission.ts";
import { isCelFailure, RUNTIME_COST_BUDGET } from "../../api/cel/cel.ts";
import { decodeObject } from "../../api/decode.ts";
import { applyDefaults } from "../../api/defaulting/apply-defaults.ts";
import { applyJsonPatch, type JsonPatchOperation } from "../../api/patch.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { withApplyConfiguration } from "./apply-configuration.ts";
import { bindingsOf, matchConditions } from "./admission-bindings.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";
import { isExempt } from "./match-criteria.ts";
import { type Invocation, invocationsFor, type Mutation } from "./policy.ts";
import { firstOfRound, NOT_REINVOKED, type Reinvocation, requireReinvoking, wasInvoked } from "./reinvocation.ts";

const isJsonPatch = (mutation: Mutation): boolean => mutation.patchType === "JSONPatch";

/** The object after one mutation, or an error text. A failed "test" of a JSON patch changes nothing. */
function patched(object: KubeObject, mutation: Mutation, evaluation: AdmissionEvaluation, attrs: AdmissionAttributes): KubeObject | string {
  const expression = (isJsonPatch(mutation) ? mutation.jsonPatch?.expression : mutation.applyConfiguration?.expression) ?? "";
  const result = evaluation.run(expression, []);
  if (isCelFailure(result)) return result.error;
  let changed: unknown;
  if (isJsonPatch(mutation)) {
    if (!Array.isArray(result.value)) return "type mismatch: JSONPatchType.expression should evaluate to array";
    const applied = applyJsonPatch(object, result.value as readonly JsonPatchOperation[]);
    if (typeof applied === "string") return applied.endsWith("test failed") ? object : `JSON Patch: ${applied}`;
    changed = applied.value;
  } else changed = withApplyConfiguration(object, result.value, attrs);
  if (typeof changed === "string") return changed;
  const decoded = decodeObject(changed as KubeObject, { fieldValidation: "Strict" });
  return decoded.object === undefined ? decoded.error : applyDefaults(decoded.object);
}

function mutate(invocation: Invocation, object: KubeObject, attrs: AdmissionAttributes): KubeObject | { readonly error: string } | undefined {
  const spec = invocation.policy.spec ?? {};
  const params = spec.paramKind !== undefined;
  const at = (current: KubeObject): AdmissionEvaluation => new AdmissionEvaluation(spec.variables ?? [], { params }, bindingsOf(current, attrs, invocation.matched, params ? invocation.param : undefined), RUNTIME_COST_BUDGET);
  const conditions = matchConditions(spec.matchConditions ?? [], at(object), spec.failurePolicy ?? "Fail");
  if ("error" in conditions) return conditions;
  if (!conditions.matches) return undefined;
  let current = object;
  for (const mutation of spec.mutations ?? []) {
    const next = patched(current, mutation, at(current), attrs);
    if (typeof next === "string") return { error: next };
    current = next;
  }
  return current;
}

const keyOf = ({ policy, binding, param }: Invocation): string => `${policy.metadata.name ?? ""}/${binding?.metadata.name ?? ""}/${param?.metadata.namespace ?? ""}/${param?.metadata.name ?? ""}`;

function refusal(object: KubeObject, attrs: AdmissionAttributes, errors: readonly (readonly [Invocation, string])[]): Status | undefined {
  const messages = errors.filter(([{ policy }]) => (policy.spec?.failurePolicy ?? "Fail") !== "Ignore").map(([{ policy, binding }, error]) =>
    binding === undefined ? `policy ${JSON.stringify(policy.metadata.name ?? "")} denied request: ${error}` : `policy '${policy.metadata.name ?? ""}' with binding '${binding.metadata.name ?? ""}' denied request: ${error}`);
  if (messages.length === 0) return undefined;
  const status = forbid(attrs, object, "admission request denied by policy");
  const configured = errors[0]?.[1].startsWith("failed to configure") === true;
  return { ...status, message: messages[0] ?? "", ...(configured ? {} : { reason: "Invalid" }), details: { ...status.details, causes: messages.map((message) => ({ message })) } };
}

export interface PolicyRound {
  readonly object: KubeObject;
  readonly refusal: Status | undefined;
  readonly reinvocation: Reinvocation;
  /** Something changed: all mutating plugins get a second round. */
  readonly changed: boolean;
}

/** One round of all policies. In the second only those with reinvocationPolicy IfNeeded, and only if the object changed after them. */
export function runMutatingPolicies(object: KubeObject, attrs: AdmissionAttributes, round: 0 | 1, before: Reinvocation): PolicyRound {
  let reinvocation = firstOfRound(before, round, object);
  let current = object;
  let changed = false;
  const errors: (readonly [Invocation, string])[] = [];
  for (const invocation of invocationsFor("mutatingadmissionpolicies", "mutatingadmissionpolicybindings", object, attrs)) {
    if (invocation.error !== undefined) {
      errors.push([invocation, invocation.error]);
      continue;
    }
    const key = keyOf(invocation);
    if (round === 1 && !reinvocation.wanted.includes(key)) continue;
    const result = mutate(invocation, current, attrs);
    if (result === undefined) continue;
    if ("error" in result) errors.push([invocation, result.error]);
    else if (!semanticEqual(result, current)) {
      current = result;
      changed = true;
      reinvocation = requireReinvoking(reinvocation);
    }
    if (invocation.policy.spec?.reinvocationPolicy === "IfNeeded") reinvocation = wasInvoked(reinvocation, key);
  }
  return { object: current, refusal: refusal(object, attrs, errors), reinvocation: { ...reinvocation, output: current }, changed };
}

/** Changes by the cluster's owner, written in CEL: after the built-in plugins, before mutating webhooks. */
export const mutatingAdmissionPolicy = {
  name: "MutatingAdmissionPolicy",
  handles: (attrs) => attrs.operation !== "DELETE" && attrs.operation !== "CONNECT" && !isExempt(attrs),

  admit(object, attrs) {
    const done = runMutatingPolicies(object, attrs, 0, NOT_REINVOKED);
    return done.refusal ?? done.object;
  },
} satisfies AdmissionPlugin;
