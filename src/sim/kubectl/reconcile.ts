// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/auth/reconcile.go and component-helpers/auth/rbac/reconciliation
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf, subjectOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { readFiles } from "./files.ts";
import { goJson } from "./go-json.ts";
import { pathOf } from "./manifest.ts";
import { reporter } from "./patching.ts";
import type { Process } from "./process.ts";

interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
type Subject = Readonly<Record<string, string>>;
type Rbac = KubeObject & { readonly rules?: readonly Rule[] | null; readonly subjects?: readonly Subject[]; readonly roleRef?: unknown };

const words = (list: readonly string[] | undefined): string => `[${(list ?? []).join(" ")}]`;
/** Go's %+v of a PolicyRule and of a Subject. */
const ruleText = (rule: Rule): string => `{Verbs:${words(rule.verbs)} APIGroups:${words(rule.apiGroups)} Resources:${words(rule.resources)} ResourceNames:${words(rule.resourceNames)} NonResourceURLs:${words(rule.nonResourceURLs)}}`;
const subjectText = (subject: Subject): string => `{Kind:${subject["kind"] ?? ""} APIGroup:${subject["apiGroup"] ?? ""} Name:${subject["name"] ?? ""} Namespace:${subject["namespace"] ?? ""}}`;

/** Rules that allow one thing each. */
function single(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap(({ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => [
    ...apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.flatMap((verb) => (resourceNames.length === 0 ? [{ verbs: [verb], apiGroups: [group], resources: [resource] }] : resourceNames.map((name) => ({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: [name] })))))),
    ...nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] }))),
  ]);
}

const has = (list: readonly string[] | undefined, value: string | undefined): boolean => (list ?? []).includes("*") || (value !== undefined && (list ?? []).includes(value));

function covers(owner: Rule, rule: Rule): boolean {
  const [verb, group, resource, name, url] = [rule.verbs?.[0], rule.apiGroups?.[0], rule.resources?.[0], rule.resourceNames?.[0], rule.nonResourceURLs?.[0]];
  if (!has(owner.verbs, verb)) return false;
  if (url !== undefined) return (owner.nonResourceURLs ?? []).some((path) => path === "*" || path === url || (path.endsWith("*") && url.startsWith(path.slice(0, -1))));
  const sub = resource?.includes("/") === true ? `*/${resource.split("/")[1] ?? ""}` : undefined;
  return has(owner.apiGroups, group) && (has(owner.resources, resource) || (sub !== undefined && has(owner.resources, sub))) && ((owner.resourceNames ?? []).length === 0 || (name !== undefined && (owner.resourceNames ?? []).includes(name)));
}

/** What of `wanted` is not allowed by `owned`. */
const uncovered = (owned: readonly Rule[], wanted: readonly Rule[]): readonly Rule[] => single(wanted).filter((rule) => !owned.some((owner) => covers(owner, rule)));
const without = (subjects: readonly Subject[], others: readonly Subject[]): readonly Subject[] => subjects.filter((subject) => !others.some((other) => goJson(other) === goJson(subject)));

interface Result {
  readonly object: Rbac;
  readonly operation: "" | "create" | "update" | "recreate";
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly protected: boolean;
}

function merged(p: Process, existing: Rbac, wanted: Rbac): Result {
  const metadata = { ...existing.metadata, labels: { ...existing.metadata.labels, ...wanted.metadata.labels }, annotations: { ...existing.metadata.annotations, ...wanted.metadata.annotations } };
  const opted = existing.metadata.annotations?.["rbac.authorization.kubernetes.io/autoupdate"] === "false";
  const relabelled = goJson(metadata.labels) !== goJson(existing.metadata.labels ?? {}) || goJson(metadata.annotations) !== goJson(existing.metadata.annotations ?? {});
  const clean = { ...metadata, ...(Object.keys(metadata.labels).length === 0 ? { labels: undefined } : {}), ...(Object.keys(metadata.annotations).length === 0 ? { annotations: undefined } : {}) };
  if (wanted.kind.endsWith("Role")) {
    const [before, after] = [existing.rules ?? [], wanted.rules ?? []];
    const [missing, extra] = [uncovered(before, after), uncovered(after, before)];
    const remove = p.on("remove-extra-permissions");
    const rules = remove && extra.length > 0 ? after : [...before, ...missing];
    const operation = missing.length > 0 || (remove && extra.length > 0) || relabelled ? "update" : "";
    return { object: { ...existing, metadata: clean, rules } as Rbac, operation, missing: missing.map(ruleText), extra: extra.map(ruleText), protected: opted };
  }
  const [before, after] = [existing.subjects ?? [], wanted.subjects ?? []];
  const [missing, extra] = [without(after, before), without(before, after)];
  const remove = p.on("remove-extra-subjects");
  const recreate = goJson(existing.roleRef) !== goJson(wanted.roleRef);
  const subjects = remove && extra.length > 0 ? after : [...before, ...missing];
  const operation = recreate ? "recreate" : missing.length > 0 || (remove && extra.length > 0) || relabelled ? "update" : "";
  return { object: { ...existing, metadata: clean, roleRef: wanted.roleRef, subjects } as Rbac, operation, missing: missing.map(subjectText), extra: extra.map(subjectText), protected: opted };
}

