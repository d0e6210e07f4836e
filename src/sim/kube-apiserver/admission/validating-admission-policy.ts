// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go
import { AdmissionEvaluation } from "../../api/cel/admission.ts";
import { isCelFailure, RUNTIME_COST_BUDGET } from "../../api/cel/cel.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { bindingsOf, matchConditions } from "./admission-bindings.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";
import { isExempt } from "./match-criteria.ts";
import { type Invocation, invocationsFor, type Validation } from "./policy.ts";

const MAX_MESSAGE = 5 * 1024;
const MAX_ANNOTATION = 10 * 1024;
const CODES: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422 };

interface Decision {
  readonly message: string;
  readonly reason: string;
  readonly index: number;
}

function messageOf(validation: Validation, evaluation: AdmissionEvaluation): string {
  let message = "";
  if ((validation.messageExpression ?? "") !== "") {
    const result = evaluation.run(validation.messageExpression ?? "", ["string"]);
    if (!isCelFailure(result) && typeof result.value === "string") message = result.value.trim();
    if (message.length > MAX_MESSAGE || message.includes("\n")) message = "";
  }
  return message || (validation.message ?? "").trim() || `failed expression: ${validation.expression.trim()}`;
}

/** What one policy says with one binding and parameter: its denials. Errors deny with failurePolicy Fail. */
function validate({ policy, param, matched }: Invocation, object: KubeObject | undefined, attrs: AdmissionAttributes, publish: (key: string, value: string) => void): readonly Decision[] {
  const spec = policy.spec ?? {};
  const failurePolicy = spec.failurePolicy ?? "Fail";
  const failed = (message: string, index = 0): readonly Decision[] => (failurePolicy === "Ignore" ? [] : [{ message, reason: "", index }]);
  const params = spec.paramKind !== undefined;
  const bindings = bindingsOf(object, attrs, matched, params ? param : undefined);
  const evaluate = (budget: number): AdmissionEvaluation => new AdmissionEvaluation(spec.variables ?? [], { params }, bindings, budget);
  const conditions = matchConditions(spec.matchConditions ?? [], evaluate(RUNTIME_COST_BUDGET), failurePolicy);
  if ("error" in conditions) return failed(conditions.error);
  if (!conditions.matches) return [];

  const evaluation = evaluate(RUNTIME_COST_BUDGET);
  const decisions: Decision[] = [];
  for (const [index, validation] of (spec.validations ?? []).entries()) {
    const result = evaluation.run(validation.expression, ["bool"]);
    if (isCelFailure(result)) {
      if (result.kind === "cost") return failed(result.error);
      decisions.push(...failed(result.error, index));
    } else if (result.value !== true) decisions.push({ message: messageOf(validation, evaluation), reason: validation.reason ?? "Invalid", index });
  }
  for (const { key, valueExpression } of spec.auditAnnotations ?? []) {
    const result = evaluation.run(valueExpression, ["string", "null_type", "dyn"]);
    if (isCelFailure(result)) decisions.push(...failed(result.error));
    else if (typeof result.value === "string" && result.value.trim() !== "") publish(key, result.value.trim().slice(0, MAX_ANNOTATION));
  }
  return decisions;
}

interface Denial {
  readonly invocation: Invocation;
  readonly decision: Decision;
}

function carryOut({ invocation, decision }: Denial, attrs: AdmissionAttributes): Denial | undefined {
  const { policy, binding } = invocation;
  const actions = binding?.spec?.validationActions ?? ["Deny"];
  const [policyName, bindingName] = [policy.metadata.name ?? "", binding?.metadata.name ?? ""];
  if (actions.includes("Warn")) attrs.warn?.(`Validation failed for ValidatingAdmissionPolicy '${policyName}' with binding '${bindingName}': ${decision.message}`);
  if (actions.includes("Audit")) attrs.audit?.("validation.policy.admission.k8s.io/validation_failure", JSON.stringify([{ message: decision.message, policy: policyName, binding: bindingName, expressionIndex: decision.index, validationActions: actions }]));
  return actions.includes("Deny") ? { invocation, decision } : undefined;
}

function denied(object: KubeObject | undefined, attrs: AdmissionAttributes, { invocation: { policy, binding }, decision }: Denial): Status {
  const message = `ValidatingAdmissionPolicy '${policy.metadata.name ?? ""}'${binding === undefined ? "" : ` with binding '${binding.metadata.name ?? ""}'`} denied request: ${decision.message}`;
  const status = forbid(attrs, object, message);
  const reason = decision.reason || "Invalid";
  return { ...status, reason, code: CODES[reason] ?? 422, details: { ...status.details, causes: [...(status.details?.causes ?? []), { message }] } };
}

/** Rules of the cluster's owner, written in CEL and stored in the cluster: no program to run. The first denial is the answer. */
export const validatingAdmissionPolicy = {
  name: "ValidatingAdmissionPolicy",
  handles: (attrs) => !isExempt(attrs),

  validate(object, attrs) {
    // On a DELETE there is no new object: expressions see null.
    const judged = attrs.operation === "DELETE" ? undefined : object;
    const annotations = new Map<string, string[]>();
    let first: Denial | undefined;
    for (const invocation of invocationsFor("validatingadmissionpolicies", "validatingadmissionpolicybindings", judged, attrs)) {
      const publish = (key: string, value: string): void => {
        const full = `${invocation.policy.metadata.name ?? ""}/${key}`;
        const known = annotations.get(full) ?? [];
        if (!known.includes(value)) annotations.set(full, [...known, value]);
      };
      if (invocation.error !== undefined) {
        if ((invocation.policy.spec?.failurePolicy ?? "Fail") !== "Ignore") first ??= { invocation, decision: { message: invocation.error, reason: "", index: 0 } };
        continue;
      }
      for (const decision of validate(invocation, judged, attrs, publish)) {
        const denial = carryOut({ invocation, decision }, attrs);
        first ??= denial;
      }
    }
    for (const [key, values] of annotations) attrs.audit?.(key, values.join(", "));
    return first === undefined ? undefined : denied(object, attrs, first);
  },
} satisfies AdmissionPlugin;
