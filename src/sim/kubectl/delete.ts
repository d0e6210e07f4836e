// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/delete/delete.go and pkg/cmd/wait
import type { WatchEvent } from "../api/http.ts";
import { parseGoDuration } from "../api/duration.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { readFiles } from "./apply.ts";
import { NOTHING_NAMED } from "./builder.ts";
import { errorText, refusal, statusOf } from "./errors.ts";
import { flag } from "./flags.ts";
import { goListJson } from "./go-json.ts";
import { type ManifestDocument, pathOf, typeName } from "./manifest.ts";
import { addError, type Answer, ask, type Command, exit, fail, pause, print, printError, printRaw, say, type Turn } from "./session.ts";
import { typesOf } from "./types.ts";

interface Target {
  readonly api: ApiResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** The file that named it: part of the error text. */
  readonly file?: string;
}
interface Data {
  readonly targets: readonly Target[];
  readonly at: number;
  /** Deleted ones that must be gone before the command ends. */
  readonly gone: readonly Target[];
  readonly waitAt: number;
}

const data = (turn: Turn): Data => turn.session.data as Data;
const update = (turn: Turn, change: Partial<Data>): void => {
  turn.session = { ...turn.session, data: { ...data(turn), ...change } };
};
const subject = ({ api, namespace, name }: Target): string => `${api.singular}/${api.namespaced ? `${namespace}/` : ""}${name}`;

/** "TYPE NAME...", "TYPE/NAME...": targets, or cobra's error text. */
export function targetsOf(turn: Turn): readonly Target[] | string {
  const { args } = turn.session.options;
  const namespace = turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace;
  const unknown = (type: string): string => `error: the server doesn't have a resource type ${JSON.stringify(type)}`;
  if (args[0]?.includes("/") === true) {
    const targets: Target[] = [];
    for (const arg of args) {
      const [type = "", name = ""] = arg.split("/");
      const api = typesOf(turn).find(type);
      if (api === undefined) return unknown(type);
      targets.push({ api, namespace: api.namespaced ? namespace : "", name });
    }
    return targets;
  }
  const [types = "", ...names] = args;
  const targets: Target[] = [];
  for (const type of types.split(",")) {
    const api = typesOf(turn).find(type);
    if (api === undefined) return unknown(type);
    for (const name of names) targets.push({ api, namespace: api.namespaced ? namespace : "", name });
  }
  return targets;
}

function start(turn: Turn): void {
  const { options } = turn.session;
  // Before anything is said: it may take a new discovery.
  const targets = options.files.length > 0 || options.args.length === 0 ? [] : targetsOf(turn);
  const documents = options.files.length === 0 ? undefined : readFiles(turn);
  if (!["background", "foreground", "orphan", "true", "false"].includes(options.cascade)) return fail(turn, `error: invalid cascade value (${options.cascade}). Must be "background", "foreground", or "orphan"`);
  if (["true", "false"].includes(options.cascade)) printError(turn, `warning: --cascade=${options.cascade} is deprecated (boolean value) and can be replaced with --cascade=${options.cascade === "true" ? "background" : "orphan"}.`);
  if (options.all && options.selector !== "") return fail(turn, "error: setting 'all' parameter but found a non empty selector. ");
  if (options.force && options.gracePeriod > 0) return fail(turn, "error: --force and --grace-period greater than 0 cannot be specified together");
  if (options.force) printError(turn, "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.");
  const raw = flag(options, "raw");
  if (raw !== "") return void ask(turn, "raw", { method: "DELETE", path: raw, subject: raw, level: "basic" });
  if (options.files.length > 0) return startWithFiles(turn, documents);
  if (options.args.length === 0) return fail(turn, NOTHING_NAMED);
  if (typeof targets === "string") return fail(turn, targets);
  if (options.selector !== "" || options.all || options.fieldSelector !== "") return targets.length > 0 ? fail(turn, "error: name cannot be provided when a selector is specified") : listFirst(turn);
  if (targets.length === 0) return fail(turn, "error: resource(s) were provided, but no name was specified");
  begin(turn, targets);
}

