// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/config: what ~/.kube/config says. Simplified: contexts can be changed, clusters and users cannot.
import { formatTable } from "../api/tabwriter.ts";
import { commandSpec } from "./command-table.ts";
import { HOME } from "./files.ts";
import { indented } from "./go-json.ts";
import { helpOf } from "./help.ts";
import { onlySubcommands } from "./help-commands.ts";
import { command, type Process } from "./process.ts";
import { contextsOf, type KubeContext, type Kubeconfig } from "./session.ts";
import { printYaml } from "./yaml.ts";

const FILE = `${HOME}/.kube/config`;

function fileOf(p: Process): object {
  const { cluster, server, user, token } = p.turn.config;
  const { current, contexts } = contextsOf(p.turn.config);
  const shown = p.on("minify") ? contexts.filter(({ name }) => name === current) : contexts;
  const raw = p.on("raw");
  const data = raw || p.on("flatten") ? "LS0tLS1CRUdJTi0tLS0tCg==" : "DATA+OMITTED";
  return {
    kind: "Config", apiVersion: "v1",
    clusters: [{ name: cluster, cluster: { server: `https://${server}`, ...(token ? { "insecure-skip-tls-verify": true } : { "certificate-authority-data": data }) } }],
    users: [{ name: user, user: token ? { token: raw ? "admin-token" : "REDACTED" } : { "client-certificate-data": data, "client-key-data": data } }],
    contexts: shown.map(({ name, cluster: of, user: by, namespace }) => ({ name, context: { cluster: of, user: by, ...(namespace === "" ? {} : { namespace }) } })), "current-context": current,
  };
}

function listContexts(p: Process): void {
  const { current, contexts } = contextsOf(p.turn.config);
  const wanted = p.options.args.slice(1);
  const { output } = p.options;
  if (output !== "" && output !== "name") return p.fail(`error: --output ${output} is not available in kubectl config get-contexts; resetting to default output format`);
  const shown = [...(wanted.length === 0 ? contexts : contexts.filter(({ name }) => wanted.includes(name)))].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (output === "name") for (const { name } of shown) p.print(name);
  else {
    const columns = ["CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"].map((name) => ({ name, priority: 0 }));
    if (shown.length > 0 || wanted.length === 0) p.print(formatTable(columns, shown.map(({ name, cluster, user, namespace }) => [name === current ? "*" : "", name, cluster, user, namespace]), true, !p.options.noHeaders));
  }
  for (const missing of wanted.filter((name) => !contexts.some((context) => context.name === name))) p.addError(`error: context ${missing} not found`);
}

/** Writes the file; what was typed before it keeps its context. */
function write(p: Process, current: string, contexts: readonly KubeContext[]): void {
  p.turn.kubeconfig = { current, contexts };
}

function badArguments(p: Process, wrong: string): never {
  const spec = commandSpec(p.options.path);
  if (spec !== undefined) p.print(helpOf(spec));
  return p.fail(`error: ${wrong}`);
}

function setContext(p: Process): void {
  const { current, contexts } = contextsOf(p.turn.config);
  const [given, more] = p.options.args.slice(1);
  if (more !== undefined) return badArguments(p, `Unexpected args: [${p.options.args.slice(1).join(" ")}]`);
  if (given === undefined && !p.on("current")) return p.fail("error: you must specify a non-empty context name or --current");
  if (given !== undefined && p.on("current")) return p.fail("error: you cannot specify both a context name and --current");
  const name = given ?? current;
  if (name === "") return p.fail("error: no current context is set");
  const before = contexts.find((context) => context.name === name);
  const after = { ...(before ?? { name, cluster: "", user: "", namespace: "" }), ...(p.given("cluster") ? { cluster: p.flag("cluster") } : {}), ...(p.given("user") ? { user: p.flag("user") } : {}), ...(p.given("namespace") ? { namespace: p.flag("namespace") } : {}) };
  write(p, current, before === undefined ? [...contexts, after] : contexts.map((context) => (context.name === name ? after : context)));
  p.print(`Context ${JSON.stringify(name)} ${before === undefined ? "created" : "modified"}.`);
}

