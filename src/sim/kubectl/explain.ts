// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/explain and pkg/explain/v2/templates/plaintext.tmpl
import { fieldDescription } from "../api/schema/descriptions.ts";
import { enumOf, isRequired, openApiType, structOf } from "../api/schema/openapi.ts";
import { API_RESOURCES, type ApiResource } from "../api/schema/resources.ts";
import { type Field, kindType, structType } from "../api/schema/schema.ts";
import { typeOf } from "./builder.ts";
import { type Place, sentencesOf, sortedFields } from "./explain-place.ts";
import { printOpenApiV2 } from "./explain-openapi-v2.ts";
import { explainCustom } from "./explain-custom.ts";
import { BUILT_IN, type Types } from "./types.ts";
import { command, type Process } from "./process.ts";
import { indent, wordWrap } from "./word-wrap.ts";

/** What "deployment.spec.template" leads to; undefined when a field does not exist. */
function follow(root: string, path: readonly string[]): Place | undefined {
  let place: Place = { ref: { type: "struct", name: root } };
  for (const part of path) {
    const owner = structOf(place.ref);
    const field = owner === undefined ? undefined : structType(owner)?.fields.get(part);
    if (owner === undefined || field === undefined) return undefined;
    place = { ref: field.of, owner, field };
  }
  return place;
}

/** Above this number of values a list of fields shows no more of an enum. */
const SHORT_ENUM = 4;
const shown = (value: string): string => (value === "" ? '""' : value);

function shortEnum(field: Field, level: number): string {
  const values = enumOf(field);
  if (values.length === 0) return "";
  return `\n${" ".repeat(level * 2)}enum: ${values.slice(0, SHORT_ENUM).map(shown).join(", ")}${values.length > SHORT_ENUM ? ", ...." : ""}`;
}

function fieldList(type: string, level: number, recursive: boolean, above: readonly string[]): string {
  if (above.includes(type)) return "";
  return sortedFields(type).map((field) => {
    const head = `${" ".repeat(level * 2)}${field.name}\t<${openApiType(field.of)}>${isRequired(type, field.name) ? " -required-" : ""}${shortEnum(field, level)}\n`;
    const inner = structOf(field.of);
    if (recursive) return `${head}${inner === undefined ? "" : fieldList(inner, level + 1, true, [...above, type])}`;
    return `${head}${indent(wordWrap(fieldDescription(type, field.name) || "<no description>", 78 - level * 2), level * 2 + 2)}\n\n`;
  }).join("");
}

function pageOf(place: Place, recursive: boolean): string {
  const { ref, field } = place;
  const values = field === undefined ? [] : enumOf(field);
  const head = field === undefined ? "" : `FIELD: ${field.name} <${openApiType(ref)}>\n${values.length === 0 ? "" : `ENUM:${values.map((value) => `\n    ${shown(value)}`).join("")}`}\n\n`;
  const sentences = sentencesOf(place);
  const text = sentences.length === 0 ? "<empty>" : `${sentences.join("\n")}\n`;
  const type = structOf(ref);
  const fields = type === undefined ? "" : fieldList(type, 1, recursive, []);
  return `${head}DESCRIPTION:\n${indent(wordWrap(text, 76), 4)}\n${fields === "" ? "" : `FIELDS:\n${fields}`}`;
}

/** "pods.spec" or "deployments.apps.spec": the resource, and the path below it. */
function parse(word: string, types: Types): { readonly api: ApiResource; readonly path: readonly string[] } | undefined {
  const [name = "", ...path] = word.replace(/\.$/, "").split(".");
  const api = typeOf(name, types);
  if (api === undefined) return undefined;
  const grouped = types.all.filter((other) => other.group !== "" && (other.resource === name || other.resource === api.resource)).find((other) => `${word}.`.startsWith(`${other.resource}.${other.group}.`));
  return grouped === undefined ? { api, path } : { api: grouped, path: path.slice(grouped.group.split(".").length) };
}

function explainType(p: Process): void {
  const { args, output } = p.options;
  const [word] = args;
  if (word === undefined) return p.fail("error: You must specify the type of resource to explain. Use \"kubectl api-resources\" for a complete list of supported resources.\n");
  if (args.length > 1) return p.fail("error: We accept only this format: explain RESOURCE\n");
  const parsed = parse(word, p.types);
  if (parsed === undefined) return p.fail({ single: `the server doesn't have a resource type ${JSON.stringify(word.split(".")[0])}`, several: "" });
  const wanted = p.flag("api-version");
  const { path } = parsed;
  if (wanted === "" && BUILT_IN.ofKind(parsed.api.apiVersion, parsed.api.kind) === undefined) return explainCustom(p, parsed.api, path, p.on("recursive"));
  const old = output === "plaintext-openapiv2";
  p.ask({ method: "GET", path: old ? "/openapi/v2" : "/openapi/v3", query: { timeout: "32s" }, accept: "application/json, */*", level: "operator" });
  const api = wanted === "" ? parsed.api : API_RESOURCES.find((other) => other.apiVersion === wanted && other.resource === parsed.api.resource);
  const [group, version] = wanted.includes("/") ? wanted.split("/") : ["", wanted];
  if (old && api === undefined) return p.fail(`error: couldn't find resource for "${group === "" ? "" : `${group}/`}${version}, Kind=${parsed.api.kind}"`);
  if (!old && wanted !== "" && !API_RESOURCES.some((other) => other.apiVersion === wanted)) return p.fail(`error: couldn't find resource for "${group}/${version}, Resource=${parsed.api.resource}"`);
  if (!old && output !== "" && output !== "plaintext") return p.fail(`error: unrecognized format: ${output}`);
  const type = api === undefined ? undefined : kindType(api.apiVersion, api.kind);
  if (api === undefined || type === undefined) return p.fail(`error: GVR (${group}/${version}, Resource=${parsed.api.resource}) not found in OpenAPI schema`);
  if (old) return printOpenApiV2(p, api, type.name, path);
  p.print(`${api.group === "" ? "" : `GROUP:      ${api.group}\n`}KIND:       ${api.kind}\nVERSION:    ${api.version}\n\n`);
  const place = follow(type.name, path);
  if (place === undefined) return p.fail(`error: field ${JSON.stringify(path.at(-1))} does not exist`);
  p.print(`${pageOf(place, p.on("recursive"))}\n`);
}

/** kubectl explain TYPE.FIELD. The descriptions are this project's own sentences. */
export const explain = command(["explain"], explainType);
