// Models kubernetes/pkg/registry/rbac/{escalation_check.go,validation/rule.go,{role,clusterrole,rolebinding,clusterrolebinding}/policybased}
import { compactRules, missingRules, quoted, RBAC_GROUP, type PolicyRule, type RbacBinding, type RbacRole, ruleText } from "../../api/rbac.ts";
import { newForbidden, newNotFound } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { authorize } from "../filters/authorization.ts";
import type { User } from "../filters/authentication.ts";
import type { RequestInfo } from "../request-info.ts";
import type { ApiServerState, Run } from "../state.ts";
import { aggregate, roleReferenceRules, rulesFor } from "./rule-resolver.ts";

/** Nobody may grant what they do not hold. The text of the refusal; undefined when all is held. */
function confirmNoEscalation(state: ApiServerState, user: User, namespace: string, rules: readonly PolicyRule[]): string | undefined {
  const owned = rulesFor(state, user, namespace);
  const missing = missingRules(owned.rules, rules);
  if (missing.length === 0) return undefined;
  const texts = [...new Set(compactRules(missing).map(ruleText))].sort();
  const problem = owned.errors.length === 0 ? "" : `; resolution errors: ${aggregate(owned.errors)}`;
  return `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${texts.join("\n")}${problem}`;
}

/** An update that only lets the garbage collector do its work grants nothing. */
function onlyCollected(object: KubeObject, existing: KubeObject): boolean {
  const { ownerReferences: _a, finalizers: _b, resourceVersion: _c, managedFields: _d, ...meta } = object.metadata;
  const { ownerReferences: _e, finalizers: _f, resourceVersion: _g, managedFields: _h, ...oldMeta } = existing.metadata;
  return JSON.stringify({ ...object, metadata: meta }) === JSON.stringify({ ...existing, metadata: oldMeta });
}

const gathers = (role: RbacRole | undefined): boolean => (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

function roleProblem(state: ApiServerState, user: User, info: RequestInfo, role: RbacRole, existing: RbacRole | undefined): string | undefined {
  if (authorize(state, user, { ...info, verb: "escalate", subresource: "" }).allowed) return undefined;
  const problem = confirmNoEscalation(state, user, info.namespace, role.rules ?? []);
  if (problem !== undefined || (!gathers(role) && !gathers(existing))) return problem;
  // Who lets a role gather others' rules may come to grant anything.
  return confirmNoEscalation(state, user, "", FULL_AUTHORITY) === undefined ? undefined : "must have cluster-admin privileges to use the aggregationRule";
}

const FULL_AUTHORITY: readonly PolicyRule[] = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, { verbs: ["*"], nonResourceURLs: ["*"] }];

function bindingProblem(state: ApiServerState, user: User, info: RequestInfo, { roleRef }: RbacBinding): string | Status | undefined {
  const { namespace } = info;
  const resource = `${roleRef.kind.toLowerCase()}s`;
  if (authorize(state, user, { verb: "bind", group: roleRef.apiGroup ?? RBAC_GROUP, resource, subresource: "", namespace, name: roleRef.name, path: "" }).allowed) return undefined;
  const rules = roleReferenceRules(state, roleRef, namespace);
  if (typeof rules === "string") return newNotFound({ group: RBAC_GROUP, resource: roleRef.kind.toLowerCase() }, roleRef.name);
  return confirmNoEscalation(state, user, namespace, rules);
}

/** Before a role or binding is created or changed: the 403 for who would hand out more than they have. */
export function checkEscalation({ state, request }: Run, object: KubeObject, existing: KubeObject | undefined): Status | undefined {
  const { user, info } = request;
  if (info.group !== RBAC_GROUP || user === undefined || user.groups.includes("system:masters")) return undefined;
  if (existing !== undefined && onlyCollected(object, existing)) return undefined;
  const role = info.resource === "roles" || info.resource === "clusterroles";
  const problem = role ? roleProblem(state, user, info, object as RbacRole, existing as RbacRole | undefined) : bindingProblem(state, user, info, object as RbacBinding);
  if (typeof problem !== "string") return problem;
  return newForbidden({ group: RBAC_GROUP, resource: info.resource }, object.metadata.name ?? "", problem);
}
