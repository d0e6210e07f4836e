// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/{apply,create}
import { parseGoDuration } from "../api/duration.ts";
import { LAST_APPLIED } from "../api/fieldmanager/last-applied.ts";
import { matches, parseSelector } from "../api/labels.ts";
import { sortKeys } from "../api/json.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import type { Micros } from "../kernel/types.ts";
import { doomedOf, pruneNext, type Pruning, pruningOf, wrongPrune } from "./apply-prune.ts";
import { asksNamespace, namespaceCall } from "./builder.ts";
import { goJson } from "./go-json.ts";
import { errorText, refusal, statusOf } from "./errors.ts";
import { readFiles as readDocuments } from "./files.ts";
import { fieldValidation, flag, isOn } from "./flags.ts";
import { InvalidSegment, type ManifestDocument, pathOf, typeName } from "./manifest.ts";
import { readSchema, schemasToRead, verifierPaths } from "./param-verifier.ts";
import { PRINT_FORMATS, printerFor, unmatched } from "./printers.ts";
import { addError, type Answer, ask, type Command, exit, fail, pause, print, printError, printWarnings, say, type Turn } from "./session.ts";
import { threeWayPatch } from "./three-way.ts";
import { BUILT_IN, typesOf } from "./types.ts";

/** A conflict of the PATCH: read again and try once more, 5 times at most. */
const MAX_PATCH_RETRY = 5;

interface Item {
  readonly file: string;
  readonly api: ApiResource;
  readonly object: KubeObject;
}
interface Data {
  readonly items: readonly Item[];
  readonly at: number;
  readonly retries: number;
  /** What is still asked for before the first object is looked at. */
  readonly lookups: readonly string[];
  /** What is being read of them. */
  readonly reading?: string;
  readonly live?: KubeObject;
  readonly modified?: unknown;
  /** When --force deleted the object. */
  readonly forcedAt?: Micros;
  /** Objects as they are stored after their turn, for --prune. */
  readonly applied?: readonly KubeObject[];
  readonly pruning?: Pruning;
}

const data = (turn: Turn): Data => turn.session.data as Data;
const update = (turn: Turn, change: Partial<Data>): void => {
  turn.session = { ...turn.session, data: { ...data(turn), ...change } };
};
const current = (turn: Turn): Item | undefined => data(turn).items[data(turn).at];
const suffix = (turn: Turn): string => (turn.session.options.dryRun === "server" ? " (server dry run)" : turn.session.options.dryRun === "client" ? " (dry run)" : "");
const isCreate = (turn: Turn): boolean => turn.session.options.command === "create";

const directive = (turn: Turn): string => fieldValidation(turn.session.options) ?? "Strict";
const managerOf = (turn: Turn): string => flag(turn.session.options, "field-manager", isCreate(turn) ? "kubectl-create" : "kubectl-client-side-apply");

/** The manifest with the annotation that remembers it: what the next apply compares with. */
export function withLastApplied(object: KubeObject): KubeObject {
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const bare = { ...object, metadata: { ...object.metadata, annotations } };
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [LAST_APPLIED]: `${goJson(bare)}\n` } } };
}

/** Reads -f files into documents; undefined when the command cannot go on. */
export function readFiles(turn: Turn): readonly ManifestDocument[] | undefined {
  const documents = readDocuments(turn.session.options, turn.session.run.files, typesOf(turn));
  if (typeof documents !== "string") return documents;
  fail(turn, documents);
  return undefined;
}