function startWithFiles(turn: Turn, documents: readonly ManifestDocument[] | undefined): void {
  if (documents === undefined) return;
  const targets: Target[] = [];
  for (const document of documents) {
    if (document.error !== undefined) addError(turn, document.error);
    else targets.push({ api: document.api, namespace: document.api.namespaced ? (document.object.metadata.namespace ?? turn.config.namespace) : "", name: document.object.metadata.name ?? "", file: document.file });
  }
  begin(turn, targets);
}

/** -l, --all, --field-selector: one list a type, then everything found. */
function listFirst(turn: Turn): void {
  turn.session = { ...turn.session, data: { targets: [], at: 0, gone: [], waitAt: 0 } satisfies Data };
  listNext(turn);
}

function listNext(turn: Turn): void {
  const { options } = turn.session;
  const { at, targets } = data(turn);
  const type = options.args[0]?.split(",")[at];
  if (type === undefined) {
    if (targets.length > 0) return begin(turn, targets);
    print(turn, "No resources found");
    return pause(turn, "kubectl.exit", "exit");
  }
  const api = typesOf(turn).find(type);
  if (api === undefined) return fail(turn, `error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  const namespace = options.allNamespaces || !api.namespaced ? "" : options.namespaceGiven ? options.namespace : turn.config.namespace;
  const selectors = { ...(options.fieldSelector === "" ? {} : { fieldSelector: options.fieldSelector }), ...(options.selector === "" ? {} : { labelSelector: options.selector }) };
  ask(turn, "list", { method: "GET", path: pathOf(api, namespace), query: selectors, subject: `list ${api.resource}` });
}

function begin(turn: Turn, targets: readonly Target[]): void {
  turn.session = { ...turn.session, data: { targets, at: 0, gone: [], waitAt: 0 } satisfies Data };
  const { namespaceGiven, allNamespaces } = turn.session.options;
  if (namespaceGiven && !allNamespaces && targets.some((target) => !target.api.namespaced)) printError(turn, "Warning: deleting cluster-scoped resources, not scoped to the provided namespace");
  next(turn);
}

function next(turn: Turn): void {
  const { targets, at } = data(turn);
  const target = targets[at];
  if (target === undefined) return waitNext(turn);
  const { gracePeriod, force, cascade, dryRun } = turn.session.options;
  const grace = gracePeriod >= 0 ? gracePeriod : force ? 0 : undefined;
  const policy = cascade === "orphan" || cascade === "false" ? "Orphan" : cascade === "foreground" ? "Foreground" : "Background";
  if (dryRun === "client") {
    printDeleted(turn, target);
    update(turn, { at: at + 1 });
    return next(turn);
  }
  say(turn, `sends DELETE for ${typeName(target.api)}/${target.name}`, "the server decides what that means: for a running Pod only a time is set", "basic");
  ask(turn, "delete", { method: "DELETE", path: pathOf(target.api, target.namespace, target.name), body: { ...(grace === undefined ? {} : { gracePeriodSeconds: grace }), propagationPolicy: policy, ...(dryRun === "server" ? { dryRun: ["All"] } : {}) }, subject: subject(target), level: "basic" });
}

function onAnswer(turn: Turn, tag: string, answer: Answer): void {
  if (tag === "raw") {
    if (answer.refused || answer.status >= 400) return fail(turn, errorText(answer, turn.config.server));
    printRaw(turn, `${goListJson(answer.body)}\n`);
    return pause(turn, "kubectl.exit", "exit");
  }
  if (tag === "list") return onList(turn, answer);
  if (tag === "delete") return onDelete(turn, answer);
  if (tag === "gone") return onGone(turn, answer);
  if (tag === "watch" && answer.status !== 200) waitNext(turn);
}

function onList(turn: Turn, answer: Answer): void {
  if (answer.status !== 200) return fail(turn, errorText(answer, turn.config.server));
  const { at, targets } = data(turn);
  const api = typesOf(turn).find(turn.session.options.args[0]?.split(",")[at] ?? "");
  const { items } = answer.body as { readonly items: readonly KubeObject[] };
  if (api === undefined) return;
  const found = items.map((item): Target => ({ api, namespace: item.metadata.namespace ?? "", name: item.metadata.name ?? "" }));
  update(turn, { at: at + 1, targets: [...targets, ...found] });
  listNext(turn);
}

function printDeleted(turn: Turn, { api, name, namespace }: Target): void {
  const { force, dryRun, output } = turn.session.options;
  if (output === "name") return print(turn, `${typeName(api)}/${name}`);
  const suffix = dryRun === "server" ? " (server dry run)" : dryRun === "client" ? " (dry run)" : "";
  print(turn, `${typeName(api)} ${JSON.stringify(name)} ${force ? "force " : ""}deleted${api.namespaced ? ` from ${namespace} namespace` : ""}${suffix}`);
}

function onDelete(turn: Turn, answer: Answer): void {
  const { targets, at, gone } = data(turn);
  const target = targets[at];
  if (target === undefined) return;
  const { options } = turn.session;
  if (answer.status === 200) {
    const body = answer.body as KubeObject & { readonly details?: { readonly uid?: string } };
    const uid = body.kind === "Status" ? body.details?.uid : body.metadata.uid;
    printDeleted(turn, target);
    update(turn, { gone: options.dryRun === "none" ? [...gone, { ...target, ...(uid === undefined ? {} : { uid }) }] : gone });
  } else if (options.ignoreNotFound && statusOf(answer)?.reason === "NotFound") {
    update(turn, { gone: [...gone, target] });
  } else {
    addError(turn, refusal(answer, turn.config.server, target.file === undefined ? "" : `error when deleting ${JSON.stringify(target.file)}`));
  }
  update(turn, { at: at + 1 });
  next(turn);
}

/** After all DELETEs: for each one GET, and if it is still there a watch until it is gone. */
function waitNext(turn: Turn): void {
  const { gone, waitAt } = data(turn);
  const target = gone[waitAt];
  // What went wrong is told at once: then nothing is waited for.
  if (!turn.session.options.wait || target === undefined || turn.session.errors.length > 0) return pause(turn, "kubectl.exit", "exit");
  ask(turn, "gone", { method: "GET", path: pathOf(target.api, target.namespace, target.name), subject: subject(target), level: "operator" });
}

function onGone(turn: Turn, answer: Answer): void {
  const { gone, waitAt } = data(turn);
  const target = gone[waitAt];
  if (target === undefined) return;
  const object = answer.body as KubeObject | undefined;
  if (answer.status !== 200 || (target.uid !== undefined && object?.metadata.uid !== target.uid)) {
    update(turn, { waitAt: waitAt + 1 });
    return waitNext(turn);
  }
  say(turn, `waits until ${typeName(target.api)}/${target.name} is gone`, "it holds a watch on that name; the line that says deleted is already printed", "basic");
  const timeout = parseGoDuration(turn.session.options.timeout);
  if (timeout > 0) turn.ctx.after(timeout, { type: "kubectl.timeout", key: turn.session.key });
  const stream = `kubectl/${turn.session.key}/${waitAt}`;
  turn.session = { ...turn.session, streams: [...turn.session.streams, stream] };
  ask(turn, "watch", { method: "GET", path: pathOf(target.api, target.namespace), query: { fieldSelector: `metadata.name=${target.name}`, resourceVersion: object?.metadata.resourceVersion ?? "", watch: "true" }, stream, subject: `watch ${subject(target)}` });
}

function onEvent(turn: Turn, event: WatchEvent): void {
  const { waitAt } = data(turn);
  if (event.type !== "DELETED") return;
  turn.session = { ...turn.session, streams: [] };
  update(turn, { waitAt: waitAt + 1 });
  waitNext(turn);
}

function onPause(turn: Turn, tag: string): void {
  if (tag !== "timeout") return exit(turn);
  const { gone, waitAt } = data(turn);
  const target = gone[waitAt];
  if (target !== undefined) fail(turn, `error: timed out waiting for the condition on ${target.api.resource}/${target.name}`);
}

export const remove: Command = { names: ["delete"], start, onAnswer, onEvent, onPause };
