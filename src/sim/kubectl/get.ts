// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/get
import type { WatchEvent } from "../api/http.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { formatTable, type TableColumn } from "../api/tabwriter.ts";
import type { KubeObject, ObjectMeta } from "../api/types.ts";
import { asksNamespace, namespaceCall } from "./builder.ts";
import { columnsOf, printColumns } from "./custom-columns.ts";
import { goListJson } from "./go-json.ts";
import { errorText, statusOf } from "./errors.ts";
import { readFiles } from "./files.ts";
import { flag, flagList, isOn, timeoutOf } from "./flags.ts";
import { pathOf, typeName } from "./manifest.ts";
import { chunkOf, listMetaOf } from "./paging.ts";
import { PRINT_FORMATS, printerFor, unmatched } from "./printers.ts";
import { sortedPlaces } from "./sort-by.ts";
import { expandCategory, typesOf } from "./types.ts";
import { stripManaged } from "./yaml.ts";
import { addError, type Answer, ask, type Command, exit, fail, pause, print, printError, printWarnings, printRaw, type Turn } from "./session.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

interface Query {
  readonly api: ApiResource;
  /** "" lists. */
  readonly name: string;
  /** Of an object in a file. */
  readonly namespace?: string;
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
  /** That a name was not found, while its namespace is asked for. */
  readonly missing?: Answer;
  /** Column widths of what a watch printed so far: later lines keep them. */
  readonly widths: readonly number[];
  /** How many objects or tables a watch has printed. */
  readonly nth: number;
  /** The next event of a watch is not printed. */
  readonly skips: boolean;
}

const data = (turn: Turn): Data => turn.session.data as Data;
/** A server-side table; --sort-by needs whole objects beside it. */
const asksTable = (turn: Turn): boolean => ["", "wide"].includes(turn.session.options.output);
const namespaceOf = (turn: Turn): string => (turn.session.options.allNamespaces ? "" : turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace);

function queriesOf(turn: Turn): readonly Query[] | string {
  const { args } = turn.session.options;
  const known = typesOf(turn);
  const unknown = (type: string): string => `error: the server doesn't have a resource type ${JSON.stringify(type)}`;
  if (args.length === 0) return "error: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples";
  const queries: Query[] = [];
  if (args.some((arg) => arg.includes("/"))) {
    for (const arg of args) {
      const [type = "", name, more] = arg.split("/");
      if (more !== undefined) return "error: arguments in resource/name form may not have more than one slash";
      if (name === undefined) return "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'";
      const api = known.find(type);
      if (api === undefined) return unknown(type);
      queries.push({ api, name });
    }
    return queries;
  }
  const [types = "", ...names] = args;
  for (const type of types.split(",").flatMap((word) => expandCategory(word, known))) {
    const api = known.find(type);
    if (api === undefined) return unknown(type);
    if (names.length === 0) queries.push({ api, name: "" });
    for (const name of names) queries.push({ api, name });
  }
  return queries;
}

const FORMATS = [...PRINT_FORMATS, "custom-columns", "custom-columns-file", "wide"];

/** What is wrong with the flags before anything is asked; undefined when nothing is. */
function wrongFlags(turn: Turn): string | undefined {
  const { options } = turn.session;
  const { output } = options;
  const known = FORMATS.includes(output.split("=")[0] ?? "") || output === "";
  if (options.flags["output-watch-events"] !== undefined && !options.watch) return "error: --output-watch-events option can only be used with --watch or --watch-only";
  if (known && options.showLabels && output !== "" && output !== "wide") return `error: --show-labels option cannot be used with ${output.split("=")[0] ?? ""} printer`;
  return undefined;
}

/** ToPrinter: what is wrong with the format is only noticed when there is something to print. */
function wrongFormat({ session: { options, run } }: Turn): string | undefined {
  const { output } = options;
  if (!FORMATS.includes(output.split("=")[0] ?? "")) return unmatched(output, FORMATS);
  const structured = output !== "name" && !output.startsWith("custom-columns");
  const printer = structured || output === "name" ? printerFor(options, run.files) : output.startsWith("custom-columns") ? columnsOf(options, run.files) : undefined;
  return typeof printer === "string" ? printer : undefined;
}