function start(turn: Turn): void {
  const { options } = turn.session;
  const verb = options.command;
  if (options.files.length === 0) return fail(turn, verb === "apply" ? "error: must specify one of -f and -k" : "error: must specify one of -f and -k");
  if (isOn(options, "force-conflicts")) return fail(turn, "error: --force-conflicts only works with --server-side");
  if (!isCreate(turn) && flag(options, "subresource") !== "") return fail(turn, "error: --subresource can only be specified for --server-side");
  const wrong = wrongPrune(options);
  if (wrong !== undefined) return fail(turn, wrong);
  const printer = options.output === "" ? "" : printerFor(options, turn.session.run.files);
  if (printer === undefined || (typeof printer === "string" && printer !== "")) return fail(turn, printer ?? unmatched(options.output, PRINT_FORMATS));
  const documents = readFiles(turn);
  if (documents === undefined) return;
  const items: Item[] = [];
  const reading: string[] = [];
  for (const document of documents) {
    const placed = document.error === undefined ? place(turn, document) : document.error;
    if (typeof placed === "string") reading.push(placed);
    else if (selected(turn, placed.object)) items.push(placed);
  }
  if (items.length + reading.length === 0) return fail(turn, `error: no objects passed to ${verb}`);
  say(turn, `turns the YAML into JSON: ${items.map((item) => `${item.api.kind} ${item.object.metadata.name ?? ""}`).join(", ") || "nothing usable"}`, "the API speaks JSON; YAML is only for people (1.1 rules: unquoted yes, no, on, off are booleans)", "basic", { documents: items.map((item) => item.object) });
  turn.session = { ...turn.session, data: { items, at: 0, retries: 0, lookups: verifierPaths(documents, typesOf(turn)) } satisfies Data };
  for (const error of reading) addError(turn, error);
  // Without validation the server need not be asked whether it can.
  if (directive(turn) === "Ignore") return pause(turn, "kubectl.before-get", "item");
  say(turn, "checks apiVersion and kind, and asks the server whether it validates fields", "no field is checked here: unknown fields and wrong types are the server's business", "operator");
  ask(turn, "openapi", { method: "GET", path: "/openapi/v3", query: { timeout: "32s" }, accept: "application/json, */*", level: "operator" });
}

/** -l leaves out what does not have the labels. */
function selected(turn: Turn, { metadata }: KubeObject): boolean {
  const { selector } = turn.session.options;
  const parsed = selector === "" ? undefined : parseSelector(selector);
  return parsed === undefined || typeof parsed === "string" || matches(parsed, metadata.labels);
}

/** The namespace: from the object, else of the context; a different -n is an error. */
function place(turn: Turn, document: Item): Item | string {
  const { options } = turn.session;
  const wanted = options.namespaceGiven ? options.namespace : turn.config.namespace;
  const { metadata } = document.object;
  if (!document.api.namespaced) return document;
  if (options.namespaceGiven && metadata.namespace !== undefined && metadata.namespace !== wanted) {
    return `error: the namespace from the provided object ${JSON.stringify(metadata.namespace)} does not match the namespace ${JSON.stringify(wanted)}. You must pass '--namespace=${metadata.namespace}' to perform this operation.`;
  }
  if (options.command === "apply" && metadata.name === undefined && metadata.generateName !== undefined) return `error: from ${metadata.generateName}: cannot use generate name with apply`;
  return { ...document, object: sortKeys({ ...document.object, metadata: { ...metadata, namespace: metadata.namespace ?? wanted } }) as KubeObject };
}

function onAnswer(turn: Turn, tag: string, answer: Answer): void {
  printWarnings(turn, answer.warnings);
  switch (tag) {
    case "openapi":
      return onOpenApi(turn, answer);
    case "lookup": {
      const { reading = "" } = data(turn);
      if (answer.status === 200) turn.session = { ...turn.session, schemas: readSchema(reading, answer.body, turn.session.schemas) };
      return lookUp(turn);
    }
    case "get":
      return onGet(turn, answer);
    case "namespace":
      return onNamespace(turn, answer);
    case "gone":
      return onGone(turn, answer);
    case "force":
      return onForced(turn, answer);
    case "write":
      return onWrite(turn, answer);
    case "prune-list": {
      const { pruning } = data(turn);
      const doomed = pruning === undefined ? undefined : doomedOf(turn, pruning, answer);
      return pruning === undefined || doomed === undefined ? undefined : prune(turn, { ...pruning, doomed, lists: doomed.length === 0 ? pruning.lists.slice(1) : pruning.lists });
    }
    case "prune-delete": {
      const { pruning } = data(turn);
      if (answer.status >= 400 || answer.refused) return fail(turn, errorText(answer, turn.config.server));
      return pruning === undefined ? undefined : pruned(turn, pruning);
    }
  }
}

