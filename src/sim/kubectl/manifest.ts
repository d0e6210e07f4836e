// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/{builder,visitor,mapper}.go and sigs.k8s.io/yaml
import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Tags, visit, type YAMLParseError } from "yaml";
import { sortKeys } from "../api/json.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { BUILT_IN, type Types } from "./types.ts";
import { validateList } from "./validate-list.ts";

/** One object of a file with the resource it maps to, or why it has none. */
export type ManifestDocument = Origin & ({ readonly object: KubeObject; readonly api: ApiResource; readonly error?: undefined } | { readonly error: string });

interface Origin {
  readonly file: string;
  /** Stood in a "v1 List". */
  readonly list?: boolean;
  /** The apiVersion whose kind the server does not serve. */
  readonly unserved?: string;
}

/** go-yaml turns none of these into numbers or dates. */
const NOT_GO = new Set(["tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary", "tag:yaml.org,2002:omap", "tag:yaml.org,2002:pairs", "tag:yaml.org,2002:set"]);
const goTags = (tags: Tags): Tags => tags.filter((tag) => typeof tag === "string" || (!NOT_GO.has(tag.tag) && !("format" in tag && tag.format === "TIME")));

/** The text go-yaml has for a syntax error, by the parser's code. */
function goMessage(code: string, message: string): string {
  if (code === "TAB_AS_INDENT") return "found character that cannot start any token";
  if (code === "BLOCK_AS_IMPLICIT_KEY" || /[Nn]ested mappings/.test(message)) return "mapping values are not allowed in this context";
  if (code === "MISSING_CHAR" && message.includes("quote")) return "found unexpected end of stream";
  if (code === "BAD_ALIAS") return "unknown anchor referenced";
  return "did not find expected key";
}

/** One document of YAML 1.1, as go-yaml reads it. */
export function readYaml(text: string): { readonly value: unknown } | { readonly error: string } {
  const [document] = parseDocuments(text);
  const error = document?.errors.find(isError);
  if (error !== undefined) return { error: yamlError(error) };
  return { value: document?.toJS({ maxAliasCount: 100 }) as unknown };
}

/** All documents as kustomize reads them, which knows fewer booleans; the parser's error as text. */
export function readYamlDocuments(text: string): readonly unknown[] | string {
  const parsed = parseAllDocuments(text, { version: "1.2", merge: true, uniqueKeys: false, logLevel: "silent" });
  const documents = Array.isArray(parsed) ? parsed : [];
  const error = documents.flatMap((document) => document.errors).find(isError);
  return error === undefined ? documents.map((document) => document.toJS({ maxAliasCount: 100 }) as unknown) : yamlError(error);
}

const parseDocuments = (text: string): readonly Document.Parsed[] => {
  const parsed = parseAllDocuments(text, { version: "1.1", merge: true, customTags: goTags, uniqueKeys: false, logLevel: "silent" });
  return Array.isArray(parsed) ? parsed : [];
};
/** go-yaml takes backslash and single quote in double quotes for a quote. */
const isError = ({ code, message }: YAMLParseError): boolean => !(code === "BAD_DQ_ESCAPE" && message.includes("\\'"));
const yamlError = (error: YAMLParseError): string => `yaml: line ${error.linePos?.[0].line ?? 1}: ${goMessage(error.code, error.message)}`;

/** go-yaml stops reading where a text at the root ends. */
const isBehindScalar = ({ contents }: Document.Parsed, { pos }: YAMLParseError): boolean => isScalar(contents) && contents.value !== null && contents.value !== "" && pos[0] >= (contents.range[1] ?? 0);

/** "<<" merges a map, an alias of one, or a list of these; not an alias of a list. */
function wrongMerge(document: Document.Parsed): string | undefined {
  let wrong = false;
  const isMapping = (node: unknown): boolean => isMap(isAlias(node) ? node.resolve(document) : node);
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === "<<" && key.type === "PLAIN") wrong ||= !isMapping(value) && !(isSeq(value) && value.items.every(isMapping));
      else if (isScalar(key) && typeof key.value === "symbol") wrong ||= !isMapping(value) && !(isSeq(value) && value.items.every(isMapping));
    },
  });
  return wrong ? "map merge requires map or sequence of maps as the value" : undefined;
}