function useContext(p: Process): void {
  const { contexts } = contextsOf(p.turn.config);
  const [name, more] = p.options.args.slice(1);
  if (name === undefined || more !== undefined) return badArguments(p, `Unexpected args: [${p.options.args.slice(1).join(" ")}]`);
  if (!contexts.some((context) => context.name === name)) return p.fail(`error: no context exists with the name: ${JSON.stringify(name)}`);
  write(p, name, contexts);
  p.print(`Switched to context ${JSON.stringify(name)}.`);
}

function renameContext(p: Process): void {
  const { current, contexts } = contextsOf(p.turn.config);
  const [from, to, more] = p.options.args.slice(1);
  if (from === undefined || to === undefined || more !== undefined) return badArguments(p, `Unexpected args: [${p.options.args.slice(1).join(" ")}]`);
  if (!contexts.some(({ name }) => name === from)) return p.fail(`error: cannot rename the context ${JSON.stringify(from)}, it's not in ${FILE}`);
  if (contexts.some(({ name }) => name === to)) return p.fail(`error: cannot rename the context ${JSON.stringify(from)}, the context ${JSON.stringify(to)} already exists in ${FILE}`);
  write(p, current === from ? to : current, contexts.map((context) => (context.name === from ? { ...context, name: to } : context)));
  p.print(`Context ${JSON.stringify(from)} renamed to ${JSON.stringify(to)}.`);
}

function deleteContext(p: Process): void {
  const { current, contexts } = contextsOf(p.turn.config);
  const [name, more] = p.options.args.slice(1);
  const spec = commandSpec(p.options.path);
  if ((name === undefined || more !== undefined) && spec !== undefined) return p.print(helpOf(spec));
  if (!contexts.some((context) => context.name === name)) return p.fail(`error: cannot delete context ${name ?? ""}, not in ${FILE}`);
  if (current === name) p.printError("warning: this removed your active context, use \"kubectl config use-context\" to select a different one");
  write(p, current, contexts.filter((context) => context.name !== name));
  p.print(`deleted context ${name ?? ""} from ${FILE}`);
}

/** set and unset of current-context and of a context's namespace. */
function setProperty(p: Process, unset: boolean): void {
  const { current, contexts } = contextsOf(p.turn.config);
  const [property, value = "", more] = p.options.args.slice(1);
  if (property === undefined || more !== undefined || (!unset && p.options.args.length < 3)) return badArguments(p, `Unexpected args: [${p.options.args.slice(1).join(" ")}]`);
  const [, named = "", field = ""] = /^contexts\.(.+)\.(cluster|user|namespace)$/.exec(property) ?? [];
  if (property === "current-context") write(p, unset ? "" : value, contexts);
  else if (named !== "") write(p, current, contexts.map((context) => (context.name === named ? { ...context, [field]: unset ? "" : value } : context)));
  else return p.fail(`error: ${property} cannot be changed here: the cluster and its users are those of the simulation`);
  p.print(`Property ${JSON.stringify(property)} ${unset ? "unset" : "set"}.`);
}

const shared = (what: keyof Kubeconfig & ("cluster" | "user")) => (p: Process): void => p.print(`NAME\n${p.turn.config[what]}`);

const SUBCOMMANDS: Readonly<Record<string, (p: Process) => void>> = {
  view: (p) => p.print(p.options.output === "json" ? indented(fileOf(p)) : printYaml(fileOf(p))),
  "current-context": (p) => {
    const { current } = contextsOf(p.turn.config);
    if (current === "") return p.fail("error: current-context is not set");
    p.print(current);
  },
  "get-contexts": listContexts, "get-clusters": shared("cluster"), "get-users": shared("user"), "set-context": setContext, "use-context": useContext, use: useContext, "rename-context": renameContext, "delete-context": deleteContext,
  set: (p) => setProperty(p, false), unset: (p) => setProperty(p, true),
};

/** kubectl config WHAT */
export const config = command(["config"], (p) => {
  if (p.options.path === "config") return onlySubcommands(p);
  const subcommand = SUBCOMMANDS[p.options.args[0] ?? ""];
  if (subcommand === undefined) return p.fail(`error: kubectl ${p.options.path} changes nothing here: the cluster and its users are those of the simulation`);
  subcommand(p);
});