/** The namespace is made when it is missing. */
function ensureNamespace(p: Process, namespace: string): void {
  if (namespace === "") return p.fail("error: resource name may not be empty");
  const answer = p.ask({ method: "GET", path: `/api/v1/namespaces/${namespace}`, subject: `namespace/${namespace}` });
  if (answer.status === 404) p.must({ method: "POST", path: "/api/v1/namespaces", body: { kind: "Namespace", apiVersion: "v1", metadata: { name: namespace } }, subject: `namespace/${namespace}` });
}

function reconcileOne(p: Process, { api, object, name }: Info): Result {
  const namespace = object.metadata.namespace ?? "";
  const [path, collection, subject] = [pathOf(api, namespace, name), pathOf(api, namespace), subjectOf(api, namespace, name)];
  const wanted = object as Rbac;
  const dry = p.options.dryRun === "client";
  const live = p.ask({ method: "GET", path, subject });
  if (live.status === 404) {
    const missing = wanted.kind.endsWith("Role") ? (wanted.rules ?? []).map(ruleText) : (wanted.subjects ?? []).map(subjectText);
    if (api.namespaced && !dry) ensureNamespace(p, namespace);
    const made = dry ? wanted : (p.must({ method: "POST", path: collection, body: wanted, subject, level: "basic" }) as Rbac);
    return { object: { ...made, apiVersion: api.apiVersion, kind: api.kind } as Rbac, operation: "create", missing, extra: [], protected: false };
  }
  if (live.status !== 200) return p.fail(errorText(live, p.turn.config.server));
  const result = merged(p, live.body as Rbac, wanted);
  if (dry || result.operation === "" || result.protected) return result;
  if (result.operation === "update") return { ...result, object: p.must({ method: "PUT", path, body: result.object, subject, level: "basic" }) as Rbac };
  p.must({ method: "DELETE", path, body: { preconditions: { uid: result.object.metadata.uid } }, subject, level: "basic" });
  const { resourceVersion: _r, uid: _u, ...metadata } = result.object.metadata;
  return { ...result, object: p.must({ method: "POST", path: collection, body: { ...result.object, metadata }, subject, level: "basic" }) as Rbac };
}

const RBAC = new Set(["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"]);

/** kubectl auth reconcile -f FILE */
export function reconcile(p: Process): void {
  if (p.options.files.length === 0) return p.fail("error: must specify one of -f and -k");
  if (p.options.args.length > 1) return p.fail("error: no arguments are allowed");
  if (p.options.dryRun === "server") return p.fail("error: error accessing --dry-run flag for command reconcile: --dry-run=server for command reconcile is not supported yet");
  const report = reporter(p);
  const documents = readFiles(p.options, p.turn.session.run.files, p.types);
  const written = new Map(typeof documents === "string" ? [] : documents.flatMap((document) => (document.error === undefined ? [[`${document.object.kind}/${document.object.metadata.name ?? ""}`, document.object] as const] : [])));
  for (const info of infosOf(p, { args: [] })) {
    if (!RBAC.has(info.object.kind)) continue;
    // The file's own namespace counts; that of the context is not put in.
    const object = written.get(`${info.object.kind}/${info.name}`) ?? info.object;
    const result = reconcileOne(p, { ...info, object });
    report(info, result.object, "reconciled");
    if (result.operation === "") continue;
    p.printError(`\treconciliation required ${result.operation}${result.protected ? ", but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)" : ""}`);
    const what = info.object.kind.endsWith("Role") ? "rules" : "subjects";
    if (result.missing.length > 0) p.printError(`\tmissing ${what} added:\n${result.missing.map((text) => `\t\t${text}\n`).join("")}`);
    if (p.on(what === "rules" ? "remove-extra-permissions" : "remove-extra-subjects") && result.extra.length > 0) p.printError(`\textra ${what} removed:\n${result.extra.map((text) => `\t\t${text}\n`).join("")}`);
  }
}
