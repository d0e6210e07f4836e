import { fieldDescription, typeDescription } from "../api/schema/descriptions.ts";
import { isRequired, openApiType, structOf } from "../api/schema/openapi.ts";
import { formatQuantity, parseQuantity } from "../api/quantity.ts";
import { type Standing, standingAt } from "./caret.ts";
import { Defaults } from "./field-default.ts";
import { dig, pathText, placeAt, type SchemaPlace, valuesOf } from "./schema-place.ts";

/** What is to be known of the field at an offset. */
export interface FieldHelp {
  readonly from: number;
  readonly to: number;
  /** "spec.containers[0].imagePullPolicy" */
  readonly path: string;
  /** "Pod in v1" */
  readonly object: string;
  /** "string", "[]Container" */
  readonly type: string;
  readonly required: boolean;
  readonly values: readonly string[];
  readonly default?: string;
  /** Sentences about the field and its type. */
  readonly about: readonly string[];
}

const MAX_TEXT = 400_000;

/** Explains the field whose name or value an offset touches; undefined elsewhere, and for what the schema does not have. Never throws. */
export function fieldHelp(text: string, offset: number): FieldHelp | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const standing = standingAt(text, offset);
  const place = standing && placeAt(standing.root, standing.steps);
  if (!standing || !place || standing.steps.length === place.base) return undefined;
  const { ref, owner = "", field } = place;
  const steps = standing.steps.slice(place.base);
  const preset = typeof steps.at(-1) === "number" ? undefined : new Defaults(place.object, steps).at(steps);
  return {
    from: standing.from, to: standing.to, path: pathText(steps), object: place.kind === "" ? "" : `${place.kind} in ${place.apiVersion}`,
    type: ref === undefined ? "any" : openApiType(ref), required: field !== undefined && field.name === steps.at(-1) && isRequired(owner, field.name),
    values: ref === undefined ? [] : ref.type === "list" ? valuesOf(ref.of) : valuesOf(ref), ...(preset === undefined ? {} : { default: preset }), about: sentences(place, standing),
  };
}

function sentences({ ref, owner, field, kind, object }: SchemaPlace, { steps, root }: Standing): string[] {
  const type = ref === undefined ? undefined : structOf(ref);
  const value = dig(root, steps);
  const quantity = ref?.type === "scalar" && ref.code === "Q" && (typeof value === "string" || typeof value === "number") ? parseQuantity(value) : undefined;
  return [
    field === undefined ? "" : fieldDescription(owner === undefined || owner === "" ? kind : owner, field.name),
    field?.name === "kind" && object["kind"] === kind && steps.length === 1 ? typeDescription(kind) : "",
    type === undefined ? "" : typeDescription(type),
    typeof quantity === "object" && formatQuantity(quantity) !== String(value) ? `Stored as ${formatQuantity(quantity)}.` : "",
  ].filter((sentence, i, all) => sentence !== "" && all.indexOf(sentence) === i);
}
