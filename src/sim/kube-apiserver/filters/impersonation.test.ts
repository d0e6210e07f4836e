import { describe, expect, test } from "vitest";
import type { PolicyRule } from "../../api/rbac.ts";
import { isFailure } from "../../api/status-errors.ts";
import { stateWith } from "../testdata/state-with.ts";
import type { User } from "./authentication.ts";
import { impersonate, wantedUser } from "./impersonation.ts";

const user = (name: string, groups: readonly string[] = ["system:authenticated"], extra?: User["extra"]): User => ({ name, groups, ...(extra === undefined ? {} : { extra }) });
const LIST_PODS = { verb: "list", group: "", resource: "pods", subresource: "", namespace: "shop", name: "", path: "/api/v1/namespaces/shop/pods" };
const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[], resourceNames: readonly string[] = []): PolicyRule => ({ verbs, apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }) });

function tried(rules: readonly PolicyRule[], headers: Readonly<Record<string, string>>, who: User): unknown {
  const wanted = wantedUser(headers);
  if (wanted === undefined || isFailure(wanted)) return isFailure(wanted) ? wanted.message : "nothing asked";
  const got = impersonate(stateWith({ clusterRules: { bob: rules } }), who, wanted, LIST_PODS);
  return isFailure(got) ? got.message : [got.user.groups, got.constraint];
}

const BOB = user("bob");
const IN_POD = user("bob", ["system:authenticated"]);
const LEGACY = rule(["impersonate"], [""], ["users", "groups", "serviceaccounts"]);

describe("who may act as whom", () => {
  test.each<[string, readonly PolicyRule[], Readonly<Record<string, string>>, unknown]>([
    ["no headers", [], {}, "nothing asked"],
    ["groups alone", [], { "Impersonate-Group": "a\nb" }, 'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a", "b"}, Extra:map[string][]string(nil)} without impersonating a user name'],
    ["nothing held: the first mode's refusal", [], { "Impersonate-User": "jane" }, 'pods is forbidden: User "bob" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "shop"'],
    ["the verb of old", [LEGACY], { "Impersonate-User": "jane" }, [["system:authenticated"], ""]],
    ["with groups", [LEGACY], { "Impersonate-User": "jane", "Impersonate-Group": "devs" }, [["devs", "system:authenticated"], ""]],
    ["a service account has its groups", [LEGACY], { "Impersonate-User": "system:serviceaccount:shop:builder" }, [["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"], ""]],
    ["anonymous", [LEGACY], { "Impersonate-User": "system:anonymous" }, [["system:unauthenticated"], ""]],
    ["unauthenticated stays so", [LEGACY], { "Impersonate-User": "x", "Impersonate-Group": "system:unauthenticated" }, [["system:unauthenticated"], ""]],
    ["one user only", [rule(["impersonate"], [""], ["users"], ["ann"])], { "Impersonate-User": "jane" }, 'pods is forbidden: User "bob" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "shop"'],
    ["constrained", [rule(["impersonate-on:user-info:list"], [""], ["pods"]), rule(["impersonate:user-info"], ["authentication.k8s.io"], ["users"])], { "Impersonate-User": "jane" }, [["system:authenticated"], "impersonate:user-info"]],
    ["constrained, but not this user", [rule(["impersonate-on:user-info:list"], [""], ["pods"])], { "Impersonate-User": "jane" }, 'users.authentication.k8s.io "jane" is forbidden: User "bob" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope'],
    ["constrained, never masters", [rule(["impersonate-on:user-info:list"], [""], ["pods"]), rule(["impersonate:user-info"], ["authentication.k8s.io"], ["users", "groups"])], { "Impersonate-User": "jane", "Impersonate-Group": "system:masters" }, 'groups.authentication.k8s.io "system:masters" is forbidden: User "bob" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed'],
    ["a node", [rule(["impersonate-on:arbitrary-node:list"], [""], ["pods"]), rule(["impersonate:arbitrary-node"], ["authentication.k8s.io"], ["nodes"], ["n1"])], { "Impersonate-User": "system:node:n1" }, [["system:nodes", "system:authenticated"], "impersonate:arbitrary-node"]],
    ["an extra needs its own right", [LEGACY], { "Impersonate-User": "jane", "Impersonate-Extra-scopes": "view" }, 'pods is forbidden: User "bob" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "shop"'],
    ["an extra that is held", [LEGACY, rule(["impersonate"], ["authentication.k8s.io"], ["userextras/scopes"])], { "Impersonate-User": "jane", "Impersonate-Extra-scopes": "view" }, [["system:authenticated"], ""]],
  ])("%s", (_name, rules, headers, expected) => {
    expect(tried(rules, headers, BOB)).toEqual(expected);
  });

  test("an account acts as the node that its own Pod runs on, and as no other", () => {
    const agent = user("system:serviceaccount:shop:agent", IN_POD.groups, { "authentication.kubernetes.io/node-name": ["n1"] });
    const rules = [rule(["impersonate-on:associated-node:list"], [""], ["pods"]), rule(["impersonate:associated-node"], ["authentication.k8s.io"], ["nodes"])];
    const state = stateWith({ clusterRules: { "system:serviceaccount:shop:agent": rules } });
    const as = (node: string): unknown => impersonate(state, agent, { name: `system:node:${node}`, uid: "", groups: [], extra: {} }, LIST_PODS);
    expect(as("n1")).toMatchObject({ user: { name: "system:node:n1", groups: ["system:nodes", "system:authenticated"] }, constraint: "impersonate:associated-node" });
    expect(as("n2")).toMatchObject({ code: 403 });
  });
});
