// Models ValidateValidatingAdmissionPolicy* and ValidateMutatingAdmissionPolicy* of kubernetes/pkg/apis/admissionregistration/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isDNS1035Label, isDNS1123Subdomain } from "../names.ts";
import type { KubeObject, LabelSelector } from "../types.ts";
import { validateConditions } from "./conditions.ts";
import { each, eachText, isSet, type Json, json, list, named, oneOf, oneOf0, seenBefore, spec as specOf, text, validateLabelSelector, validateQualifiedName } from "./helpers.ts";
import { pathSegmentName } from "./object-meta.ts";
import { type CELSite, type CompileCEL, validateMatchConditions, validateRuleWithOperations } from "./webhooks.ts";

const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_AUDIT_EXPRESSION = 5120;
const MUTATING_OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];
const RESERVED = new Set(["as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop", "namespace", "null", "package", "return", "true", "var", "void", "while"]);

/** A policy's spec and what is needed to compile what stands in it. */
interface Policy {
  readonly spec: Json;
  readonly compile: CompileCEL | undefined;
}

function check(policy: Policy, expression: string, path: string, use: CELSite["use"], before = list(policy.spec["variables"]).length): readonly FieldError[] {
  const variables = list(policy.spec["variables"]).slice(0, before).map((v) => ({ name: text(json(v)["name"]), expression: text(json(v)["expression"]) }));
  return policy.compile?.(expression, path, { use, params: isSet(policy.spec["paramKind"]), variables }) ?? [];
}

function validateParamKind(kind: Json, path: string): FieldError[] {
  const version = text(kind["apiVersion"]);
  const at = `${path}.apiVersion`;
  const parts = version === "/" ? ["", ""] : version.split("/");
  const [group, name] = parts.length === 1 ? ["", parts[0] ?? ""] : [parts[0] ?? "", parts[1] ?? ""];
  const errors: FieldError[] = [];
  const joined = (field: string, value: string, bad: readonly string[], prefix = ""): void => {
    if (bad.length > 0) errors.push(invalid(field, value, prefix + bad.join(",")));
  };
  if (version === "") errors.push(required(at));
  else if (parts.length > 2) errors.push(invalid(at, version, `unexpected GroupVersion string: ${version}`));
  else {
    if (group !== "") joined(at, group, isDNS1123Subdomain(group));
    if (name === "") errors.push(invalid(at, version, "version must be specified"));
    else joined(at, name, isDNS1035Label(name));
  }
  const of = text(kind["kind"]);
  if (of === "") errors.push(required(`${path}.kind`));
  else joined(`${path}.kind`, of, isDNS1035Label(of.toLowerCase()), "may have mixed case, but should otherwise match: ");
  return errors;
}

function validateNamedRule(rule: Json, path: string): FieldError[] {
  const seen = seenBefore();
  return [...eachText(rule["resourceNames"], `${path}.resourceNames`, (name, at) => [...invalidEach(at, name, pathSegmentName(name)), ...(seen(name) ? [duplicate(at, name)] : [])]), ...validateRuleWithOperations(rule, path)];
}

function validateMatchResources(match: unknown, path: string): FieldError[] {
  if (!isSet(match)) return [];
  const m = json(match);
  const selector = (key: string): FieldError[] => (isSet(m[key]) ? validateLabelSelector(m[key] as LabelSelector, `${path}.${key}`) : [required(`${path}.${key}`)]);
  return [
    ...(isSet(m["matchPolicy"]) ? oneOf0(m["matchPolicy"], `${path}.matchPolicy`, ["Equivalent", "Exact"]) : [required(`${path}.matchPolicy`)]), ...selector("namespaceSelector"), ...selector("objectSelector"),
    ...each(m["resourceRules"], `${path}.resourceRules`, validateNamedRule), ...each(m["excludeResourceRules"], `${path}.excludeResourceRules`, validateNamedRule),
  ];
}

/** Nothing is left to change in what is deleted. */
const mutatingOperations = (match: unknown, path: string): FieldError[] =>
  list(json(match)["resourceRules"]).flatMap((rule) => list(json(rule)["operations"]).flatMap((operation) => (MUTATING_OPERATIONS.includes(text(operation)) ? [] : [notSupported(`${path}.resourceRules.operations`, operation, MUTATING_OPERATIONS)])));