/** Simplified: upstream stops where it may not list the CRDs. */
function lookUp(turn: Turn): void {
  const [path, ...lookups] = data(turn).lookups;
  if (path === undefined) return pause(turn, "kubectl.before-get", "item");
  update(turn, { lookups, reading: path });
  const [plain = "", hash] = path.split("?hash=");
  ask(turn, "lookup", { method: "GET", path: plain, ...(path.startsWith("/openapi/") ? { query: { ...(hash === undefined ? {} : { hash }), timeout: "32s" } } : {}), subject: plain, level: "source" });
}

function onOpenApi(turn: Turn, answer: Answer): void {
  if (answer.status === 200) {
    const { items, lookups } = data(turn);
    const more = schemasToRead(items.map(({ api }) => api), answer.body, turn.session.schemas);
    if (more.length > 0) update(turn, { lookups: [...new Set([...more, ...lookups])] });
    return lookUp(turn);
  }
  const file = current(turn)?.file ?? turn.session.options.files[0] ?? "";
  const why = answer.refused ? `Get "https://${turn.config.server}/openapi/v2?timeout=32s": dial tcp ${turn.config.server}: ${answer.timedOut ? "i/o timeout" : "connect: connection refused"}` : answer.status === 401 ? "the server has asked for the client to provide credentials" : (statusOf(answer)?.message ?? "");
  fail(turn, `error: error validating ${JSON.stringify(file)}: error validating data: failed to download openapi: ${why}; if you choose to ignore these errors, turn validation off with --validate=false`);
}

function onPause(turn: Turn, tag: string): void {
  if (tag === "item") return nextItem(turn);
  if (tag === "write") return write(turn);
  const item = current(turn);
  if (tag === "still there" && item !== undefined) return askGone(turn, item);
  if (tag === "exit") exit(turn);
}

function nextItem(turn: Turn): void {
  const item = current(turn);
  if (item === undefined) return pauseExit(turn);
  if (isCreate(turn)) return write(turn);
  if ((item.object.metadata.name ?? "") === "") {
    addError(turn, `error: error when retrieving current configuration of:\n${identity(item)}\nfrom server for: ${JSON.stringify(item.file)}: resource name may not be empty`);
    return advance(turn);
  }
  say(turn, `asks whether ${typeName(item.api)}/${item.object.metadata.name ?? ""} exists: it reads before it writes`, "apply compares three things: the manifest, what was applied last, and what is stored", "basic");
  try {
    ask(turn, "get", { method: "GET", path: pathOf(item.api, item.object.metadata.namespace ?? "", item.object.metadata.name ?? ""), subject: subject(item), level: "basic" });
  } catch (reason) {
    if (!(reason instanceof InvalidSegment)) throw reason;
    addError(turn, `error: error when retrieving current configuration of:\n${identity(item)}\nfrom server for: ${JSON.stringify(item.file)}: ${reason.message}`);
    advance(turn);
  }
}

const subject = ({ api, object }: Item): string => `${api.singular}/${api.namespaced ? `${object.metadata.namespace ?? ""}/` : ""}${object.metadata.name ?? ""}`;

/** Goes on with what --prune has to look through. A dry run of the client deletes nothing. */
function prune(turn: Turn, pruning: Pruning): void {
  update(turn, { pruning });
  if (pruning.doomed.length > 0 && turn.session.options.dryRun === "client") return pruned(turn, pruning);
  if (!pruneNext(turn, pruning)) pause(turn, "kubectl.exit", "exit");
}

function pruned(turn: Turn, pruning: Pruning): void {
  const [object, ...doomed] = pruning.doomed;
  const api = pruning.lists[0]?.api;
  if (object !== undefined && api !== undefined) printDone(turn, { file: "", api, object }, "pruned");
  prune(turn, { ...pruning, doomed, lists: doomed.length === 0 ? pruning.lists.slice(1) : pruning.lists });
}