/** Short names that another group has as well. */
function warnOfShortNames(turn: Turn): void {
  for (const arg of turn.session.options.args.slice(0, 1).flatMap((types) => types.split(","))) {
    const named = typesOf(turn).all.filter((api) => api.shortNames.includes(arg));
    const [first, ...others] = named;
    const lower = others.filter((api) => api.group !== first?.group || api.resource !== first.resource);
    if (lower.length > 0) printError(turn, `Warning: short name ${JSON.stringify(arg)} could also match lower priority resource ${lower.map((api) => `${api.resource}.${api.group}`).join(", ")}`);
  }
}

function start(turn: Turn): void {
  const { options } = turn.session;
  const raw = flag(options, "raw");
  if (raw !== "") return getRaw(turn, raw);
  const wrong = wrongFlags(turn);
  if (wrong !== undefined) return fail(turn, wrong);
  const queries = options.files.length > 0 ? queriesOfFiles(turn) : queriesOf(turn);
  warnOfShortNames(turn);
  if (typeof queries === "string") return fail(turn, queries);
  if (options.watch && new Set(queries.map(({ api }) => api)).size > 1) return fail(turn, "error: you may only specify a single resource type");
  if (queries.some((query) => query.name !== "") && (options.selector !== "" || options.fieldSelector !== "")) return fail(turn, "error: name cannot be provided when a selector is specified");
  if (options.allNamespaces && queries.some((query) => query.name !== "")) return fail(turn, "error: a resource cannot be retrieved by name across all namespaces");
  turn.session = { ...turn.session, data: { queries, at: 0, results: [], printed: false, widths: [], nth: 0, skips: false } satisfies Data };
  request(turn);
}

function queriesOfFiles(turn: Turn): readonly Query[] | string {
  const documents = readFiles(turn.session.options, turn.session.run.files, typesOf(turn));
  if (typeof documents === "string") return documents;
  const wrong = documents.find((document) => document.error !== undefined);
  if (wrong?.error !== undefined) return wrong.error;
  return documents.flatMap((document) => (document.error === undefined ? [{ api: document.api, name: document.object.metadata.name ?? "", ...(document.object.metadata.namespace === undefined ? {} : { namespace: document.object.metadata.namespace }) }] : []));
}

/** --raw: one GET, and what comes back as it is. */
function getRaw(turn: Turn, url: string): void {
  const [path = "", query = ""] = url.split("?");
  const pairs = query === "" ? {} : { query: Object.fromEntries(query.split("&").map((pair) => pair.split("=") as [string, string]).map(([key, value = ""]) => [key, value])) };
  ask(turn, "raw", { method: "GET", path, ...pairs, subject: path });
}

function onRaw(turn: Turn, answer: Answer): void {
  if (answer.refused || answer.status >= 400) return fail(turn, errorText(answer, turn.config.server));
  // The server's own documents are indented, objects are not.
  const { body } = answer;
  const version = typeof body === "object" && body !== null && "gitVersion" in body;
  printRaw(turn, typeof body === "string" ? body : version ? JSON.stringify(body, null, 2) : `${goListJson(body)}\n`);
  pause(turn, "kubectl.exit", "exit");
}

