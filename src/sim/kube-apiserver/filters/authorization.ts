// Models kubernetes/pkg/kubeapiserver/authorizer/reload.go (Node,RBAC as kubeadm sets it) and plugin/pkg/auth/authorizer/rbac
import { newForbidden, newRbacForbidden } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { type RequestInfo, resourceText } from "../request-info.ts";
import type { User } from "./authentication.ts";

/** A permission taken away by the fault "authz.denied". Empty fields match everything. */
export interface DenyRule {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
}

/** Reads RBAC objects from the server's own caches. */
export type Lister = (resource: string, namespace?: string) => readonly KubeObject[];

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Roles that a binding names and nobody made: part of RBAC's refusal. */
  readonly problem?: string;
}

export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}
interface Bound {
  readonly subjects?: readonly Subject[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

/** Users whose bootstrap ClusterRoles are modelled as a whole. */
const COMPONENTS = new Set(["system:kube-scheduler", "system:kube-controller-manager", "system:kube-proxy", "system:apiserver"]);
const NON_RESOURCE = ["/healthz", "/livez", "/readyz", "/version", "/api", "/apis", "/openapi"];

const anyOf = (pattern: string, value: string): boolean => pattern === "" || pattern === "*" || pattern === value;

function denied(rules: readonly DenyRule[], user: User, info: RequestInfo): boolean {
  return rules.some((rule) => anyOf(rule.user, user.name) && anyOf(rule.verb, info.verb) && (anyOf(rule.resource, info.resource) || rule.resource === resourceText(info)) && anyOf(rule.namespace, info.namespace));
}

function ruleAllows(rule: PolicyRule, info: RequestInfo): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes("*") === true || list?.includes(value) === true;
  if (info.resource === "") return has(rule.verbs, info.verb) && (rule.nonResourceURLs ?? []).some((url) => url === "*" || url === info.path || (url.endsWith("*") && info.path.startsWith(url.slice(0, -1))));
  const resource = resourceText(info);
  const named = rule.resourceNames === undefined || rule.resourceNames.length === 0 || rule.resourceNames.includes(info.name);
  const fits = has(rule.resources, resource) || (info.subresource !== "" && rule.resources?.includes(`*/${info.subresource}`) === true);
  return has(rule.verbs, info.verb) && has(rule.apiGroups, info.group) && fits && named;
}

function isSubject(subject: Subject, user: User, bindingNamespace: string): boolean {
  if (subject.kind === "User") return subject.name === user.name;
  if (subject.kind === "Group") return user.groups.includes(subject.name);
  return user.name === `system:serviceaccount:${subject.namespace ?? bindingNamespace}:${subject.name}`;
}

const rulesOf = (role: KubeObject | undefined): readonly PolicyRule[] => (role as { readonly rules?: readonly PolicyRule[] } | undefined)?.rules ?? [];

/** RBAC only ever allows: cluster-wide bindings first, then those of the namespace. */
function rbac(user: User, info: RequestInfo, lister: Lister): Decision | undefined {
  const clusterRole = (name: string): KubeObject | undefined => lister("clusterroles").find((role) => role.metadata.name === name);
  for (const binding of lister("clusterrolebindings")) {
    const { subjects, roleRef } = binding as Bound;
    if (subjects?.some((subject) => isSubject(subject, user, "")) && rulesOf(clusterRole(roleRef?.name ?? "")).some((rule) => ruleAllows(rule, info))) return { allowed: true, reason: `ClusterRoleBinding ${binding.metadata.name ?? ""} to ClusterRole ${roleRef?.name ?? ""}` };
  }
  if (info.namespace === "" || info.resource === "") return undefined;
  for (const binding of lister("rolebindings", info.namespace)) {
    const { subjects, roleRef } = binding as Bound;
    if (!subjects?.some((subject) => isSubject(subject, user, info.namespace))) continue;
    const role = roleRef?.kind === "ClusterRole" ? clusterRole(roleRef.name) : lister("roles", info.namespace).find((candidate) => candidate.metadata.name === roleRef?.name);
    if (rulesOf(role).some((rule) => ruleAllows(rule, info))) return { allowed: true, reason: `RoleBinding ${binding.metadata.name ?? ""} to ${roleRef?.kind ?? ""} ${roleRef?.name ?? ""}` };
  }
  return undefined;
}

/** The authorizers in order: system:masters, Node, RBAC. Nobody's opinion is a refusal. */
export function authorize(user: User, info: RequestInfo, lister: Lister, denyRules: readonly DenyRule[]): Decision {
  if (denyRules.length > 0 && denied(denyRules, user, info)) return { allowed: false, reason: "" };
  if (user.groups.includes("system:masters")) return { allowed: true, reason: "group system:masters" };
  if (user.groups.includes("kubeadm:cluster-admins")) return { allowed: true, reason: "ClusterRoleBinding kubeadm:cluster-admins to ClusterRole cluster-admin" };
  // Simplified: the Node authorizer's graph (only Secrets and ConfigMaps of its own Pods) is not built; nodes are trusted.
  if (user.groups.includes("system:nodes")) return { allowed: true, reason: "Node authorizer: a kubelet about its own node" };
  // Simplified: the bootstrap ClusterRoles of the built-in components are taken as covering what these components ask.
  if (COMPONENTS.has(user.name)) return { allowed: true, reason: `ClusterRoleBinding ${user.name}` };
  if (user.groups.includes("system:serviceaccounts:kube-system")) return { allowed: true, reason: `ClusterRoleBinding of ${user.name}` };
  if (info.resource === "" && info.verb === "get" && user.groups.includes("system:authenticated") && NON_RESOURCE.some((path) => info.path === path || info.path.startsWith(`${path}/`))) return { allowed: true, reason: "ClusterRoleBinding system:discovery" };
  if (info.resource.startsWith("selfsubject") && user.groups.includes("system:authenticated")) return { allowed: true, reason: "ClusterRoleBinding system:basic-user" };
  return rbac(user, info, lister) ?? { allowed: false, reason: "no authorizer allows it", ...problemsOf(user, info.namespace, lister) };
}

/** Bindings of the user, cluster-wide ones first, each with its role. */
function boundRoles(user: User, namespace: string, lister: Lister): readonly { readonly name: string; readonly kind: string; readonly role: KubeObject | undefined }[] {
  const mine = (binding: KubeObject, place: string): boolean => (binding as Bound).subjects?.some((subject) => isSubject(subject, user, place)) === true;
  const cluster = lister("clusterrolebindings").filter((binding) => mine(binding, ""));
  const local = namespace === "" ? [] : lister("rolebindings", namespace).filter((binding) => mine(binding, namespace));
  return [...cluster, ...local].map((binding) => {
    const { kind = "", name = "" } = (binding as Bound).roleRef ?? {};
    const roles = kind === "ClusterRole" ? lister("clusterroles") : lister("roles", namespace);
    return { name, kind, role: roles.find((role) => role.metadata.name === name) };
  });
}

function problemsOf(user: User, namespace: string, lister: Lister): { readonly problem?: string } {
  const missing = boundRoles(user, namespace, lister).filter(({ role }) => role === undefined).map(({ kind, name }) => `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`);
  return missing.length === 0 ? {} : { problem: `RBAC: ${missing.length === 1 ? (missing[0] ?? "") : `[${missing.join(", ")}]`}` };
}

/** Every rule that RBAC has for a user in a namespace. */
export function rulesFor(user: User, namespace: string, lister: Lister): readonly PolicyRule[] {
  const own = boundRoles(user, namespace, lister).flatMap(({ role }) => rulesOf(role));
  const all = user.groups.includes("system:masters") || user.groups.includes("kubeadm:cluster-admins") ? EVERYTHING : [];
  const stored = lister("clusterroles").some(({ metadata }) => metadata.name === "system:basic-user");
  return [...all, ...own, ...(stored || !user.groups.includes("system:authenticated") ? [] : AUTHENTICATED)];
}

const EVERYTHING: readonly PolicyRule[] = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, { verbs: ["*"], nonResourceURLs: ["*"] }];
/** What the bootstrap roles basic-user, discovery and public-info-viewer give to everybody, where a world does not store them. */
const AUTHENTICATED: readonly PolicyRule[] = [
  { verbs: ["create"], apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"] }, { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
  { verbs: ["get"], nonResourceURLs: ["/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/"] }, { verbs: ["get"], nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"] },
];

/** The 403 of a refusal, with RBAC's exact text. */
export function forbiddenStatus(user: User, info: RequestInfo, problem?: string): Status {
  if (info.resource === "") {
    const status = newForbidden({ resource: "" }, "", `User ${JSON.stringify(user.name)} cannot ${info.verb} path ${JSON.stringify(info.path)}`);
    return { ...status, message: `forbidden: User ${JSON.stringify(user.name)} cannot ${info.verb} path ${JSON.stringify(info.path)}`, details: {} };
  }
  const { verb, group, resource, subresource, namespace, name } = info;
  const status = newRbacForbidden({ user: user.name, verb, group, resource, subresource, namespace: resource === "namespaces" ? "" : namespace, name });
  return problem === undefined ? status : { ...status, message: `${status.message ?? ""}: ${problem}` };
}
