import { describe, expect, test } from "vitest";
import { type Attributes, missingRules, type PolicyRule, ruleAllows, ruleText } from "../../api/rbac.ts";
import { aggregatedRules } from "../../api/rbac-aggregation.ts";
import type { KubeObject } from "../../api/types.ts";
import { authorize, forbiddenStatus } from "../filters/authorization.ts";
import type { User } from "../filters/authentication.ts";
import { stateWith } from "../testdata/state-with.ts";
import { boundAccounts, settledPolicy } from "./bootstrap-policy.ts";
import { checkEscalation } from "./escalation-check.ts";
import type { Run } from "../state.ts";

const user = (name: string, ...groups: readonly string[]): User => ({ name, groups: [...groups, "system:authenticated"] });
function ask(text: string, namespace = ""): Attributes {
  const [verb = "", target = "", name = ""] = text.split(" ");
  if (target.startsWith("/")) return { verb, group: "", resource: "", subresource: "", namespace: "", name: "", path: target };
  const [whole = "", group = ""] = target.split("@");
  const [resource = "", subresource = ""] = whole.split("/");
  return { verb, group, resource, subresource, namespace, name, path: "" };
}

describe("one rule", () => {
  const read: PolicyRule = { verbs: ["get", "list"], apiGroups: ["", "apps"], resources: ["pods", "deployments/scale", "*/status"] };
  test.each<[string, PolicyRule, boolean]>([
    ["get pods web", read, true], ["delete pods web", read, false], ["get pods/log web", read, false], ["get deployments@apps web", read, false], ["get deployments/scale@apps web", read, true],
    ["get nodes/status n", read, true], ["get nodes/proxy n", read, false], ["get pods@batch web", read, false],
    ["get pods web", { ...read, resourceNames: ["web"] }, true], ["get pods db", { ...read, resourceNames: ["web"] }, false], ["list pods", { ...read, resourceNames: ["web"] }, false],
    ["fly pods", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, true], ["get pods/log", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, true],
    ["get /healthz/etcd", { verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, true], ["get /healthz", { verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, false], ["get /x", { verbs: ["*"], nonResourceURLs: ["*"] }, true], ["get /x", { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }, false],
  ])("%s by %j: %s", (asked, rule, allowed) => {
    expect(ruleAllows(rule, ask(asked))).toBe(allowed);
  });
});

const POLICY = settledPolicy();
const role = (name: string): { readonly rules?: readonly PolicyRule[] } | undefined => POLICY.find((object) => object.kind === "ClusterRole" && object.metadata.name === name) as never;

describe("the default policy", () => {
  const state = stateWith({ objects: POLICY });
  test.each<[User, string, string, boolean]>([
    [user("kubernetes-admin", "kubeadm:cluster-admins"), "delete nodes n1", "", true], [user("x", "system:masters"), "get /metrics", "", true], [user("jane"), "list pods", "default", false], [user("jane"), "create selfsubjectaccessreviews@authorization.k8s.io", "", true],
    [user("jane"), "get /openapi/v3", "", true], [user("jane"), "get /metrics", "", false], [{ name: "system:anonymous", groups: ["system:unauthenticated"] }, "get /version", "", true], [{ name: "system:anonymous", groups: ["system:unauthenticated"] }, "get /api", "", false],
    [{ name: "system:anonymous", groups: ["system:unauthenticated"] }, "get configmaps cluster-info", "kube-public", true], [user("system:kube-scheduler"), "create pods/binding web", "default", true], [user("system:kube-scheduler"), "delete nodes n1", "", false], [user("system:kube-controller-manager"), "list widgets@example.com", "", true],
    [user("system:kube-scheduler"), "update leases@coordination.k8s.io x", "kube-system", true], [user("system:kube-scheduler"), "update leases@coordination.k8s.io x", "default", false],
    [user("system:serviceaccount:kube-system:deployment-controller"), "create replicasets@apps", "default", true], [user("system:serviceaccount:kube-system:deployment-controller"), "create pods", "default", false],
    [user("system:serviceaccount:kube-system:coredns"), "watch endpointslices@discovery.k8s.io", "", true], [user("system:serviceaccount:kube-system:kube-proxy"), "watch services", "", true], [user("system:serviceaccount:default:default"), "list pods", "default", false],
  ])("%j %s in %j: %s", (who, asked, namespace, allowed) => {
    expect(authorize(state, who, ask(asked, namespace)).allowed).toBe(allowed);
  });

  test("edit has what view has, admin what edit has; rules of Secrets are not viewed", () => {
    const covers = (name: string, asked: string): boolean => (role(name)?.rules ?? []).some((rule) => ruleAllows(rule, ask(asked, "x")));
    expect(["view", "edit", "admin"].map((name) => covers(name, "get configmaps a"))).toEqual([true, true, true]);
    expect(["view", "edit", "admin"].map((name) => covers(name, "get secrets a"))).toEqual([false, true, true]);
    expect(["view", "edit", "admin"].map((name) => covers(name, "create rolebindings@rbac.authorization.k8s.io"))).toEqual([false, false, true]);
    expect(boundAccounts()).toContain("persistent-volume-binder");
  });

  test("a new role with the label joins an aggregate", () => {
    const roles = POLICY.filter((object) => object.kind === "ClusterRole");
    const added = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "widgets", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } }, rules: [{ verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] }] } as KubeObject;
    const view = roles.find((object) => object.metadata.name === "view") as never;
    expect(aggregatedRules(view, [...roles, added] as never).at(-1)).toEqual((added as { rules?: PolicyRule[] }).rules?.[0]);
  });
});

