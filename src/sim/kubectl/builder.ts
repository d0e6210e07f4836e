// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/builder.go: what the words of a command line name
import type { ApiResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import type { ApiCall } from "../client-go/api-client.ts";
import { readFiles } from "./files.ts";
import { errorText, statusOf } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { chunkOf, listAll } from "./paging.ts";
import type { Process } from "./process.ts";
import type { Answer } from "./session.ts";
import { BUILT_IN, expandCategory, type Types } from "./types.ts";

/** One object that a command works on; `object` as it is stored, or as the file has it. */
export interface Info {
  readonly api: ApiResource;
  readonly namespace: string;
  readonly name: string;
  readonly object: KubeObject;
  readonly file?: string;
}

export interface Named {
  readonly api: ApiResource;
  readonly name: string;
}

export const NOTHING_NAMED = "error: You must provide one or more resources by argument or filename.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'";

const unknownType = (type: string): string => `error: the server doesn't have a resource type ${JSON.stringify(type)}`;
/** hpa.v2 is the preferred version but "hpa.v1.autoscaling" asks for another. */
export const typeOf = (text: string, types: Types = BUILT_IN): ApiResource | undefined => types.find(text);

/** "TYPE[,TYPE] NAME...", "TYPE/NAME...": what is named; names are "" for whole types. An error as text. */
export function namedBy(args: readonly string[], command: string, known: Types = BUILT_IN): readonly Named[] | string {
  if (args.some((arg) => arg.includes("/"))) {
    const named: Named[] = [];
    for (const arg of args) {
      const [type = "", name, more] = arg.split("/");
      if (name === undefined) return `error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl ${command} resource/<resource_name>' instead of 'kubectl ${command} resource resource/<resource_name>'`;
      if (more !== undefined || type === "" || name === "") return more === undefined ? `error: arguments in resource/name form must have a single resource and name` : "error: arguments in resource/name form may not have more than one slash";
      const api = typeOf(type, known);
      if (api === undefined) return unknownType(type);
      named.push({ api, name });
    }
    return named;
  }
  const [types = "", ...names] = args;
  const named: Named[] = [];
  for (const type of types.split(",").flatMap((word) => expandCategory(word, known))) {
    const api = typeOf(type, known);
    if (api === undefined) return unknownType(type);
    for (const name of names.length === 0 ? [""] : names) named.push({ api, name });
  }
  return named;
}

export const subjectOf = (api: ApiResource, namespace: string, name: string): string => `${api.singular}/${namespace === "" ? "" : `${namespace}/`}${name}`;

/** visitor.go Info.Get: whether a name that was not found is followed by a look at its namespace. */
export const asksNamespace = (answer: Answer, namespace: string): boolean => statusOf(answer)?.reason === "NotFound" && namespace !== "" && namespace !== "default";

/** Info.Get's request for the namespace; if there is none, its answer takes the place of the first one. */
export const namespaceCall = (namespace: string): ApiCall => ({ method: "GET", path: `/api/v1/namespaces/${namespace}`, subject: `namespace/${namespace}` });

/** visitor.go Info.Get: GET of one object; of a missing namespace it is told that, not that the object is missing. */
export function getInfo(p: Process, api: ApiResource, namespace: string, name: string, subresource = ""): Answer {
  const path = `${pathOf(api, namespace, name)}${subresource === "" ? "" : `/${subresource}`}`;
  const answer = p.ask({ method: "GET", path, subject: subjectOf(api, namespace, name) });
  if (!asksNamespace(answer, namespace)) return answer;
  const there = p.ask(namespaceCall(namespace));
  return statusOf(there)?.reason === "NotFound" ? there : answer;
}

/** GET of one object; a refusal is collected. */
function read(p: Process, api: ApiResource, name: string): Info | undefined {
  const namespace = api.namespaced ? p.namespace : "";
  const answer = getInfo(p, api, namespace, name);
  if (answer.status !== 200) {
    p.addError(errorText(answer, p.turn.config.server));
    if (answer.refused) p.exit(1);
    return undefined;
  }
  return { api, namespace, name, object: answer.body as KubeObject };
}

/** GET of a collection, in pages when `limit` says how many a page may have. */
export function list(p: Process, api: ApiResource, limit: Readonly<Record<string, string>> = {}): readonly KubeObject[] {
  const namespace = api.namespaced && !p.options.allNamespaces ? p.namespace : "";
  const { selector, fieldSelector } = p.options;
  const selectors = { ...(fieldSelector === "" ? {} : { fieldSelector }), ...(selector === "" ? {} : { labelSelector: selector }) };
  return listAll(p, { path: pathOf(api, namespace), query: selectors, subject: `list ${api.resource}` }, limit).items;
}

export const infoOf = (api: ApiResource, object: KubeObject, file?: string): Info => ({ api, namespace: api.namespaced ? (object.metadata.namespace ?? "") : "", name: object.metadata.name ?? "", object, ...(file === undefined ? {} : { file }) });

function fromFiles(p: Process): readonly Info[] {
  const documents = readFiles(p.options, p.turn.session.run.files, p.types);
  if (typeof documents === "string") return p.fail(documents, p.options.command === "diff" ? 2 : 1);
  const infos: Info[] = [];
  for (const document of documents) {
    if (document.error !== undefined) p.addError(document.error);
    else if (document.api.namespaced && p.options.namespaceGiven && (document.object.metadata.namespace ?? p.namespace) !== p.namespace) p.fail(`error: the namespace from the provided object ${JSON.stringify(document.object.metadata.namespace)} does not match the namespace ${JSON.stringify(p.namespace)}. You must pass '--namespace=${document.object.metadata.namespace ?? ""}' to perform this operation.`);
    else {
      const { api, object } = document;
      infos.push(infoOf(api, api.namespaced ? { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? p.namespace } } : object, document.file));
    }
  }
  return infos;
}

export interface Wanted {
  readonly args: readonly string[];
  /** Objects of files are read from the server (Latest). */
  readonly latest?: boolean;
  /** The first refusal ends the command. */
  readonly stop?: boolean;
  /** Lists ask for a page at a time. */
  readonly limit?: boolean;
  /** Whether --selector names objects; default true. */
  readonly selects?: boolean;
  /** What is said when nothing is named. */
  readonly nothing?: string;
}

/** Everything that files, names, --all and selectors stand for, as it is stored; refusals are collected and the others go on. */
export function infosOf(p: Process, { args, latest = false, selects: bySelector = true, stop = false, limit = false, nothing = NOTHING_NAMED }: Wanted): readonly Info[] {
  const { options } = p;
  if (options.files.length > 0) {
    const infos = fromFiles(p);
    return latest ? infos.flatMap((info) => read(p, info.api, info.name) ?? []) : infos;
  }
  if (args.length === 0) return p.fail(nothing);
  const named = namedBy(args, options.command, p.types);
  if (typeof named === "string") return p.fail(named);
  const selects = bySelector && (options.all || options.selector !== "" || options.fieldSelector !== "" || options.allNamespaces);
  if (selects) {
    if (named.some(({ name }) => name !== "")) p.fail(options.all || options.allNamespaces ? "error: setting 'all' parameter but found a non empty name " : "error: name cannot be provided when a selector is specified");
    return named.flatMap(({ api }) => list(p, api, limit ? chunkOf(options) : {}).map((object) => infoOf(api, object)));
  }
  if (named.some(({ name }) => name === "")) return p.fail("error: resource(s) were provided, but no name was specified");
  return named.flatMap(({ api, name }) => {
    const info = read(p, api, name);
    return info === undefined ? (stop ? p.exit(1) : []) : [info];
  });
}
