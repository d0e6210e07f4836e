// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/create/create_{role,clusterrole,rolebinding,clusterrolebinding}.go
import type { KubeObject } from "../api/types.ts";
import { typeOf } from "./builder.ts";
import { nameFrom } from "./create-configuration.ts";
import type { Process } from "./process.ts";
import { subjectsOf } from "./set.ts";

const GROUP = "rbac.authorization.k8s.io";
const COMMON = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy"];
/** Verbs that only some resources know. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  use: ["resourceclaims.resource.k8s.io"], bind: [`roles.${GROUP}`, `clusterroles.${GROUP}`], escalate: [`roles.${GROUP}`, `clusterroles.${GROUP}`],
  impersonate: ["users.", "serviceaccounts.", "groups.", "userextras.authentication.k8s.io"], approve: ["signers.certificates.k8s.io"], sign: ["signers.certificates.k8s.io"], attest: ["signers.certificates.k8s.io"],
};

interface Named {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
}

function resourcesOf(p: Process): readonly Named[] {
  return p.flags("resource").map((text) => {
    const [type = "", subresource = ""] = text.split("/");
    if (type === "*") return { group: "*", resource: "*", subresource };
    const api = typeOf(type, p.types);
    if (api === undefined) return p.fail(`error: the server doesn't have a resource type ${JSON.stringify(type)}`);
    return { group: api.group, resource: api.resource, subresource };
  });
}

function checkVerbs(p: Process, verbs: readonly string[], resources: readonly Named[]): void {
  for (const verb of verbs) {
    if (verb === "*" || COMMON.includes(verb)) continue;
    const known = SPECIAL[verb];
    if (known === undefined) {
      p.printError(`Warning: '${verb}' is not a standard resource verb`);
      continue;
    }
    const other = resources.find(({ resource, group }) => resource !== "*" && !known.includes(`${resource}.${group}`));
    if (other) p.fail(`error: can not perform '${verb}' on '${other.resource}' in group '${other.group}'`);
  }
}

/** One rule an API group, in order of appearance. */
function rulesOf(p: Process): readonly object[] {
  const given = p.flags("verb");
  const verbs = given.includes("*") ? ["*"] : [...new Set(given)];
  const resources = resourcesOf(p);
  checkVerbs(p, verbs, resources);
  const groups = [...new Set(resources.map(({ group }) => group))].sort();
  const names = p.flags("resource-name");
  return groups.map((group) => ({ verbs, apiGroups: [group], resources: resources.filter((named) => named.group === group).map(({ resource, subresource }) => (subresource === "" ? resource : `${resource}/${subresource}`)), ...(names.length > 0 ? { resourceNames: names } : {}) }));
}

function validate(p: Process, cluster: boolean): void {
  const urls = p.flags("non-resource-url");
  if (p.flags("verb").length === 0) p.fail("error: at least one verb must be specified");
  if (p.flags("resource").length === 0 && (!cluster || urls.length === 0)) p.fail(cluster ? "error: one of resource or nonResourceURL must be specified" : "error: at least one resource must be specified");
}

export function roleOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  validate(p, false);
  return { kind: "Role", apiVersion: `${GROUP}/v1`, metadata: { name }, rules: rulesOf(p) } as KubeObject;
}

export function clusterRoleOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const aggregation = p.flags("aggregation-rule");
  if (aggregation.length > 0) return { kind: "ClusterRole", apiVersion: `${GROUP}/v1`, metadata: { name }, rules: [], aggregationRule: { clusterRoleSelectors: [{ matchLabels: Object.fromEntries(aggregation.map((pair) => pair.split("="))) }] } } as KubeObject;
  validate(p, true);
  const urls = p.flags("non-resource-url");
  const rules = [...(urls.length > 0 ? [{ verbs: p.flags("verb"), nonResourceURLs: urls }] : []), ...(p.flags("resource").length > 0 ? rulesOf(p) : [])];
  return { kind: "ClusterRole", apiVersion: `${GROUP}/v1`, metadata: { name }, rules } as KubeObject;
}

export function roleBindingOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  const [role, clusterRole] = [p.flag("role"), p.flag("clusterrole")];
  if ((role === "") === (clusterRole === "")) return p.fail("error: exactly one of clusterrole or role must be specified");
  return { kind: "RoleBinding", apiVersion: `${GROUP}/v1`, metadata: { name }, subjects: subjectsOf(p), roleRef: { apiGroup: GROUP, kind: role === "" ? "ClusterRole" : "Role", name: role || clusterRole } } as KubeObject;
}

export function clusterRoleBindingOf(p: Process, words: readonly string[]): KubeObject {
  const name = nameFrom(p, words);
  if (!p.given("clusterrole")) return p.fail("error: required flag(s) \"clusterrole\" not set");
  return { kind: "ClusterRoleBinding", apiVersion: `${GROUP}/v1`, metadata: { name }, subjects: subjectsOf(p), roleRef: { apiGroup: GROUP, kind: "ClusterRole", name: p.flag("clusterrole") } } as KubeObject;
}
