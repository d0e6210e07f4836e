// Models kubernetes/pkg/kubeapiserver/authorizer/reload.go (Node,RBAC as kubeadm sets it) and plugin/pkg/auth/authorizer/rbac/rbac.go
import { type Attributes, ruleAllows } from "../../api/rbac.ts";
import { newForbidden, newRbacForbidden } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";
import { type FieldSelection, nodeOpinion } from "../rbac/node-authorizer.ts";
import { aggregate, type Decision, decisionsFor, grantsFor } from "../rbac/rule-resolver.ts";
import type { ApiServerState } from "../state.ts";
import type { User } from "./authentication.ts";

/** A permission taken away by the fault "authz.denied". Empty fields match everything. */
export interface DenyRule {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
}

const anyOf = (pattern: string, value: string): boolean => pattern === "" || pattern === "*" || pattern === value;
const NO_FIELDS: FieldSelection = {};

function denied(rules: readonly DenyRule[], user: User, { verb, resource, subresource, namespace }: Attributes): boolean {
  return rules.some((rule) => anyOf(rule.user, user.name) && anyOf(rule.verb, verb) && (anyOf(rule.resource, resource) || rule.resource === `${resource}/${subresource}`) && anyOf(rule.namespace, namespace));
}

/** RBAC only ever allows. Roles that bindings name and nobody made are part of its answer. */
function rbac(state: ApiServerState, user: User, asked: Attributes): Decision {
  const decisions = decisionsFor(state, user);
  let decision = decisions.get(asked);
  if (decision === undefined) {
    decision = decide(state, user, asked);
    decisions.set(asked, decision);
  }
  return decision;
}

function decide(state: ApiServerState, user: User, asked: Attributes): Decision {
  const errors: string[] = [];
  for (const grants of grantsFor(state, user, asked.namespace)) {
    for (const { source, rules, error } of grants) {
      if (rules.some((rule) => ruleAllows(rule, asked))) return { allowed: true, reason: `RBAC: allowed by ${source}` };
      if (error !== undefined) errors.push(error);
    }
  }
  return { allowed: false, reason: errors.length === 0 ? "" : `RBAC: ${aggregate(errors)}` };
}

const MASTERS: Decision = { allowed: true, reason: "" };
const REFUSED: Decision = { allowed: false, reason: "" };
const NODE: Decision = { allowed: true, reason: "" };

/** The authorizers in order: system:masters, Node, RBAC. Nobody's opinion is a refusal. */
export function authorize(state: ApiServerState, user: User, asked: Attributes, fields: FieldSelection = NO_FIELDS): Decision {
  if (state.denied.length > 0 && denied(state.denied, user, asked)) return REFUSED;
  if (user.groups.includes("system:masters")) return MASTERS;
  const node = nodeOpinion(state, user, asked, fields);
  if (node === "") return NODE;
  const decision = rbac(state, user, asked);
  if (decision.allowed || node === undefined || node.reason === "") return decision;
  return { allowed: false, reason: decision.reason === "" ? node.reason : `${node.reason}\n${decision.reason}` };
}

/** The 403 of a refusal, with the authorizers' reason behind it. */
export function forbiddenStatus(user: User, asked: Attributes, reason: string): Status {
  const because = reason === "" ? "" : `: ${reason}`;
  if (asked.resource === "") {
    const text = `User ${JSON.stringify(user.name)} cannot ${asked.verb} path ${JSON.stringify(asked.path)}${because}`;
    return { ...newForbidden({ resource: "" }, "", text), message: `forbidden: ${text}`, details: {} };
  }
  const status = newRbacForbidden({ ...asked, user: user.name });
  return because === "" ? status : { ...status, message: `${status.message ?? ""}${because}` };
}
