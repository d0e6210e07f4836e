// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/describe
import { type ApiResource, findResource } from "../api/schema/resources.ts";
import type { KubeEvent, KubeObject, Pod } from "../api/types.ts";
import { describePod, eventLines } from "./describe-pod.ts";
import { errorText } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { type Answer, ask, type Command, exit, fail, pause, print, printError, type Turn } from "./session.ts";
import { align } from "./tabwriter.ts";

interface Data {
  readonly api: ApiResource;
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly at: number;
  readonly blocks: readonly string[];
  readonly missing?: Answer;
  /** Found by the beginning of their names: each is followed by an empty line. */
  readonly byPrefix?: boolean;
}

const data = (turn: Turn): Data => turn.session.data as Data;
const update = (turn: Turn, change: Partial<Data>): void => {
  turn.session = { ...turn.session, data: { ...data(turn), ...change } };
};
const namespaceOf = (turn: Turn): string => (turn.session.options.allNamespaces ? "" : turn.session.options.namespaceGiven ? turn.session.options.namespace : turn.config.namespace);

function start(turn: Turn): void {
  const [first = "", second = ""] = turn.session.options.args;
  if (first === "") return fail(turn, "error: You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.");
  const [type = "", name = second] = first.includes("/") ? first.split("/") : [first, second];
  const api = findResource(type);
  if (api === undefined) return fail(turn, `error: the server doesn't have a resource type ${JSON.stringify(type)}`);
  turn.session = { ...turn.session, data: { api, name, objects: [], at: 0, blocks: [] } satisfies Data };
  const namespace = api.namespaced ? namespaceOf(turn) : "";
  if (name !== "") ask(turn, "get", { method: "GET", path: pathOf(api, namespace, name), subject: `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}` });
  else list(turn, "list");
}

function list(turn: Turn, tag: string): void {
  const { api } = data(turn);
  const { selector } = turn.session.options;
  ask(turn, tag, { method: "GET", path: pathOf(api, api.namespaced ? namespaceOf(turn) : ""), query: { ...(selector === "" ? {} : { labelSelector: selector }), limit: "500" }, subject: `list ${api.resource}` });
}

function onAnswer(turn: Turn, tag: string, answer: Answer): void {
  const { name } = data(turn);
  if (tag === "get" && answer.status === 404) {
    update(turn, { missing: answer });
    // Perhaps it is the beginning of a name.
    return list(turn, "prefix");
  }
  if (answer.status !== 200) return fail(turn, errorText(answer, turn.config.server));
  if (tag === "get") return begin(turn, [answer.body as KubeObject]);
  if (tag === "events") return onEvents(turn, answer);
  const items = (answer.body as { readonly items: readonly KubeObject[] }).items;
  if (tag === "list") return begin(turn, items);
  const found = items.filter((item) => item.metadata.name?.startsWith(name) === true);
  const { missing } = data(turn);
  if (found.length === 0 && missing !== undefined) return fail(turn, errorText(missing, turn.config.server));
  update(turn, { byPrefix: true });
  begin(turn, found);
}

function begin(turn: Turn, objects: readonly KubeObject[]): void {
  update(turn, { objects });
  if (objects.length > 0) return next(turn);
  printError(turn, `No resources found in ${namespaceOf(turn)} namespace.`);
  pause(turn, "kubectl.exit", "exit");
}

function next(turn: Turn): void {
  const { objects, at, blocks } = data(turn);
  const object = objects[at];
  if (object === undefined) {
    print(turn, data(turn).byPrefix === true ? blocks.map((block) => `${block}\n`).join("") : blocks.join("\n\n"));
    return pause(turn, "kubectl.exit", "exit");
  }
  if (objects.length > 1 || data(turn).byPrefix === true) return described(turn, object, undefined);
  const { name = "", namespace = "", uid = "" } = object.metadata;
  const selector = [`involvedObject.name=${name}`, ...(namespace === "" ? [] : [`involvedObject.namespace=${namespace}`]), `involvedObject.uid=${uid}`].join(",");
  ask(turn, "events", { method: "GET", path: namespace === "" ? "/api/v1/events" : `/api/v1/namespaces/${namespace}/events`, query: { fieldSelector: selector, limit: "500" }, subject: `events of ${name}` });
}

function onEvents(turn: Turn, answer: Answer): void {
  const { objects, at } = data(turn);
  const object = objects[at];
  if (object !== undefined) described(turn, object, (answer.body as { readonly items: readonly KubeEvent[] }).items);
}

function described(turn: Turn, object: KubeObject, events: readonly KubeEvent[] | undefined): void {
  const { at, blocks } = data(turn);
  const text = object.kind === "Pod" ? describePod(object as Pod, events, turn.ctx.now) : generic(object, events, turn.ctx.now);
  update(turn, { at: at + 1, blocks: [...blocks, text] });
  next(turn);
}

/** Simplified: upstream has a layout of its own for some forty kinds; other kinds than Pods show metadata, spec, status and events. */
function generic(object: KubeObject, events: readonly KubeEvent[] | undefined, now: number): string {
  const pairs = (map: Readonly<Record<string, string>> | undefined, join: string): string => Object.entries(map ?? {}).filter(([key]) => !key.endsWith("last-applied-configuration")).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}${join}${value}`).join("\n\t") || "<none>";
  const { name = "", namespace, labels, annotations } = object.metadata;
  const part = (title: string, value: unknown): string => (typeof value === "object" && value !== null ? `${title}:\n${nested(value as Readonly<Record<string, unknown>>, "  ")}` : "");
  return align(`Name:\t${name}\n${namespace === undefined ? "" : `Namespace:\t${namespace}\n`}Labels:\t${pairs(labels, "=")}\nAnnotations:\t${pairs(annotations, ": ")}\nAPI Version:\t${object.apiVersion}\nKind:\t${object.kind}\n${part("Spec", object.spec)}${part("Status", object.status)}${events === undefined ? "" : eventLines(events, now)}`);
}

function nested(map: Readonly<Record<string, unknown>>, indent: string): string {
  const title = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1).replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => {
    if (Array.isArray(value)) return `${indent}${title(key)}:\n${value.map((item: unknown) => (typeof item === "object" && item !== null ? nested(item as Readonly<Record<string, unknown>>, `${indent}  `) : `${indent}  ${String(item)}\n`)).join("")}`;
    if (typeof value === "object" && value !== null) return `${indent}${title(key)}:\n${nested(value as Readonly<Record<string, unknown>>, `${indent}  `)}`;
    return `${indent}${title(key)}:\t${String(value)}\n`;
  }).join("");
}

export const describe: Command = { names: ["describe"], start, onAnswer, onPause: (turn) => exit(turn) };