function validateVariables(policy: Policy): FieldError[] {
  return each(policy.spec["variables"], "spec.variables", (variable, at, i) => {
    const name = text(variable["name"]);
    const expression = text(variable["expression"]);
    const errors: FieldError[] = [];
    if (name.trim() === "") errors.push(required(`${at}.name`, "name is not specified"));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED.has(name)) errors.push(invalid(`${at}.name`, name, "must be a valid CEL identifier"));
    return expression.trim() === "" ? [...errors, required(`${at}.expression`, "expression is not specified")] : [...errors, ...check(policy, expression, `${at}.expression`, "variable", i)];
  });
}

const hasNewlines = (value: string): boolean => /[\n\r]/.test(value);

function validateValidation(policy: Policy, validation: Json, path: string): FieldError[] {
  const [expression, message, messageExpression] = ["expression", "message", "messageExpression"].map((key) => text(validation[key]));
  const empty = (key: string, value: string): FieldError => invalid(`${path}.${key}`, value, "must be non-empty if specified");
  const errors: FieldError[] = [];
  if (!expression?.trim()) errors.push(required(`${path}.expression`, "expression is not specified"));
  else errors.push(...check(policy, expression, `${path}.expression`, "condition"));
  if (messageExpression) errors.push(...(messageExpression.trim() === "" ? [empty("messageExpression", messageExpression)] : check(policy, messageExpression, `${path}.messageExpression`, "message")));
  if (message) errors.push(...(message.trim() === "" ? [empty("message", message)] : hasNewlines(message.trim()) ? [invalid(`${path}.message`, message, "must not contain line breaks")] : []));
  return [...errors, ...oneOf0(validation["reason"], `${path}.reason`, ["Forbidden", "Invalid", "RequestEntityTooLarge"])];
}

function validateAuditAnnotations(policy: Policy, name: string): FieldError[] {
  const all = list(policy.spec["auditAnnotations"]);
  const path = "spec.auditAnnotations";
  const seen = seenBefore();
  return [
    ...(all.length > MAX_AUDIT_ANNOTATIONS ? [invalid(path, all.map((a) => ({ Key: json(a)["key"] ?? "", ValueExpression: json(a)["valueExpression"] ?? "" })), `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`)] : []),
    ...each(all, path, (annotation, at) => {
      const key = text(annotation["key"]);
      const expression = text(annotation["valueExpression"]).trim();
      const value = `${at}.valueExpression`;
      return [
        ...(name === "" ? [invalid(`${at}.key`, key, "requires metadata.name be non-empty")] : validateQualifiedName(`${name}/${key}`, `${at}.key`)),
        ...(expression === "" ? [required(value, "valueExpression is not specified")] : expression.length > MAX_AUDIT_EXPRESSION ? [required(value, `must not exceed ${MAX_AUDIT_EXPRESSION} bytes in length`)] : check(policy, expression, value, "audit")),
        ...(seen(key) ? [duplicate(`${at}.key`, key)] : []),
      ];
    }),
  ];
}

function validateMutation(policy: Policy, mutation: Json, path: string): FieldError[] {
  const type = text(mutation["patchType"]);
  const errors = oneOf(type, `${path}.patchType`, ["ApplyConfiguration", "JSONPatch"]);
  if (errors.length > 0) return errors;
  const [mine, other] = type === "JSONPatch" ? (["jsonPatch", "applyConfiguration"] as const) : (["applyConfiguration", "jsonPatch"] as const);
  const expression = text(json(mutation[mine])["expression"]).trim();
  if (!isSet(mutation[mine])) errors.push(required(`${path}.${mine}`, `must be specified when patchType is ${type}`));
  else errors.push(...(expression === "" ? [required(`${path}.${mine}.expression`)] : check(policy, expression, `${path}.${mine}.expression`, mine)));
  return isSet(mutation[other]) ? [...errors, invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)] : errors;
}

