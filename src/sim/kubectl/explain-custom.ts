// Models kubernetes/staging/src/k8s.io/kubectl/pkg/explain/v2 for types that only the server's OpenAPI knows
import type { JsonSchema } from "../api/apiextensions/types.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { errorText } from "./errors.ts";
import type { Process } from "./process.ts";

const WIDTH = 80;

/** Words in lines of at most `width` characters, each behind `indent` spaces. */
function wrapped(text: string, indent: number, width = WIDTH): string {
  const pad = " ".repeat(indent);
  return text.split("\n").map((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(/\s+/).filter((each) => each !== "")) {
      if (line !== "" && indent + line.length + 1 + word.length > width) {
        lines.push(pad + line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, pad + line].join("\n").trimEnd();
  }).join("\n");
}

/** Heads that every object has, in this project's own words. */
const HEAD: Readonly<Record<string, JsonSchema>> = {
  apiVersion: { type: "string", description: "The version of the schema in which this object is written." },
  kind: { type: "string", description: "The type of this object: the REST resource that it stands for." },
};
const METADATA = "Name, namespace, labels, annotations and what else the API server keeps about an object.";

const itemsOf = ({ items }: JsonSchema): JsonSchema => (Array.isArray(items) ? {} : ((items ?? {}) as JsonSchema));

/** "string", "[]Object", "map[string]integer". */
function typeText(schema: JsonSchema): string {
  if (schema.type === "array") return `[]${typeText(itemsOf(schema))}`;
  if (schema.type !== "object") return schema["x-kubernetes-int-or-string"] === true ? "IntOrString" : (schema.type ?? "Object");
  return typeof schema.additionalProperties === "object" ? `map[string]${typeText(schema.additionalProperties)}` : "Object";
}

/** What a list or map holds. */
function inner(schema: JsonSchema): JsonSchema {
  if (schema.type === "array") return inner(itemsOf(schema));
  return typeof schema.additionalProperties === "object" ? inner(schema.additionalProperties) : schema;
}

const shownValue = (value: unknown): string => (value === "" ? '""' : typeof value === "string" ? value : JSON.stringify(value));

function fieldList(schema: JsonSchema, indent: number, recursive: boolean): string {
  const names = Object.keys(schema.properties ?? {}).sort();
  return names.map((name) => {
    const field = schema.properties?.[name] ?? {};
    const pad = " ".repeat(indent);
    const meta = name === "metadata" && indent === 2 && "allOf" in field;
    const values = field.enum ?? [];
    const short = values.length === 0 ? "" : `\n${pad}enum: ${values.slice(0, 4).map(shownValue).join(", ")}${values.length > 4 ? ", ...." : ""}`;
    const head = `${pad}${name}\t<${meta ? "ObjectMeta" : typeText(field)}>${schema.required?.includes(name) === true ? " -required-" : ""}${short}\n`;
    if (recursive) return head + fieldList(inner(field), indent + 2, true);
    return `${head}${wrapped(meta ? METADATA : (field.description ?? "<no description>"), indent + 2)}\n\n`;
  }).join("");
}

interface OpenApi {
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema & { readonly "x-kubernetes-group-version-kind"?: readonly { readonly kind: string }[] }>> };
}

function rootOf(p: Process, api: ApiResource): JsonSchema {
  const answer = p.ask({ method: "GET", path: `/openapi/v3/apis/${api.apiVersion}`, query: { timeout: "32s" }, accept: "application/json", subject: `/openapi/v3/apis/${api.apiVersion}` });
  if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
  const schemas = Object.values((answer.body as OpenApi).components?.schemas ?? {});
  const found = schemas.find((schema) => schema["x-kubernetes-group-version-kind"]?.some(({ kind }) => kind === api.kind) === true);
  if (found === undefined) return p.fail(`error: GVR (${api.group}/${api.version}, Resource=${api.resource}) not found in OpenAPI schema`);
  return { ...found, properties: { ...found.properties, ...HEAD } };
}

/** kubectl explain of a custom resource: its definition's schema, with its own descriptions. */
export function explainCustom(p: Process, api: ApiResource, path: readonly string[], recursive: boolean): void {
  const root = rootOf(p, api);
  let place = root;
  let name = "";
  p.print(`GROUP:      ${api.group}\nKIND:       ${api.kind}\nVERSION:    ${api.version}\n\n`);
  for (const part of path) {
    const next = inner(place).properties?.[part];
    if (next === undefined) return p.fail(`error: field ${JSON.stringify(part)} does not exist`);
    [place, name] = [next, part];
  }
  const values = place.enum ?? [];
  const head = name === "" ? "" : `FIELD: ${name} <${typeText(place)}>\n${values.length === 0 ? "" : `ENUM:${values.map((value) => `\n    ${shownValue(value)}`).join("")}`}\n\n`;
  const { description = inner(place).description ?? "<empty>" } = place;
  const fields = fieldList(inner(place), 2, recursive);
  p.print(`${head}DESCRIPTION:\n${wrapped(description, 4)}\n${description === "<empty>" ? "" : "    \n"}${fields === "" ? "" : `FIELDS:\n${fields}`}\n`);
}