describe("texts of refusals", () => {
  const rbac = "rbac.authorization.k8s.io";
  const binding = (name: string, to: string): KubeObject => ({ apiVersion: `${rbac}/v1`, kind: "ClusterRoleBinding", metadata: { name }, subjects: [{ kind: "User", name: "jane" }], roleRef: { apiGroup: rbac, kind: "ClusterRole", name: to } }) as KubeObject;
  const refused = (objects: readonly KubeObject[], who: User, asked: Attributes): string | undefined => {
    const { allowed, reason } = authorize(stateWith({ objects }), who, asked);
    return allowed ? undefined : forbiddenStatus(who, asked, reason).message;
  };
  test.each<[readonly KubeObject[], User, Attributes, string]>([
    [[], user("jane"), ask("get namespaces shop", "shop"), 'namespaces "shop" is forbidden: User "jane" cannot get resource "namespaces" in API group "" in the namespace "shop"'],
    [[], user("jane"), ask("update deployments/scale@apps web", "shop"), 'deployments.apps "web" is forbidden: User "jane" cannot update resource "deployments/scale" in API group "apps" in the namespace "shop"'],
    [[], user("jane"), ask("get /metrics"), 'forbidden: User "jane" cannot get path "/metrics"'],
    [[binding("a", "esc")], user("jane"), ask("list nodes"), 'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope: RBAC: clusterrole.rbac.authorization.k8s.io "esc" not found'],
    [[binding("a", "esc"), binding("b", "two"), binding("c", "esc")], user("jane"), ask("list nodes"), 'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope: RBAC: [clusterrole.rbac.authorization.k8s.io "esc" not found, clusterrole.rbac.authorization.k8s.io "two" not found]'],
    [[], user("system:node:n1", "system:nodes"), ask("get secrets db", "shop"), 'secrets "db" is forbidden: User "system:node:n1" cannot get resource "secrets" in API group "" in the namespace "shop": no relationship found between node \'n1\' and this object'],
  ])("%#", (objects, who, asked, text) => {
    expect(refused(objects, who, asked)).toBe(text);
  });
});

describe("nobody grants what they do not hold", () => {
  const rbac = "rbac.authorization.k8s.io";
  const pods: PolicyRule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
  const reader = { apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name: "reader", namespace: "shop" }, rules: [pods] } as KubeObject;
  const newRole = (rules: readonly PolicyRule[]): KubeObject => ({ apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name: "r", namespace: "shop" }, rules }) as KubeObject;
  const newBinding = (name: string): KubeObject => ({ apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata: { name: "b", namespace: "shop" }, subjects: [], roleRef: { apiGroup: rbac, kind: "Role", name } }) as KubeObject;
  const check = (held: readonly PolicyRule[], object: KubeObject, existing?: KubeObject): string | undefined => {
    const state = stateWith({ objects: [reader], clusterRules: { jane: held } });
    const info = { verb: "create", path: "", group: rbac, version: "v1", resource: `${object.kind.toLowerCase()}s`, subresource: "", namespace: "shop", name: "", api: undefined };
    return checkEscalation({ state, request: { user: user("jane"), info } } as unknown as Run, object, existing)?.message;
  };
  test.each<[string, readonly PolicyRule[], KubeObject, string | undefined]>([
    ["held", [pods], newRole([pods]), undefined],
    ["a part is missing", [pods], newRole([{ verbs: ["get", "delete"], apiGroups: [""], resources: ["pods", "secrets"] }]), 'roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}'],
    ["named only", [{ ...pods, resourceNames: ["web"] }], newRole([{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]), 'roles.rbac.authorization.k8s.io "r" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ["escalate", [{ verbs: ["escalate"], apiGroups: [rbac], resources: ["roles"] }], newRole([{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]), undefined],
    ["a role that is held may be bound", [pods], newBinding("reader"), undefined],
    ["a role that is not held may not", [], newBinding("reader"), 'rolebindings.rbac.authorization.k8s.io "b" is forbidden: user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}'],
    ["bind", [{ verbs: ["bind"], apiGroups: [rbac], resources: ["roles"], resourceNames: ["reader"] }], newBinding("reader"), undefined],
    ["no such role", [], newBinding("nope"), 'role.rbac.authorization.k8s.io "nope" not found'],
  ])("%s", (_name, held, object, text) => {
    expect(check(held, object)).toBe(text);
  });

  test("rules are compared in their smallest parts", () => {
    expect(missingRules([{ verbs: ["*"], nonResourceURLs: ["/api/*"] }], [{ verbs: ["get"], nonResourceURLs: ["/api/v1", "/metrics"] }]).map(ruleText)).toEqual(['{NonResourceURLs:["/metrics"], Verbs:["get"]}']);
    expect(missingRules([{ verbs: ["get"], apiGroups: ["*"], resources: ["*/scale"] }], [{ verbs: ["get"], apiGroups: ["apps"], resources: ["deployments/scale", "deployments"] }]).map(ruleText)).toEqual(['{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}']);
  });
});

