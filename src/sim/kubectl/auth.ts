// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/auth
import { sortKeys } from "../api/json.ts";
import type { KubeObject } from "../api/types.ts";
import { typeOf } from "./builder.ts";
import { ruleLine, ruleRows } from "./describe-rules.ts";
import { indented } from "./go-json.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command, type Process } from "./process.ts";
import { reconcile } from "./reconcile.ts";
import { align } from "./tabwriter.ts";
import { printYaml } from "./yaml.ts";

const VERBS = new Set(["*", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind", "impersonate", "escalate", "approve", "sign", "attest", "nominate", "proxy", "associate", "knows", "post", "put", "head", "options", "trace", "connect"]);

/** POST of a review that the server answers and never stores. */
function review(p: Process, group: string, plural: string, kind: string, spec?: object): KubeObject {
  return p.must({ method: "POST", path: `/apis/${group}/v1/${plural}`, body: { kind, apiVersion: `${group}/v1`, metadata: {}, ...(spec === undefined ? {} : { spec }) }, subject: kind }) as KubeObject;
}

interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const words = (list: readonly string[] | undefined): string => `[${(list ?? []).join(" ")}]`;

/** --list: rules taken apart by resource, those of one resource and one set of names joined, as upstream's compact form has them. */
function listRules(p: Process): void {
  const { status } = review(p, "authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview", { namespace: p.namespace });
  const { resourceRules = [], nonResourceRules = [] } = status as { readonly resourceRules?: readonly Rule[]; readonly nonResourceRules?: readonly Rule[] };
  const rows = ruleRows([...resourceRules, ...nonResourceRules]);
  p.print(align(`${p.options.noHeaders ? "" : "Resources\tNon-Resource URLs\tResource Names\tVerbs\n"}${rows.map(ruleLine).join("")}`, 3));
}

/** The answer of an access review, and its exit code. */
function canI(p: Process): void {
  const [verb = "", target = "", name = ""] = p.options.args.slice(1);
  if (p.on("list")) return listRules(p);
  if (verb === "" || target === "") return p.fail("error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.");
  const path = target.startsWith("/");
  const [typed = "", inPath = ""] = target.split("/");
  const resource = path ? undefined : typeOf(typed, p.types);
  if (!path && !VERBS.has(verb)) p.printError(`Warning: verb '${verb}' is not a known verb\n\n`);
  if (!path && resource === undefined && typed !== "*") p.printError(`Warning: the server doesn't have a resource type '${typed}'\n\n`);
  else if (resource !== undefined && !resource.namespaced && !p.options.allNamespaces && p.options.namespaceGiven) p.printError(`Warning: resource '${resource.resource}' is not namespace scoped${resource.group === "" ? "" : ` in group '${resource.group}'`}\n\n`);
  // Whether it is namespaced is asked of the server, past the cache.
  if (resource !== undefined && !p.options.allNamespaces) p.ask({ method: "GET", path: resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`, subject: resource.apiVersion });
  const namespace = p.options.allNamespaces || resource?.namespaced === false ? "" : p.namespace;
  const known = resource ?? { group: "", resource: typed };
  // Upstream takes what stands behind a slash for a name; "pods/log" is how RBAC writes subresources.
  const subresource = p.flag("subresource") !== "" ? p.flag("subresource") : "";
  const attributes = { namespace, verb, group: typed === "*" ? "*" : known.group, resource: typed === "*" ? "*" : known.resource, ...(subresource === "" ? {} : { subresource }), ...((name || inPath) === "" ? {} : { name: name || inPath }) };
  const spec = path ? { nonResourceAttributes: { path: target, verb } } : { resourceAttributes: attributes };
  const { allowed, reason = "", evaluationError = "" } = review(p, "authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", spec).status as { readonly allowed: boolean; readonly reason?: string; readonly evaluationError?: string };
  if (!p.on("quiet")) p.print(allowed ? "yes" : `no${reason === "" ? "" : ` - ${reason}`}${evaluationError === "" ? "" : ` - ${evaluationError}`}`);
  if (!allowed) p.exit(1);
}

/** Who the server takes the user for. */
function whoami(p: Process): void {
  const answer = review(p, "authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview");
  const { output } = p.options;
  if (output === "yaml") return p.print(printYaml(answer));
  if (output === "json") return p.print(indented(answer));
  const { userInfo } = answer.status as { readonly userInfo: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[]; readonly extra?: Readonly<Record<string, readonly string[]>> } };
  const rows = [["ATTRIBUTE", "VALUE"], ["Username", userInfo.username ?? ""], ...(userInfo.uid ? [["UID", userInfo.uid]] : []), ...(userInfo.groups?.length ? [["Groups", words(userInfo.groups)]] : []), ...Object.entries((sortKeys(userInfo.extra ?? {}) as Readonly<Record<string, readonly string[]>>)).map(([key, values]) => [`Extra: ${key}`, words(values)])];
  p.print(align(rows.map((row) => `${row.join("\t")}\n`).join(""), 3));
}

const SUBCOMMANDS: Readonly<Record<string, (p: Process) => void>> = { "can-i": canI, reconcile, whoami };

/** kubectl auth WHAT */
export const auth = command(["auth"], (p) => {
  const subcommand = SUBCOMMANDS[p.options.args[0] ?? ""];
  return subcommand === undefined ? onlySubcommands(p) : subcommand(p);
});