const VALIDATE_HINT = "; if you choose to ignore these errors, turn validation off with --validate=false";
type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The documents of a file: multi-document YAML (1.1, as go-yaml reads it) or JSON; List kinds are taken apart. */
export function readManifest(file: string, text: string, types: Types = BUILT_IN): readonly ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  for (const document of parseDocuments(text)) {
    const wrong = wrongMerge(document);
    if (wrong !== undefined) {
      documents.push({ file, error: `error: error parsing ${file}: error converting YAML to JSON: yaml: ${wrong}` });
      break;
    }
    const error = document.errors.find((candidate) => isError(candidate) && !isBehindScalar(document, candidate));
    if (error !== undefined) {
      documents.push({ file, error: `error: error parsing ${file}: error converting YAML to JSON: ${yamlError(error)}` });
      // The decoder cannot find the next document after a syntax error.
      break;
    }
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value === null || value === undefined) continue;
    const expanded = expand(file, value, types);
    documents.push(...expanded);
    // What is no object at all ends the reading of a file; an unknown kind does not.
    if (expanded.some(({ error }) => error?.includes(VALIDATE_HINT) === true)) break;
  }
  return documents;
}

/** What one decoded document stands for. */
export function expand(file: string, value: unknown, types: Types): readonly ManifestDocument[] {
  if (!isJson(value)) return [{ file, error: `error: error validating ${JSON.stringify(file)}: error validating data: invalid object to validate${VALIDATE_HINT}` }];
  const { apiVersion, kind, items } = value;
  const wrong = apiVersion === "v1" && kind === "List" && Array.isArray(items) ? validateList(items) : undefined;
  if (wrong !== undefined) return [{ file, error: `error: error validating ${JSON.stringify(file)}: error validating data: ${wrong}${VALIDATE_HINT}` }];
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) return items.flatMap((item: unknown) => expand(file, item, types).map((document) => (apiVersion === "v1" && kind === "List" ? { ...document, list: true } : document)));
  return [typed(file, value, types)];
}

function typed(file: string, value: Json, types: Types): ManifestDocument {
  const missing = (what: string): ManifestDocument => ({ file, error: `error: error validating ${JSON.stringify(file)}: error validating data: ${what} not set${VALIDATE_HINT}` });
  const { apiVersion, kind } = value;
  const unset = [apiVersion === undefined || apiVersion === null || apiVersion === "" ? "apiVersion not set" : "", kind === undefined || kind === null || kind === "" ? "kind not set" : ""].filter((text) => text !== "");
  if (unset.length === 2) return { file, error: `error: error validating ${JSON.stringify(file)}: error validating data: [${unset.join(", ")}]${VALIDATE_HINT}` };
  if (typeof apiVersion !== "string" || apiVersion === "") return missing("apiVersion");
  if (typeof kind !== "string" || kind === "") return missing("kind");
  const api = types.ofKind(apiVersion, kind);
  const metadata = isJson(value["metadata"]) ? value["metadata"] : {};
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "";
  const namespace = typeof metadata["namespace"] === "string" ? metadata["namespace"] : "";
  if (api === undefined) {
    return { file, unserved: apiVersion, error: `error: resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(namespace)} from ${JSON.stringify(file)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}\nensure CRDs are installed first` };
  }
  return { file, api, object: sortKeys({ ...value, metadata }) as KubeObject };
}

/** The path of an object, or of its collection without a name. */
export function pathOf(api: ApiResource, namespace: string, name?: string): string {
  const base = api.group === "" ? `/api/${api.version}` : `/apis/${api.apiVersion}`;
  const place = api.namespaced && namespace !== "" ? `/namespaces/${namespace}` : "";
  return `${base}${place}/${api.resource}${name === undefined ? "" : `/${name}`}`;
}

/** "pod", "deployment.apps": how kubectl names a type before a slash. */
export const typeName = (api: ApiResource): string => (api.group === "" ? api.singular : `${api.singular}.${api.group}`);