function request(turn: Turn, token = ""): void {
  const { queries, at } = data(turn);
  const query = queries[at];
  const { options } = turn.session;
  if (query === undefined) return finish(turn);
  const namespace = query.api.namespaced ? (query.namespace ?? namespaceOf(turn)) : "";
  const subresource = flag(options, "subresource");
  const accept = asksTable(turn) ? { accept: TABLE } : {};
  if (query.name !== "") {
    ask(turn, "get", { method: "GET", path: `${pathOf(query.api, namespace, query.name)}${subresource === "" ? "" : `/${subresource}`}`, ...accept, subject: `${query.api.singular}/${namespace === "" ? "" : `${namespace}/`}${query.name}` });
    return;
  }
  const selectors = { ...(options.fieldSelector === "" ? {} : { fieldSelector: options.fieldSelector }), ...(options.selector === "" ? {} : { labelSelector: options.selector }) };
  ask(turn, "get", { method: "GET", path: pathOf(query.api, namespace), query: { ...selectors, ...(flag(options, "sort-by") === "" ? chunkOf(options) : asksTable(turn) ? { includeObject: "Object" } : {}), ...(token === "" ? {} : { continue: token }) }, ...accept, subject: `list ${query.api.resource}` });
}

function onAnswer(turn: Turn, tag: string, answer: Answer): void {
  printWarnings(turn, answer.warnings);
  if (tag === "raw") return onRaw(turn, answer);
  if (tag !== "get" && tag !== "namespace") return;
  const { queries, at, missing } = data(turn);
  const query = queries[at];
  if (query === undefined) return;
  const namespace = query.api.namespaced ? (query.namespace ?? namespaceOf(turn)) : "";
  if (tag === "get" && query.name !== "" && asksNamespace(answer, namespace)) {
    turn.session = { ...turn.session, data: { ...data(turn), missing: answer } };
    return ask(turn, "namespace", namespaceCall(namespace));
  }
  told(turn, query, tag === "namespace" && missing !== undefined && statusOf(answer)?.reason !== "NotFound" ? missing : answer);
}

function told(turn: Turn, query: Query, answer: Answer): void {
  const { queries, at, results } = data(turn);
  if (answer.status !== 200) {
    if (!(answer.status === 404 && turn.session.options.ignoreNotFound)) addError(turn, errorText(answer, turn.config.server, answer.status === 400 && query.name === "" ? notFoundPrefix(turn, query.api) : "", flag(turn.session.options, "subresource") === "" ? `get ${query.api.resource}${query.api.group === "" ? "" : `.${query.api.group}`}${query.name === "" ? "" : ` ${query.name}`}` : ""));
    turn.session = { ...turn.session, data: { ...data(turn), at: answer.refused ? queries.length : at + 1 } };
    return request(turn);
  }
  const token = query.name === "" ? (listMetaOf(answer.body).continue ?? "") : "";
  turn.session = { ...turn.session, data: { ...data(turn), at: token === "" ? at + 1 : at, results: [...results, { query, body: answer.body }] } };
  request(turn, token);
}

/** What the builder puts before a refused list. */
const notFoundPrefix = (turn: Turn, api: ApiResource): string => `Unable to find "${api.group}/${api.version}, Resource=${api.resource}" that match label selector ${JSON.stringify(turn.session.options.selector)}, field selector ${JSON.stringify(turn.session.options.fieldSelector)}`;

function finish(turn: Turn): void {
  if (turn.session.options.watch) return turn.session.errors.length === 0 ? watch(turn) : pause(turn, "kubectl.exit", "exit");
  if (asksTable(turn)) printTables(turn);
  else printObjects(turn);
  pause(turn, "kubectl.exit", "exit");
}

/** Tables of one kind are joined; several kinds are separated by an empty line and name their type. */
function printTables(turn: Turn): void {
  const { results, queries } = data(turn);
  const kinds = [...new Set(queries.map((query) => query.api))];
  const typed = kinds.length > 1 || isOn(turn.session.options, "show-kind");
  const blocks: string[] = [];
  for (const api of kinds) {
    const tables = results.filter((result) => result.query.api === api).map((result) => result.body as Table);
    const rows = sortedRows(turn, tables.flatMap((table) => table.rows));
    if (rows.length > 0) blocks.push(format(turn, api, tables[0]?.columnDefinitions ?? [], rows, typed, !turn.session.options.noHeaders));
  }
  if (blocks.length > 0) print(turn, blocks.join(turn.session.options.noHeaders ? "" : "\n"));
  else if (turn.session.errors.length === 0 && !turn.session.options.ignoreNotFound) {
    const namespaced = queries.some((query) => query.api.namespaced);
    printError(turn, namespaced && !turn.session.options.allNamespaces ? `No resources found in ${namespaceOf(turn)} namespace.` : "No resources found");
  }
}