function pauseExit(turn: Turn): void {
  if (isOn(turn.session.options, "prune") && !isCreate(turn) && turn.session.errors.length === 0) return prune(turn, pruningOf(turn, data(turn).applied ?? []));
  pause(turn, "kubectl.exit", "exit");
}

function advance(turn: Turn): void {
  update(turn, { at: data(turn).at + 1, retries: 0 });
  const { live: _l, modified: _m, ...rest } = data(turn);
  turn.session = { ...turn.session, data: rest };
  if (current(turn) === undefined) pauseExit(turn);
  else nextItem(turn);
}

function identity(item: Item): string {
  const { group, version, resource, kind } = item.api;
  return `Resource: "${group}/${version}, Resource=${resource}", GroupVersionKind: "${group}/${version}, Kind=${kind}"\nName: ${JSON.stringify(item.object.metadata.name ?? "")}, Namespace: ${JSON.stringify(item.object.metadata.namespace ?? "")}`;
}

function onGet(turn: Turn, answer: Answer): void {
  const item = current(turn);
  if (item === undefined) return;
  if (asksNamespace(answer, item.object.metadata.namespace ?? "")) return ask(turn, "namespace", namespaceCall(item.object.metadata.namespace ?? ""));
  if (statusOf(answer)?.reason === "NotFound") return pause(turn, "kubectl.before-write", "write");
  if (answer.status !== 200) {
    addError(turn, errorText(answer, turn.config.server, `error when retrieving current configuration of:\n${identity(item)}\nfrom server for: ${JSON.stringify(item.file)}`));
    return answer.refused ? pauseExit(turn) : advance(turn);
  }
  update(turn, { live: answer.body as KubeObject });
  pause(turn, "kubectl.before-write", "write");
}

/** Whatever is said of the namespace, the object is not there: creating it will tell. */
const onNamespace = (turn: Turn, _answer: Answer): void => pause(turn, "kubectl.before-write", "write");

/** POST a new object, or PATCH the difference. */
function write(turn: Turn): void {
  const item = current(turn);
  if (item === undefined) return;
  const { live } = data(turn);
  const { dryRun } = turn.session.options;
  const object = isCreate(turn) && !isOn(turn.session.options, "save-config") ? item.object : withLastApplied(item.object);
  const query = { ...(dryRun === "server" ? { dryRun: "All" } : {}), fieldManager: managerOf(turn), fieldValidation: directive(turn) };
  if (live === undefined) {
    if (dryRun === "client") return done(turn, item, "created");
    say(turn, `sends POST ${pathOf(item.api, item.object.metadata.namespace ?? "")}`, "the object does not exist yet; the annotation remembers what was applied", "basic", { body: object });
    ask(turn, "write", { method: "POST", path: pathOf(item.api, item.object.metadata.namespace ?? ""), query, body: object, subject: subject(item), level: "basic" });
    return;
  }
  patch(turn, item, live, object, query);
}

function patch(turn: Turn, item: Item, live: KubeObject, object: KubeObject, query: Readonly<Record<string, string>>): void {
  const { dryRun } = turn.session.options;
  const annotation = live.metadata.annotations?.[LAST_APPLIED];
  if (annotation === undefined) {
    printError(turn, `Warning: resource ${item.api.resource}/${item.object.metadata.name ?? ""} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.`);
  }
  const difference = threeWayPatch(annotation, object, live);
  if (difference === undefined) return done(turn, { ...item, object: live }, "unchanged");
  if (live.metadata.deletionTimestamp !== undefined) printError(turn, `Warning: Detected changes to resource ${item.object.metadata.name ?? ""} which is currently being deleted.`);
  if (dryRun === "client") return done(turn, item, "configured");
  update(turn, { modified: difference });
  const builtIn = BUILT_IN.ofKind(item.api.apiVersion, item.api.kind) !== undefined;
  say(turn, `sends PATCH with only what changed`, builtIn ? "a strategic merge patch, computed from last applied, manifest and stored object" : "a JSON merge patch: the schema of a custom resource names no keys to merge lists by", "basic", { body: difference });
  ask(turn, "write", { method: "PATCH", path: pathOf(item.api, item.object.metadata.namespace ?? "", item.object.metadata.name ?? ""), query, body: difference, contentType: `application/${builtIn ? "strategic-merge" : "merge"}-patch+json`, subject: subject(item), level: "basic" });
}