describe("what a kubelet may do", () => {
  const pod = (name: string, nodeName: string, spec: object, annotations?: Readonly<Record<string, string>>): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "shop", ...(annotations ? { annotations } : {}) }, spec: { nodeName, containers: [{ name: "c" }], serviceAccountName: "sa", ...spec } });
  const state = stateWith({
    objects: [
      pod("a", "n1", { volumes: [{ name: "v", secret: { secretName: "tls" } }, { name: "p", projected: { sources: [{ configMap: { name: "conf" } }] } }, { name: "d", persistentVolumeClaim: { claimName: "data" } }, { name: "e", ephemeral: {} }], imagePullSecrets: [{ name: "pull" }] }),
      pod("b", "n2", { containers: [{ name: "c", env: [{ name: "X", valueFrom: { secretKeyRef: { name: "env", key: "k" } } }], envFrom: [{ configMapRef: { name: "all" } }] }] }),
      pod("mirror", "n1", { volumes: [{ name: "v", secret: { secretName: "stolen" } }] }, { "kubernetes.io/config.mirror": "x" }),
      { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv" }, spec: { claimRef: { namespace: "shop", name: "data" } } },
      { apiVersion: "storage.k8s.io/v1", kind: "VolumeAttachment", metadata: { name: "va" }, spec: { nodeName: "n1" } } as KubeObject,
    ],
  });
  const storage = "storage.k8s.io";
  test.each<[string, string, readonly [boolean, boolean]]>([
    ["get secrets tls", "shop", [true, false]], ["get secrets tls", "other", [false, false]], ["watch secrets pull", "shop", [true, false]], ["get secrets env", "shop", [false, true]], ["get secrets stolen", "shop", [false, false]], ["list secrets", "shop", [false, false]], ["delete secrets tls", "shop", [false, false]],
    ["get configmaps conf", "shop", [true, false]], ["get configmaps all", "shop", [false, true]], ["get persistentvolumeclaims data", "shop", [true, false]], ["get persistentvolumeclaims a-e", "shop", [true, false]], ["get persistentvolumes pv", "", [true, false]], [`get volumeattachments@${storage} va`, "", [true, false]],
    ["create serviceaccounts/token sa", "shop", [true, true]], ["create serviceaccounts/token root", "shop", [false, false]], ["get pods a", "shop", [true, false]], ["list pods", "", [false, false]], ["update pods/status a", "shop", [true, true]], ["delete pods a", "shop", [true, true]],
    ["get nodes n1", "", [true, false]], ["list nodes", "", [false, false]], ["patch nodes/status n1", "", [true, true]], ["update leases@coordination.k8s.io n1", "kube-node-lease", [true, false]], ["update leases@coordination.k8s.io n1", "kube-system", [false, false]], [`get csinodes@${storage} n1`, "", [true, false]], ["list services", "", [true, true]], ["list deployments@apps", "", [false, false]], ["create events", "shop", [true, true]],
  ])("%s in %j: n1, n2 %j", (asked, namespace, expected) => {
    expect(["n1", "n2"].map((node) => authorize(state, user(`system:node:${node}`, "system:nodes"), ask(asked, namespace)).allowed)).toEqual(expected);
  });
  test("Pods are listed by their node", () => {
    const list = (nodeName: string): boolean => authorize(state, user("system:node:n1", "system:nodes"), ask("watch pods"), { "spec.nodeName": nodeName }).allowed;
    expect([list("n1"), list("n2")]).toEqual([true, false]);
  });
});
