import { fieldDescription, typeDescription } from "../api/schema/descriptions.ts";
import { isRequired, openApiType } from "../api/schema/openapi.ts";
import { type Field, kindType, structType, type TypeRef } from "../api/schema/schema.ts";
import { type Caret, caretAt, documentsOf, documentAt } from "./caret.ts";
import { Defaults } from "./field-default.ts";
import { keyCandidates, type ValueCandidate, valueCandidates } from "./field-values.ts";
import { type Lookup, NOTHING, Surroundings } from "./references.ts";
import { fieldsAt, placeAt, recordOf, type SchemaPlace, textOf, valuesOf, writtenKinds } from "./schema-place.ts";

export interface Suggestion {
  readonly label: string;
  /** Put in place of the word at the caret. */
  readonly insert: string;
  readonly kind: "field" | "item" | "value" | "name" | "kind";
  /** Beside the label: a type, a unit, where a name comes from. */
  readonly detail: string;
  /** A sentence or two; "" where there is none. */
  readonly info: string;
  /** There is more to choose from behind it. */
  readonly more: boolean;
  /** Another place that changes with it. */
  readonly also?: { readonly from: number; readonly to: number; readonly insert: string };
}

export interface Suggestions {
  /** The word that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly Suggestion[];
}

/** A text that is longer is data rather than something that one writes by hand. */
const MAX_TEXT = 400_000;

/** What may stand at an offset of a manifest, best first, from the schema, the file's other documents and the cluster. Never throws. */
export function suggest(text: string, offset: number, lookup: Lookup = NOTHING): Suggestions {
  const nothing = { from: offset, to: offset, items: [] };
  if (text.length > MAX_TEXT) return nothing;
  const caret = caretAt(text, offset);
  if (caret === undefined) return emptyDocument(text, offset) ?? nothing;
  const place = placeAt(caret.root, caret.steps);
  if (place === undefined) return nothing;
  const around = new Surroundings(documentsOf(text), lookup);
  const items = caret.role === "key" ? keys(text, caret, place, around) : values(text, caret, place, around);
  return { from: caret.from, to: caret.to, items };
}

/** Before anything is written: whole beginnings of objects. */
function emptyDocument(text: string, offset: number): Suggestions | undefined {
  const { start, end } = documentAt(text, offset);
  const written = text.slice(start, end).replaceAll(/^\s*#.*$/gm, "").trim();
  const word = /[\w]*$/.exec(text.slice(start, offset))?.[0] ?? "";
  if (written !== word) return undefined;
  return { from: offset - word.length, to: offset, items: beginnings() };
}

const STARTS = ["Pod", "Deployment", "Service", "ConfigMap", "Secret", "StatefulSet", "DaemonSet", "Job", "CronJob", "PersistentVolumeClaim", "Ingress", "Namespace", "HorizontalPodAutoscaler", "NetworkPolicy"];

const beginnings = (): Suggestion[] =>
  STARTS.flatMap((kind) => {
    const apiVersion = writtenKinds().findLast(([, one]) => one === kind)?.[0];
    return apiVersion === undefined ? [] : [{ label: kind, insert: `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: `, kind: "kind" as const, detail: apiVersion, info: typeDescription(kind), more: false }];
  });

const shown = (items: readonly string[]): string => (items.length > 6 ? `${items.slice(0, 6).join(", ")}, …` : items.join(", "));

function fieldInfo(owner: string, field: Field, preset: string | undefined): string {
  const allowed = field.of.type === "list" ? valuesOf(field.of.of) : valuesOf(field.of);
  return [fieldDescription(owner, field.name), allowed.length > 0 ? `One of ${shown(allowed)}.` : "", preset === undefined ? "" : `Default: ${preset}.`].filter((part) => part !== "").join(" ");
}

/** What follows a field's name: a value on the line, or the first line of what is inside it. */
function opening(ref: TypeRef, { colon, flow, column }: Caret): string {
  if (colon) return "";
  if (flow || ref.type === "scalar") return ": ";
  if (ref.type === "list") return `:\n${" ".repeat(column)}- `;
  return `:\n${" ".repeat(column + 2)}`;
}

function keys(text: string, caret: Caret, place: SchemaPlace, around: Surroundings): Suggestion[] {
  // A list whose items are still to be written: the line can become its first item.
  if (place.ref?.type === "list") return itemOf(place, place.ref.of, caret);
  if (place.ref?.type === "scalar") return scalars(caret, place, around);
  const fields = fieldsAt(place);
  if (fields === undefined) return keyCandidates(place, caret, around).map(({ value, detail, info }) => ({ label: value, insert: `${value}${caret.colon ? "" : ": "}`, kind: "name", detail, info, more: true }));
  const owner = place.ref?.type === "struct" ? place.ref.name : (kindType(place.apiVersion, place.kind)?.name ?? "");
  const defaults = new Defaults(place.object);
  const found = fields.filter(({ name }) => !caret.siblings.includes(name)).map((field): Suggestion & { readonly rank: number } => {
    const required = isRequired(owner, field.name);
    const info = fieldInfo(owner, field, defaults.at([...caret.steps.slice(place.base), field.name]));
    return { label: field.name, insert: `${field.name}${opening(field.of, caret)}`, kind: "field", detail: `${openApiType(field.of)}${required ? ", required" : ""}`, info, more: true, rank: required ? 0 : field.name === "status" ? 2 : 1 };
  });
  const sorted = [0, 1, 2].flatMap((rank) => found.filter((one) => one.rank === rank)).map(({ rank: _rank, ...one }) => one);
  return [...(caret.siblings.length === 0 && place.field === undefined && place.base === 0 ? beginnings() : []), ...siblingItem(text, caret, place), ...sorted];
}

/** Under a list whose name has just been written, at the same column: the line may be an item of that list. */
function siblingItem(text: string, caret: Caret, place: SchemaPlace): Suggestion[] {
  const above = text.slice(0, text.lastIndexOf("\n", caret.from - 1) + 1).trimEnd();
  const name = /(?:^|[\s-])(\w+):$/.exec(above)?.[1];
  const field = fieldsAt(place)?.find((one) => one.name === name);
  return field?.of.type === "list" && caret.siblings.includes(field.name) && !caret.flow ? itemOf({ ...place, field }, field.of.of, caret) : [];
}

function itemOf(place: SchemaPlace, of: TypeRef, { from, column, flow }: Caret): Suggestion[] {
  if (flow || from < 0) return [];
  const type = of.type === "struct" ? structType(of.name) : undefined;
  const first = type && ([...type.fields.values()].find(({ name }) => isRequired(type.name, name) && type.fields.has(name)) ?? type.fields.get("name"));
  const inside = first === undefined ? "" : `${first.name}${first.of.type === "scalar" ? ": " : first.of.type === "list" ? `:\n${" ".repeat(column + 2)}- ` : `:\n${" ".repeat(column + 4)}`}`;
  return [{ label: `- ${first?.name ?? ""}`.trimEnd(), insert: `- ${inside}`, kind: "item", detail: `item of ${place.field?.name ?? "the list"}, ${openApiType(of)}`, info: type === undefined ? "" : typeDescription(type.name), more: true }];
}

function values(text: string, caret: Caret, place: SchemaPlace, around: Surroundings): Suggestion[] {
  const { ref, field, owner } = place;
  if (caret.steps.length - place.base === 1 && (field?.name === "apiVersion" || field?.name === "kind")) return kinds(text, caret, place, field.name);
  // The name of a map or list with nothing under it yet: its insides begin on this or the next line.
  if (ref?.type === "struct" || ref?.type === "map") return caret.ownLine ? keys(text, { ...caret, role: "key", siblings: [] }, place, around) : [];
  if (ref?.type === "list") return caret.ownLine ? itemOf(place, ref.of, caret) : [];
  return owner === undefined ? [] : scalars(caret, place, around);
}

function scalars(caret: Caret, place: SchemaPlace, around: Surroundings): Suggestion[] {
  const item = typeof caret.steps.at(-1) === "number";
  const preset = item ? undefined : new Defaults(place.object, caret.steps.slice(place.base)).at(caret.steps.slice(place.base));
  const suggestion = ({ value, detail, info, name }: ValueCandidate): Suggestion => ({ label: value, insert: `${caret.tight ? " " : ""}${value}`, kind: name ? "name" : "value", detail: value === preset ? "default" : detail, info, more: false });
  return valueCandidates(place, caret, around).map(suggestion);
}

/** apiVersion and kind belong together: the choice of one offers what fits the other first, and can correct it. */
function kinds(text: string, caret: Caret, place: SchemaPlace, name: "apiVersion" | "kind"): Suggestion[] {
  const { object } = place;
  const space = caret.tight ? " " : "";
  const written = writtenKinds();
  if (name === "apiVersion") {
    const kind = textOf(object["kind"]);
    const fitting = new Set(written.filter(([, one]) => one === kind).map(([apiVersion]) => apiVersion));
    const all = [...new Set([...fitting, ...written.map(([apiVersion]) => apiVersion)])];
    return all.map((apiVersion) => ({ label: apiVersion, insert: space + apiVersion, kind: "kind", detail: fitting.has(apiVersion) ? `of ${kind}` : shown(written.filter(([one]) => one === apiVersion).map(([, one]) => one)), info: "", more: false }));
  }
  const apiVersion = textOf(recordOf(object)["apiVersion"]);
  const rank = ([one, kind]: readonly [string, string]): number => (one === apiVersion ? 0 : STARTS.includes(kind) ? 1 : 2);
  const sorted = [0, 1, 2].flatMap((wanted) => written.filter((one) => rank(one) === wanted));
  return sorted.map(([version, kind]) => ({ label: kind, insert: space + kind, kind: "kind", detail: version, info: typeDescription(kind), more: false, ...correction(text, caret, version, apiVersion) }));
}

/** Changes the apiVersion of the object whose kind is chosen, where it has another one. */
function correction(text: string, caret: Caret, wanted: string, written: string): { also?: { from: number; to: number; insert: string } } {
  if (wanted === written || caret.steps.length !== 1) return {};
  const { start, end } = documentAt(text, caret.from);
  const line = /^apiVersion:[ \t]*([\w./-]*)[ \t]*$/m.exec(text.slice(start, end));
  if (line === null) return written === "" && !caret.flow ? { also: { from: start, to: start, insert: `apiVersion: ${wanted}\n` } } : {};
  const to = start + line.index + line[0].trimEnd().length;
  return { also: { from: to - (line[1] ?? "").length, to, insert: line[0].trimEnd().endsWith(":") ? ` ${wanted}` : wanted } };
}
