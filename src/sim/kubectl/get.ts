// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/get
import type { WatchEvent } from "../api/http.ts";
import { type ApiResource, API_RESOURCES, findResource } from "../api/schema/resources.ts";
import { formatTable, type TableColumn } from "../api/tabwriter.ts";
import type { KubeObject, ObjectMeta } from "../api/types.ts";
import { sortKeys } from "../api/json.ts";
import { errorText } from "./errors.ts";
import { pathOf, typeName } from "./manifest.ts";
import { printYaml, stripManaged } from "./yaml.ts";
import { addError, type Answer, ask, type Command, exit, fail, pause, print, printError, type Turn } from "./session.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

interface Query {
  readonly api: ApiResource;
  /** "" lists. */
  readonly name: string;
}
interface Table {
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: readonly { readonly cells: readonly string[]; readonly object: { readonly metadata: ObjectMeta } }[];
  readonly metadata: { readonly resourceVersion?: string };
}
interface Data {
  readonly queries: readonly Query[];
  readonly at: number;
  /** Tables or objects, by query. */
  readonly results: readonly { readonly query: Query; readonly body: unknown }[];
  readonly printed: boolean;
}

const ALL = ["pods", "replicationcontrollers", "services", "daemonsets", "deployments", "replicasets", "statefulsets", "horizontalpodautoscalers", "cronjobs", "jobs"];
const data = (turn: Turn): Data => turn.session.data as Data;
const asksTable = (turn: Turn): boolean => ["", "wide"].includes(turn.session.options.output);
const namespaceOf = (turn: Turn): string => (turn.session.options.allNamespaces ? "" : turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace);

function queriesOf(turn: Turn): readonly Query[] | string {
  const { args } = turn.session.options;
  const unknown = (type: string): string => `error: the server doesn't have a resource type ${JSON.stringify(type)}`;
  if (args.length === 0) return "error: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples";
  const queries: Query[] = [];
  if (args.some((arg) => arg.includes("/"))) {
    for (const arg of args) {
      const [type = "", name, more] = arg.split("/");
      if (more !== undefined) return "error: arguments in resource/name form may not have more than one slash";
      if (name === undefined) return "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'";
      const api = findResource(type);
      if (api === undefined) return unknown(type);
      queries.push({ api, name });
    }
    return queries;
  }
  const [types = "", ...names] = args;
  for (const type of types === "all" ? ALL : types.split(",")) {
    const api = findResource(type);
    if (api === undefined) return unknown(type);
    if (names.length === 0) queries.push({ api, name: "" });
    for (const name of names) queries.push({ api, name });
  }
  return queries;
}

function start(turn: Turn): void {
  const { options } = turn.session;
  if (!["", "wide", "yaml", "json", "name"].includes(options.output)) return fail(turn, `error: unable to match a printer suitable for the output format ${JSON.stringify(options.output)}, allowed formats are: json,name,wide,yaml`);
  const queries = queriesOf(turn);
  if (typeof queries === "string") return fail(turn, queries);
  if (queries.some((query) => query.name !== "") && (options.selector !== "" || options.fieldSelector !== "")) return fail(turn, "error: name cannot be provided when a selector is specified");
  if (options.allNamespaces && queries.some((query) => query.name !== "")) return fail(turn, "error: a resource cannot be retrieved by name across all namespaces");
  turn.session = { ...turn.session, data: { queries, at: 0, results: [], printed: false } satisfies Data };
  request(turn);
}

function request(turn: Turn): void {
  const { queries, at } = data(turn);
  const query = queries[at];
  const { options } = turn.session;
  if (query === undefined) return finish(turn);
  const namespace = query.api.namespaced ? namespaceOf(turn) : "";
  const accept = asksTable(turn) ? { accept: TABLE } : {};
  if (query.name !== "") {
    ask(turn, "get", { method: "GET", path: pathOf(query.api, namespace, query.name), ...accept, subject: `${query.api.singular}/${namespace === "" ? "" : `${namespace}/`}${query.name}` });
    return;
  }
  const selectors = { ...(options.fieldSelector === "" ? {} : { fieldSelector: options.fieldSelector }), ...(options.selector === "" ? {} : { labelSelector: options.selector }) };
  ask(turn, "get", { method: "GET", path: pathOf(query.api, namespace), query: { ...selectors, limit: "500" }, ...accept, subject: `list ${query.api.resource}` });
}

function onAnswer(turn: Turn, tag: string, answer: Answer): void {
  for (const warning of answer.warnings) printError(turn, `Warning: ${warning}`);
  if (tag !== "get") return;
  const { queries, at, results } = data(turn);
  const query = queries[at];
  if (query === undefined) return;
  if (answer.status !== 200) {
    if (!(answer.status === 404 && turn.session.options.ignoreNotFound)) addError(turn, errorText(answer, turn.config.server, answer.status === 400 && query.name === "" ? notFoundPrefix(turn, query.api) : "", `get ${query.api.resource}${query.name === "" ? "" : ` ${query.name}`}`));
    turn.session = { ...turn.session, data: { ...data(turn), at: answer.refused ? queries.length : at + 1 } };
  } else turn.session = { ...turn.session, data: { ...data(turn), at: at + 1, results: [...results, { query, body: answer.body }] } };
  request(turn);
}

