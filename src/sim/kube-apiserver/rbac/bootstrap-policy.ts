// Models kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy and cmd/kubeadm/app/phases (what kubeadm binds on top)
import { aggregatedRules } from "../../api/rbac-aggregation.ts";
import { type PolicyRule, RBAC_GROUP, type RbacBinding, type RbacRole, type RbacSubject } from "../../api/rbac.ts";
import type { KubeObject } from "../../api/types.ts";
import { ADDED_BINDINGS, ADDED_CLUSTER_BINDINGS, ADDED_CLUSTER_ROLES, ADDED_ROLES } from "./added-policy.ts";
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES } from "./policy.generated.ts";

const VERBS: Readonly<Record<string, string>> = { g: "get", l: "list", w: "watch", c: "create", u: "update", p: "patch", d: "delete", D: "deletecollection" };
const API_VERSION = `${RBAC_GROUP}/v1`;
export const AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
const AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";
const DEFAULTS = { labels: { "kubernetes.io/bootstrapping": "rbac-defaults" }, annotations: { [AUTO_UPDATE]: "true" } };

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

function readRule(text: string): PolicyRule {
  const [what = "", groups = "", resources, names] = text.split(" ");
  const verbs = what.startsWith("+") ? what.slice(1).split(",") : [...what].map((letter) => VERBS[letter] ?? letter);
  if (resources === undefined) return { verbs, nonResourceURLs: groups.split(",") };
  return { verbs, apiGroups: groups.split(",").map((group) => (group === "-" ? "" : group)), resources: resources.split(","), ...(names === undefined ? {} : { resourceNames: names.split(",") }) };
}

const readRules = (text: string): PolicyRule[] => text.split("; ").filter((rule) => rule !== "").map(readRule);

function readSubject(text: string): RbacSubject {
  const name = text.slice(2);
  if (text.startsWith("s:")) return { kind: "ServiceAccount", name: name.slice(name.indexOf("/") + 1), namespace: name.slice(0, name.indexOf("/")) };
  return { kind: text.startsWith("u:") ? "User" : "Group", apiGroup: RBAC_GROUP, name };
}

type Origin = Pick<KubeObject["metadata"], "labels" | "annotations">;

function readClusterRole(line: string, origin: Origin): RbacRole {
  const [head = "", rules = ""] = line.split(" |");
  const [name = "", ...marks] = head.split(" ");
  const into = marks.filter((mark) => mark.startsWith(">")).map((mark) => [`${AGGREGATE}${mark.slice(1)}`, "true"] as const);
  const from = marks.find((mark) => mark.startsWith("<"))?.slice(1);
  const labels = { ...origin.labels, ...Object.fromEntries(into) };
  const role: RbacRole = { apiVersion: API_VERSION, kind: "ClusterRole", metadata: { name, ...origin, ...(Object.keys(labels).length === 0 ? {} : { labels }) }, rules: readRules(rules.trim()) };
  return from === undefined ? role : { ...role, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`${AGGREGATE}${from}`]: "true" } }] } };
}

function readRole(line: string, origin: Origin): RbacRole {
  const [head = "", rules = ""] = line.split(" | ");
  const [namespace = "", name = ""] = [head.slice(0, head.indexOf("/")), head.slice(head.indexOf("/") + 1)];
  return { apiVersion: API_VERSION, kind: "Role", metadata: { name, namespace, ...origin }, rules: readRules(rules) };
}

function binding(place: Pick<KubeObject["metadata"], "name" | "namespace">, kind: string, role: string, subjects: readonly string[], origin: Origin): RbacBinding {
  return { apiVersion: API_VERSION, kind: place.namespace === undefined ? "ClusterRoleBinding" : "RoleBinding", metadata: { ...place, ...origin }, ...(subjects.length === 0 ? {} : { subjects: subjects.map(readSubject) }), roleRef: { apiGroup: RBAC_GROUP, kind, name: role } };
}

function readBinding(line: string, origin: Origin): RbacBinding {
  const [at = "", role = "", ...subjects] = line.split(" ");
  const slash = at.indexOf("/");
  return binding({ name: at.slice(slash + 1), namespace: at.slice(0, slash) }, "Role", role, subjects, origin);
}

function defaultPolicy(): readonly KubeObject[] {
  const clusterRoles = lines(CLUSTER_ROLES).map((line) => readClusterRole(line, DEFAULTS));
  const controllers = clusterRoles.filter(({ metadata: { name = "" } }) => name.startsWith(CONTROLLER)).map(({ metadata: { name = "" } }) => binding({ name }, "ClusterRole", name, [`s:kube-system/${name.slice(CONTROLLER.length)}`], DEFAULTS));
  const named = lines(CLUSTER_ROLE_BINDINGS).map((line) => {
    const [name = "", ...subjects] = line.split(" ");
    return binding({ name }, "ClusterRole", name, subjects, DEFAULTS);
  });
  return [...clusterRoles, ...named, ...controllers, ...lines(ROLES).map((line) => readRole(line, DEFAULTS)), ...lines(ROLE_BINDINGS).map((line) => readBinding(line, DEFAULTS))];
}

const CONTROLLER = "system:controller:";

let defaults: readonly KubeObject[] | undefined;

/** The objects that the API server itself writes at its start; those that gather others' rules have none yet. */
export function bootstrapPolicy(): readonly KubeObject[] {
  defaults ??= defaultPolicy();
  return defaults;
}

/** What kubeadm, CoreDNS and the CSI driver's installation add. */
function addedPolicy(): readonly KubeObject[] {
  const bindings = lines(ADDED_CLUSTER_BINDINGS).map((line) => {
    const [name = "", role = "", ...subjects] = line.split(" ");
    return binding({ name }, "ClusterRole", role, subjects, {});
  });
  return [...lines(ADDED_CLUSTER_ROLES).map((line) => readClusterRole(line, {})), ...bindings, ...lines(ADDED_ROLES).map((line) => readRole(line, {})), ...lines(ADDED_BINDINGS).map((line) => readBinding(line, {}))];
}

/** Every RBAC object of a settled kubeadm cluster, with admin, edit and view filled by their controller. */
export function settledPolicy(): readonly KubeObject[] {
  const objects = [...bootstrapPolicy(), ...addedPolicy()];
  let roles = objects.filter((object): object is RbacRole => object.kind === "ClusterRole");
  // Two rounds: admin gathers edit, which gathers view.
  for (let round = 0; round < 3; round++) roles = roles.map((role) => (role.aggregationRule === undefined ? role : { ...role, rules: aggregatedRules(role, roles) }));
  return [...roles, ...objects.filter((object) => object.kind !== "ClusterRole")];
}

/** ServiceAccounts in kube-system that controllers and add-ons act as. */
export function boundAccounts(): readonly string[] {
  const subjects = [...bootstrapPolicy(), ...addedPolicy()].filter((object) => object.kind === "ClusterRoleBinding").flatMap((object) => (object as RbacBinding).subjects ?? []);
  return [...new Set(subjects.filter(({ kind, namespace, name }) => kind === "ServiceAccount" && namespace === "kube-system" && name !== "kube-dns").map(({ name }) => name))].sort();
}
