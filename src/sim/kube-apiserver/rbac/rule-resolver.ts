// Models kubernetes/pkg/registry/rbac/validation/rule.go (DefaultRuleResolver)
import { type Attributes, type PolicyRule, RBAC_GROUP, type RbacBinding, type RbacRole, type RbacSubject, type RoleRef } from "../../api/rbac.ts";
import type { KubeObject } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { User } from "../filters/authentication.ts";
import type { ApiServerState } from "../state.ts";
import { objectsIn } from "../watch-cache/lookup.ts";

/** The rules that one binding gives a user, or why its role cannot be read. */
export interface Grant {
  /** `ClusterRoleBinding "x" of ClusterRole "y" to User "jane"` */
  readonly source: string;
  readonly rules: readonly PolicyRule[];
  readonly error?: string;
}

/** What the server's own informers say about RBAC at one moment. */
interface Policy {
  readonly clusterRoles: PMap<KubeObject>;
  readonly clusterRoleBindings: PMap<KubeObject>;
  readonly roles: PMap<KubeObject>;
  readonly roleBindings: PMap<KubeObject>;
  readonly byUser: WeakMap<User, Known>;
}

/** What was found out about one user. */
interface Known {
  readonly grants: Map<string, readonly Grant[]>;
  readonly decisions: WeakMap<Attributes, Decision>;
}

export interface Decision {
  readonly allowed: boolean;
  /** What allowed it, or what the authorizers had to say; often "". */
  readonly reason: string;
}

/** Policies by their cluster role bindings: a request finds that of its moment without reading an object. */
const known = new WeakMap<PMap<KubeObject>, Policy>();

function policyOf(state: ApiServerState): Policy {
  const clusterRoles = objectsIn(state, "clusterroles");
  const clusterRoleBindings = objectsIn(state, "clusterrolebindings");
  const roles = objectsIn(state, "roles");
  const roleBindings = objectsIn(state, "rolebindings");
  const found = known.get(clusterRoleBindings);
  if (found !== undefined && found.clusterRoles === clusterRoles && found.roles === roles && found.roleBindings === roleBindings) return found;
  const policy: Policy = { clusterRoles, clusterRoleBindings, roles, roleBindings, byUser: new WeakMap() };
  known.set(clusterRoleBindings, policy);
  return policy;
}

function appliesTo(subject: RbacSubject, user: User, namespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.name;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount": {
      const home = subject.namespace ?? namespace;
      return home !== "" && user.name === `system:serviceaccount:${home}:${subject.name}`;
    }
    default:
      return false;
  }
}

const describeSubject = ({ kind, name, namespace }: RbacSubject, home: string): string => `${kind} ${JSON.stringify(kind === "ServiceAccount" ? `${name}/${namespace ?? home}` : name)}`;

function roleOf(policy: Policy, { kind, name }: RoleRef, namespace: string): RbacRole | string {
  if (kind !== "Role" && kind !== "ClusterRole") return `unsupported role reference kind: ${JSON.stringify(kind)}`;
  const role = kind === "ClusterRole" ? policy.clusterRoles.get(name) : policy.roles.get(`${namespace}/${name}`);
  return (role as RbacRole | undefined) ?? `${kind.toLowerCase()}.${RBAC_GROUP} ${JSON.stringify(name)} not found`;
}

function grantOf(policy: Policy, binding: RbacBinding, user: User, namespace: string): Grant | undefined {
  const subject = binding.subjects?.find((candidate) => appliesTo(candidate, user, namespace));
  if (subject === undefined) return undefined;
  const { roleRef } = binding;
  const role = roleOf(policy, roleRef, namespace);
  const { name = "" } = binding.metadata;
  const source = `${namespace === "" ? "ClusterRoleBinding" : "RoleBinding"} ${JSON.stringify(namespace === "" ? name : `${name}/${namespace}`)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, namespace)}`;
  return typeof role === "string" ? { source, rules: [], error: role } : { source, rules: role.rules ?? [] };
}

function findGrants(policy: Policy, user: User, namespace: string): readonly Grant[] {
  const bindings = namespace === "" ? policy.clusterRoleBindings : policy.roleBindings;
  const grants: Grant[] = [];
  for (const binding of bindings.sortedValues()) {
    if (namespace !== "" && binding.metadata.namespace !== namespace) continue;
    const grant = grantOf(policy, binding as RbacBinding, user, namespace);
    if (grant !== undefined) grants.push(grant);
  }
  return grants;
}

function knownOf(policy: Policy, user: User): Known {
  let mine = policy.byUser.get(user);
  if (mine === undefined) {
    mine = { grants: new Map(), decisions: new WeakMap() };
    policy.byUser.set(user, mine);
  }
  return mine;
}

/** The user's grants of the whole cluster, or of one namespace alone. */
function grantsIn(policy: Policy, user: User, namespace: string): readonly Grant[] {
  const { grants: mine } = knownOf(policy, user);
  let grants = mine.get(namespace);
  if (grants === undefined) {
    grants = findGrants(policy, user, namespace);
    mine.set(namespace, grants);
  }
  return grants;
}

/** Decisions of this policy about the user's requests; a path is asked for again and again with the same attributes. */
export const decisionsFor = (state: ApiServerState, user: User): WeakMap<Attributes, Decision> => knownOf(policyOf(state), user).decisions;

/** Every binding that names the user: of the cluster first, then of the namespace ("" for none). */
export function grantsFor(state: ApiServerState, user: User, namespace: string): readonly (readonly Grant[])[] {
  const policy = policyOf(state);
  return namespace === "" ? [grantsIn(policy, user, "")] : [grantsIn(policy, user, ""), grantsIn(policy, user, namespace)];
}

/** All rules that hold for the user in a namespace, and what could not be read. */
export function rulesFor(state: ApiServerState, user: User, namespace: string): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
  const grants = grantsFor(state, user, namespace).flat();
  return { rules: grants.flatMap((grant) => grant.rules), errors: grants.flatMap(({ error }) => (error === undefined ? [] : [error])) };
}

/** The rules that a roleRef stands for in a namespace; a text when there is no such role. */
export function roleReferenceRules(state: ApiServerState, roleRef: RoleRef, namespace: string): readonly PolicyRule[] | string {
  const role = roleOf(policyOf(state), roleRef, namespace);
  return typeof role === "string" ? role : (role.rules ?? []);
}

/** Go's aggregate of errors: each once, in brackets when there are several. */
export function aggregate(errors: readonly string[]): string {
  const once = [...new Set(errors)];
  return once.length === 1 ? (once[0] ?? "") : `[${once.join(", ")}]`;
}