/** What the builder puts before a refused list. */
const notFoundPrefix = (turn: Turn, api: ApiResource): string => `Unable to find "${api.group}/${api.version}, Resource=${api.resource}" that match label selector ${JSON.stringify(turn.session.options.selector)}, field selector ${JSON.stringify(turn.session.options.fieldSelector)}`;

function finish(turn: Turn): void {
  if (asksTable(turn)) printTables(turn);
  else printObjects(turn);
  if (turn.session.options.watch && turn.session.errors.length === 0) return watch(turn);
  pause(turn, "kubectl.exit", "exit");
}

/** Tables of one kind are joined; several kinds are separated by an empty line and name their type. */
function printTables(turn: Turn): void {
  const { results, queries } = data(turn);
  const kinds = [...new Set(queries.map((query) => query.api))];
  const typed = kinds.length > 1;
  const blocks: string[] = [];
  for (const api of kinds) {
    const tables = results.filter((result) => result.query.api === api).map((result) => result.body as Table);
    const rows = tables.flatMap((table) => table.rows);
    if (rows.length > 0) blocks.push(format(turn, api, tables[0]?.columnDefinitions ?? [], rows, typed, !turn.session.options.noHeaders));
  }
  if (blocks.length > 0) print(turn, blocks.join("\n"));
  else if (turn.session.errors.length === 0 && !turn.session.options.ignoreNotFound) {
    const namespaced = queries.some((query) => query.api.namespaced);
    printError(turn, namespaced && !turn.session.options.allNamespaces ? `No resources found in ${namespaceOf(turn)} namespace.` : "No resources found");
  }
}

function format(turn: Turn, api: ApiResource, columns: readonly TableColumn[], rows: Table["rows"], typed: boolean, headers: boolean): string {
  const { allNamespaces, showLabels, output } = turn.session.options;
  const withNamespace = allNamespaces && api.namespaced;
  const heads: TableColumn[] = [...(withNamespace ? [{ name: "NAMESPACE", priority: 0 }] : []), ...columns.map((column) => ({ ...column, name: column.name.toUpperCase() })), ...(showLabels ? [{ name: "LABELS", priority: 0 }] : [])];
  const cells = rows.map(({ cells: row, object }) => {
    const labels = Object.entries(object.metadata.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${k}=${v}`).join(",");
    const named = typed ? row.map((cell, i) => (columns[i]?.name === "Name" ? `${typeName(api)}/${cell}` : cell)) : row;
    return [...(withNamespace ? [object.metadata.namespace ?? ""] : []), ...named, ...(showLabels ? [labels === "" ? "<none>" : labels] : [])];
  });
  return formatTable(heads, cells, output === "wide", headers);
}

function printObjects(turn: Turn): void {
  const { results, queries } = data(turn);
  const { output } = turn.session.options;
  const single = queries.length === 1 && queries[0]?.name !== "";
  const objects = results.flatMap((result) => (result.query.name !== "" ? [result.body as KubeObject] : (result.body as { readonly items: readonly KubeObject[] }).items));
  if (output === "name") {
    for (const object of objects) {
      const api = API_RESOURCES.find((candidate) => candidate.kind === object.kind && candidate.apiVersion === object.apiVersion);
      print(turn, `${api === undefined ? object.kind.toLowerCase() : typeName(api)}/${object.metadata.name ?? ""}`);
    }
    return;
  }
  if (single && objects.length === 0) return;
  const whole: unknown = single ? stripManaged(objects[0]) : { apiVersion: "v1", items: objects.map(stripManaged), kind: "List", metadata: { resourceVersion: "" } };
  print(turn, output === "json" ? `${JSON.stringify(sortKeys(whole), null, 4)}\n` : printYaml(whole));
}

function watch(turn: Turn): void {
  const { results, queries } = data(turn);
  const [query] = queries;
  if (query === undefined) return;
  const stream = `kubectl/${turn.session.key}/watch`;
  turn.session = { ...turn.session, streams: [stream] };
  const { options } = turn.session;
  const version = (results[0]?.body as Table | undefined)?.metadata.resourceVersion ?? "0";
  const selectors = { ...(query.name === "" ? {} : { fieldSelector: `metadata.name=${query.name}` }), ...(options.selector === "" ? {} : { labelSelector: options.selector }) };
  ask(turn, "watch", { method: "GET", path: pathOf(query.api, query.api.namespaced ? namespaceOf(turn) : ""), query: { ...selectors, resourceVersion: version, watch: "true" }, accept: TABLE, stream, subject: `watch ${query.api.resource}` });
}

/** Each event is a line of its own; the header was printed with the list. */
function onEvent(turn: Turn, event: WatchEvent): void {
  const [query] = data(turn).queries;
  const table = event.object as unknown as Table;
  if (query === undefined || table.rows === undefined) return;
  print(turn, format(turn, query.api, table.columnDefinitions, table.rows, false, false));
}

export const get: Command = { names: ["get"], start, onAnswer, onEvent, onPause: (turn) => exit(turn) };
