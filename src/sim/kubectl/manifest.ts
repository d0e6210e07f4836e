// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/{builder,visitor,mapper}.go and sigs.k8s.io/yaml
import { pathSegmentName } from "../api/validation/object-meta.ts";
import { readStream } from "../api/go-yaml/document-stream.ts";
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

const VALIDATE_HINT = "; if you choose to ignore these errors, turn validation off with --validate=false";
type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The documents of a file as kubectl reads it: YAML 1.1 or JSON; List kinds are taken apart. */
export function readManifest(file: string, text: string, types: Types = BUILT_IN): readonly ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  const stream = readStream(text);
  for (const { value } of stream.documents) {
    if (value === null) continue;
    const expanded = expand(file, value, types);
    documents.push(...expanded);
    // What is no object at all ends the reading of a file; an unknown kind does not.
    if (expanded.some(({ error }) => error?.includes(VALIDATE_HINT) === true)) return documents;
  }
  if (stream.error !== undefined) documents.push({ file, error: `error: error parsing ${file}: ${stream.error.message}` });
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

/** client-go's rest.Request: a name or namespace that no path can hold ends the command before anything is sent. */
export class InvalidSegment extends Error {}

function segment(what: string, text: string): void {
  // A name that YAML made a boolean is the server's to refuse.
  const wrong = pathSegmentName(String(text));
  if (wrong.length > 0) throw new InvalidSegment(`invalid ${what} ${JSON.stringify(text)}: [${wrong.join(" ")}]`);
}

/** The path of an object, or of its collection without a name. Throws InvalidSegment. */
export function pathOf(api: ApiResource, namespace: string, name?: string): string {
  segment("namespace", namespace);
  if (name !== undefined) segment("resource name", name);
  const base = api.group === "" ? `/api/${api.version}` : `/apis/${api.apiVersion}`;
  const place = api.namespaced && namespace !== "" ? `/namespaces/${namespace}` : "";
  return `${base}${place}/${api.resource}${name === undefined ? "" : `/${name}`}`;
}

/** "pod", "deployment.apps": how kubectl names a type before a slash. */
export const typeName = (api: ApiResource): string => (api.group === "" ? api.singular : `${api.singular}.${api.group}`);