function onWrite(turn: Turn, answer: Answer): void {
  const item = current(turn);
  if (item === undefined) return;
  const { live, retries, modified } = data(turn);
  if (answer.status === 201) return done(turn, { ...item, object: answer.body as KubeObject }, live === undefined ? "created" : "configured");
  if (answer.status === 200) return done(turn, { ...item, object: answer.body as KubeObject }, sameVersion(live, answer.body as KubeObject) ? "unchanged" : "configured");
  if (answer.status === 409 && live !== undefined && retries < MAX_PATCH_RETRY) {
    update(turn, { retries: retries + 1 });
    return nextItem(turn);
  }
  if (answer.status === 422 && live !== undefined && turn.session.options.force) return recreate(turn, item);
  const file = JSON.stringify(item.file);
  const doing = live === undefined ? `error when creating ${file}` : `error when applying patch:\n${goJson(modified)}\nto:\n${identity(item)}\nfor: ${file}: error when patching ${file}`;
  addError(turn, refusal(answer, turn.config.server, doing));
  if (answer.refused) pauseExit(turn);
  else advance(turn);
}

const sameVersion = (live: KubeObject | undefined, stored: KubeObject): boolean => live !== undefined && live.metadata.resourceVersion === stored.metadata.resourceVersion;

function done(turn: Turn, item: Item, what: string): void {
  printDone(turn, item, what);
  update(turn, { applied: [...(data(turn).applied ?? []), item.object] });
  advance(turn);
}

function printDone(turn: Turn, item: Item, what: string): void {
  const { options, run } = turn.session;
  const printer = options.output === "" ? undefined : printerFor(options, run.files);
  const text = typeof printer === "function" ? printer(item.object, 0) : `${typeName(item.api)}/${item.object.metadata.name ?? ""} ${what}${suffix(turn)}\n`;
  if (typeof text === "string") print(turn, text);
  else addError(turn, text.error);
}

/** --force: what cannot be changed is deleted and made anew. Simplified: upstream puts the old one back when the new one is refused. */
function recreate(turn: Turn, item: Item): void {
  ask(turn, "force", { method: "DELETE", path: pathOf(item.api, item.object.metadata.namespace ?? "", item.object.metadata.name ?? ""), body: { propagationPolicy: "Background" }, subject: subject(item), level: "basic" });
}

function onForced(turn: Turn, answer: Answer): void {
  const item = current(turn);
  if (item === undefined) return;
  if (answer.status !== 200) {
    addError(turn, refusal(answer, turn.config.server));
    return advance(turn);
  }
  update(turn, { forcedAt: turn.ctx.now });
  askGone(turn, item);
}

const askGone = (turn: Turn, item: Item): void => ask(turn, "gone", { method: "GET", path: pathOf(item.api, item.object.metadata.namespace ?? "", item.object.metadata.name ?? ""), subject: subject(item), level: "operator" });

/** Every second until it is gone or --timeout is over; without a timeout it is asked once. */
function onGone(turn: Turn, answer: Answer): void {
  const item = current(turn);
  if (item === undefined) return;
  const over = turn.ctx.now - (data(turn).forcedAt ?? 0) >= parseGoDuration(turn.session.options.timeout);
  if (answer.status === 200 && !over) {
    turn.ctx.after(SECOND, { type: "kubectl.continue", key: turn.session.key, tag: "still there" });
    return;
  }
  if (statusOf(answer)?.reason !== "NotFound") {
    addError(turn, answer.status === 200 ? "error: context deadline exceeded" : refusal(answer, turn.config.server));
    return advance(turn);
  }
  ask(turn, "write", { method: "POST", path: pathOf(item.api, item.object.metadata.namespace ?? ""), query: { fieldManager: managerOf(turn), fieldValidation: directive(turn) }, body: withLastApplied(item.object), subject: subject(item), level: "basic" });
}

/** apply -f, and create -f. */
export const applyFiles: Command = { names: [], start, onAnswer, onPause };