function format(turn: Turn, api: ApiResource, columns: readonly TableColumn[], rows: Table["rows"], typed: boolean, headers: boolean, event?: string): string {
  const { allNamespaces, showLabels, output } = turn.session.options;
  const columnLabels = flagList(turn.session.options, "label-columns");
  const withNamespace = allNamespaces && api.namespaced;
  const heads: TableColumn[] = [...(event === undefined ? [] : [{ name: "EVENT", priority: 0 }]), ...(withNamespace ? [{ name: "NAMESPACE", priority: 0 }] : []), ...columns.map((column) => ({ ...column, name: column.name.toUpperCase() })), ...columnLabels.map((name) => ({ name: labelHead(name), priority: 0 })), ...(showLabels ? [{ name: "LABELS", priority: 0 }] : [])];
  const cells = rows.map(({ cells: row, object }) => {
    const labels = Object.entries(object.metadata.labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${k}=${v}`).join(",");
    const named = typed ? row.map((cell, i) => (columns[i]?.name === "Name" ? `${typeName(api)}/${cell}` : cell)) : row;
    return [...(event === undefined ? [] : [event]), ...(withNamespace ? [object.metadata.namespace ?? ""] : []), ...named, ...columnLabels.map((name) => object.metadata.labels?.[name] ?? ""), ...(showLabels ? [labels === "" ? "<none>" : labels] : [])];
  });
  const widths = [...data(turn).widths];
  const text = formatTable(heads, cells, output === "wide", headers, widths);
  if (turn.session.options.watch) turn.session = { ...turn.session, data: { ...data(turn), widths } };
  return text;
}

/** "app.kubernetes.io/name" heads its column as NAME. */
const labelHead = (label: string): string => (label.split("/").at(-1) ?? label).toUpperCase();

function sortedRows(turn: Turn, rows: Table["rows"]): Table["rows"] {
  const path = flag(turn.session.options, "sort-by");
  if (path === "") return rows;
  const sorted = sortedPlaces(rows.map(({ object }) => object), path);
  if (typeof sorted !== "string") return sorted.flatMap((i) => rows[i] ?? []);
  addError(turn, sorted);
  return [];
}

function printObjects(turn: Turn): void {
  const { results, queries } = data(turn);
  const { options, run } = turn.session;
  const single = queries.length === 1 && queries[0]?.name !== "";
  let objects = results.flatMap((result) => (result.query.name !== "" ? [result.body as KubeObject] : (result.body as { readonly items: readonly KubeObject[] }).items));
  const path = flag(options, "sort-by");
  if (path !== "") {
    const sorted = sortedPlaces(objects, path);
    if (typeof sorted === "string") return addError(turn, sorted);
    objects = sorted.flatMap((i) => objects[i] ?? []);
  }
  if (objects.length === 0 && (single || options.ignoreNotFound)) return;
  const wrong = wrongFormat(turn);
  if (wrong !== undefined) {
    turn.session = { ...turn.session, errors: [wrong] };
    return;
  }
  if (options.output.startsWith("custom-columns")) return print(turn, printColumns(columnsOf(options, run.files), objects, !options.noHeaders));
  const printer = printerFor(options, run.files);
  if (printer === undefined || typeof printer === "string") return;
  const hidden = isOn(options, "show-managed-fields") ? objects : objects.map((object) => stripManaged(object) as KubeObject);
  // jsonpath and templates see the managed fields.
  const seen = ["json", "yaml", "kyaml"].includes(options.output) ? hidden : objects;
  const whole = single ? seen.slice(0, 1) : options.output === "name" ? seen : [{ apiVersion: "v1", items: seen, kind: "List", metadata: { resourceVersion: "" } } as unknown as KubeObject];
  for (const [nth, object] of whole.entries()) {
    const text = printer(object, nth);
    if (typeof text !== "string") addError(turn, text.error);
    else if (text !== "") printRaw(turn, text);
  }
}

/** What there is now, each object for itself, then what changes. */
function watch(turn: Turn): void {
  const { results, queries } = data(turn);
  const { options } = turn.session;
  const [query] = queries;
  if (query === undefined) return;
  const one = queries.length === 1 && query.name !== "";
  const silent = isOn(options, "watch-only");
  if (!silent) for (const { body, query: { name } } of results) for (const object of asksTable(turn) || name !== "" ? [body] : (body as { readonly items: readonly unknown[] }).items) printWatched(turn, "ADDED", object as KubeObject);
  if (queries.length > 1) return fail(turn, "error: you may only watch a single resource or type of resource at a time");
  const stream = `kubectl/${turn.session.key}/watch`;
  turn.session = { ...turn.session, streams: [stream], data: { ...data(turn), skips: one } };
  endsLater(turn);
  const version = one ? "0" : (listMetaOf(results.at(-1)?.body).resourceVersion ?? "0");
  const selectors = { ...(one ? { fieldSelector: `metadata.name=${query.name}` } : options.fieldSelector === "" ? {} : { fieldSelector: options.fieldSelector }), ...(options.selector === "" ? {} : { labelSelector: options.selector }) };
  ask(turn, "watch", { method: "GET", path: pathOf(query.api, query.api.namespaced ? namespaceOf(turn) : ""), query: { ...selectors, resourceVersion: version, watch: "true" }, ...(asksTable(turn) ? { accept: TABLE } : {}), stream, subject: `watch ${query.api.resource}` });
}

/** --request-timeout ends a watch as if it had been read to its end. */
function endsLater(turn: Turn): void {
  const micros = timeoutOf(flag(turn.session.options, "request-timeout")) ?? 0;
  if (micros > 0) turn.ctx.after(micros, { type: "kubectl.timeout", key: turn.session.key });
}

/** EVENT is as wide for every kind of event. */
const EVENT_WIDTH = 8;

/** One object or table of a watch; the header comes with the first row. */
function printWatched(turn: Turn, type: string, object: KubeObject): void {
  const { queries, nth } = data(turn);
  const { options, run } = turn.session;
  const [query] = queries;
  if (query === undefined) return;
  const typed = isOn(options, "output-watch-events");
  const next = { nth: nth + 1 };
  if (asksTable(turn)) {
    const { rows, columnDefinitions } = object as unknown as Table;
    if (rows === undefined || rows.length === 0) return;
    print(turn, format(turn, query.api, columnDefinitions, rows, false, nth === 0 && !options.noHeaders, typed ? type.padEnd(EVENT_WIDTH) : undefined));
  } else if (options.output.startsWith("custom-columns")) print(turn, printColumns(columnsOf(options, run.files), [object], nth === 0 && !options.noHeaders));
  else {
    const printer = printerFor(options, run.files);
    if (printer === undefined || typeof printer === "string") return;
    const shown = isOn(options, "show-managed-fields") ? object : (stripManaged(object) as KubeObject);
    const text = printer(typed ? ({ object: shown, type } as unknown as KubeObject) : shown, nth);
    if (typeof text !== "string") return fail(turn, text.error);
    printRaw(turn, text);
  }
  turn.session = { ...turn.session, data: { ...data(turn), ...next } };
}

/** The watch of one object begins with what was printed already. */
function onEvent(turn: Turn, event: WatchEvent): void {
  if (data(turn).skips) turn.session = { ...turn.session, data: { ...data(turn), skips: false } };
  else if (event.type !== "BOOKMARK") printWatched(turn, event.type, event.object);
}

export const get: Command = { names: ["get"], start, onAnswer, onEvent, onPause: (turn) => exit(turn) };