/** Both kinds of policy. */
export function validateAdmissionPolicy(object: KubeObject, compile: CompileCEL | undefined): FieldError[] {
  const spec = specOf(object);
  const policy: Policy = { spec, compile };
  const mutating = object.kind === "MutatingAdmissionPolicy";
  const constraints = spec["matchConstraints"];
  const errors: FieldError[] = isSet(spec["failurePolicy"]) ? oneOf0(spec["failurePolicy"], "spec.failurePolicy", ["Fail", "Ignore"]) : [required("spec.failurePolicy")];
  if (isSet(spec["paramKind"])) errors.push(...validateParamKind(json(spec["paramKind"]), "spec.paramKind"));
  if (!isSet(constraints)) errors.push(required("spec.matchConstraints"));
  else errors.push(...validateMatchResources(constraints, "spec.matchConstraints"), ...(list(json(constraints)["resourceRules"]).length === 0 ? [required("spec.matchConstraints.resourceRules")] : []), ...(mutating ? mutatingOperations(constraints, "spec.matchConstraints") : []));
  errors.push(...validateMatchConditions(spec["matchConditions"], "spec.matchConditions", compile, isSet(spec["paramKind"])), ...validateVariables(policy));
  if (mutating) {
    errors.push(...(list(spec["mutations"]).length === 0 ? [required("spec.mutations", "mutations must contain at least one item")] : each(spec["mutations"], "spec.mutations", (mutation, at) => validateMutation(policy, mutation, at))));
    return [...errors, ...oneOf(spec["reinvocationPolicy"], "spec.reinvocationPolicy", ["IfNeeded", "Never"])];
  }
  if (list(spec["validations"]).length === 0 && list(spec["auditAnnotations"]).length === 0) return [...errors, ...["validations", "auditAnnotations"].map((key) => required(`spec.${key}`, "validations or auditAnnotations must contain at least one item"))];
  return [...errors, ...each(spec["validations"], "spec.validations", (validation, at) => validateValidation(policy, validation, at)), ...validateAuditAnnotations(policy, object.metadata.name ?? "")];
}

function validateParamRef(ref: unknown, path: string): FieldError[] {
  if (!isSet(ref)) return [];
  const { name, selector, parameterNotFoundAction } = json(ref);
  const both = name && isSet(selector);
  const exclusive = (key: string): FieldError[] => (both ? [forbidden(`${path}.${key}`, "name and selector are mutually exclusive")] : []);
  return [
    ...(name ? [...invalidEach(`${path}.name`, name, pathSegmentName(text(name))), ...exclusive("name")] : []),
    ...(isSet(selector) ? [...validateLabelSelector(selector as LabelSelector, `${path}.selector`), ...exclusive("selector")] : []),
    ...(!name && !isSet(selector) ? [required(path, "one of name or selector must be specified")] : []), ...oneOf(parameterNotFoundAction, `${path}.parameterNotFoundAction`, ["Deny", "Allow"]),
  ];
}

function validateActions(actions: readonly string[], path: string): FieldError[] {
  const seen = seenBefore();
  const errors = eachText(actions, path, (action, at) => [...(["Audit", "Deny", "Warn"].includes(action) ? [] : [notSupported(at, action, ["Audit", "Deny", "Warn"])]), ...(seen(action) ? [duplicate(at, action)] : [])]);
  if (actions.includes("Deny") && actions.includes("Warn")) errors.push(invalid(path, actions, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)"));
  return actions.length === 0 ? [...errors, required(path, "at least one validation action is required")] : errors;
}

/** Both kinds of binding. */
export function validateAdmissionPolicyBinding(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const errors = [...named(spec["policyName"], "spec.policyName", isDNS1123Subdomain), ...validateParamRef(spec["paramRef"], "spec.paramRef"), ...validateMatchResources(spec["matchResources"], "spec.matchResources")];
  return object.kind === "MutatingAdmissionPolicyBinding" ? [...errors, ...mutatingOperations(spec["matchResources"], "spec.matchResources")] : [...errors, ...validateActions(list(spec["validationActions"]).map(text), "spec.validationActions")];
}

/** Simplified: upstream also parses the JSON paths of type checking's warnings. */
export function validateAdmissionPolicyStatus(object: KubeObject): FieldError[] {
  const status = json(object.status);
  const path = "status.typeChecking.expressionWarnings";
  const warnings = each(json(status["typeChecking"])["expressionWarnings"], path, (w, at) => [...(w["warning"] ? [] : [required(`${at}.warning`)]), ...(text(w["fieldRef"]).trim() === "" ? [required(`${at}.fieldRef`)] : [])]);
  return [...warnings, ...validateConditions(status["conditions"], "status.conditions")];
}
