// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/runtime/serializer/{recognizer,json} for a configuration file
import { goJsonError } from "../../api/go-json-error.ts";
import { yamlToJson } from "../../api/go-yaml/document-stream.ts";
import { composeYaml, type YamlNode } from "../../api/go-yaml/parser.ts";
import { resolve } from "../../api/go-yaml/resolve.ts";
import { parseJson } from "../../api/json.ts";

const HEAD_ERROR = "couldn't get version/kind; json parse error: ";
const HEAD_TYPE = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export interface ConfigFile {
  readonly value: Readonly<Record<string, unknown>>;
  /** What the strict decoder has against the text itself. */
  readonly strict: readonly string[];
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value);

/** Keys that stand twice, as the strict YAML reader tells them: by the line of the value. */
function duplicates(text: string): string[] {
  const found: string[] = [];
  const lineOf = (pos: number): number => text.slice(0, pos).split("\n").length;
  const walk = ({ kind, children }: YamlNode): void => {
    if (kind === "sequence") return children.forEach(walk);
    if (kind !== "mapping") return;
    const seen = new Set<unknown>();
    for (let i = 0; i + 1 < children.length; i += 2) {
      const [key, value] = [children[i], children[i + 1]];
      if (!key || !value) continue;
      walk(value);
      const name = key.kind === "scalar" ? resolve(key).value : undefined;
      if (name !== undefined && seen.has(name)) found.push(`  line ${lineOf(value.pos)}: key ${JSON.stringify(name)} already set in map`);
      seen.add(name);
    }
  };
  const root = composeYaml(text);
  if (root) walk(root);
  return found.length === 0 ? [] : [`yaml: unmarshal errors:\n${found.join("\n")}`];
}

/** What begins with a brace is read as JSON, all else as YAML. A string is upstream's error. */
export function readConfigFile(text: string): ConfigFile | string {
  let value: unknown;
  let strict: readonly string[];
  if (text.trimStart().startsWith("{")) {
    const wrong = goJsonError(text);
    if (wrong !== undefined) return `${HEAD_ERROR}${wrong}`;
    const parsed = parseJson(text);
    value = parsed?.value;
    strict = (parsed?.duplicates ?? []).map((path) => `duplicate field ${JSON.stringify(path)}`);
  } else {
    const read = yamlToJson(text);
    if (read.error !== undefined) return read.error;
    value = read.value;
    strict = duplicates(text);
  }
  if (value === null) value = {};
  if (typeof value !== "object" || Array.isArray(value)) return `${HEAD_ERROR}json: cannot unmarshal ${kindOf(value)} into Go value of type ${HEAD_TYPE}`;
  const object = value as Readonly<Record<string, unknown>>;
  const wrong = ["apiVersion", "kind"].find((key) => typeof (object[key] ?? "") !== "string");
  if (wrong !== undefined) return `${HEAD_ERROR}json: cannot unmarshal ${kindOf(object[wrong])} into Go struct field .${wrong} of type string`;
  return { value: object, strict };
}
