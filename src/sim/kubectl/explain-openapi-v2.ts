// Models kubernetes/staging/src/k8s.io/kubectl/pkg/explain: the older layout of -o plaintext-openapiv2
import { fieldDescription } from "../api/schema/descriptions.ts";
import { isRequired, openApiType, structOf } from "../api/schema/openapi.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import { structType, type TypeRef } from "../api/schema/schema.ts";
import { type Place, sentencesOf, sortedFields } from "./explain-place.ts";
import type { Process } from "./process.ts";
import { indent, wordWrap } from "./word-wrap.ts";

const WIDTH = 80;

function typeText(ref: TypeRef): string {
  if (ref.type === "list") return `[]${typeText(ref.of)}`;
  if (ref.type === "map") return `map[string]${typeText(ref.of)}`;
  if (ref.type === "struct") return "Object";
  if (ref.code === "R" || ref.code === "F") return "map[string]";
  return ref.code === "Q" || ref.code === "I" ? "string" : ref.code === "J" ? "" : openApiType(ref);
}

function fieldsOf(type: string, level: number, recursive: boolean, above: readonly string[]): string {
  if (above.includes(type)) return "";
  return sortedFields(type).map(({ name, of }) => {
    const head = `${" ".repeat(level)}${name}\t<${typeText(of)}>`;
    const inner = structOf(of);
    if (recursive) return `${head}\n${inner === undefined ? "" : fieldsOf(inner, level + 3, true, [...above, type])}`;
    return `${head}${isRequired(type, name) ? " -required-" : ""}\n${textOf(fieldDescription(type, name), level + 2)}\n`;
  }).join("");
}

const textOf = (text: string, level: number): string => (text === "" ? "" : `${indent(wordWrap(text, WIDTH - level), level)}\n`);

/** Prints a place of the schema as kubectl 1.26 did. */
export function printOpenApiV2(p: Process, api: ApiResource, root: string, path: readonly string[]): void {
  let place: Place = { ref: { type: "struct", name: root } };
  for (const part of path) {
    const owner = structOf(place.ref);
    // What has no fields is shown however long the path is.
    if (owner === undefined) break;
    const field = structType(owner)?.fields.get(part);
    if (field === undefined) return p.fail(`error: field ${JSON.stringify(part)} does not exist`);
    place = { ref: field.of, owner, field };
  }
  const type = structOf(place.ref);
  const name = path.at(-1);
  const titled = name === undefined ? "" : `${type === undefined ? "FIELD:   " : "RESOURCE:"} ${name} <${typeText(place.ref)}>\n\n`;
  const sentences = sentencesOf(place);
  const text = sentences.length === 0 ? textOf("<empty>", 5) : sentences.map((sentence) => textOf(sentence, 5)).join("\n");
  p.print(`KIND:     ${api.kind}\nVERSION:  ${api.apiVersion}\n\n${titled}DESCRIPTION:\n${text}${type === undefined ? "" : `\nFIELDS:\n${fieldsOf(type, 3, p.on("recursive"), [])}`}`);
}
