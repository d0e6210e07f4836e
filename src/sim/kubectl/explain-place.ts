// Models what both layouts of kubernetes/staging/src/k8s.io/kubectl/pkg/explain share: a place in the schema
import { fieldDescription, typeDescription } from "../api/schema/descriptions.ts";
import { structOf } from "../api/schema/openapi.ts";
import { type Field, structType, type TypeRef } from "../api/schema/schema.ts";

/** Fields of a struct in the order of the document. */
export const sortedFields = (type: string): readonly Field[] => [...(structType(type)?.fields.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));

/** A place in the schema: the root, or a field of `owner`. */
export interface Place {
  readonly ref: TypeRef;
  readonly owner?: string;
  readonly field?: Field;
}

/** The sentences about a place: its field's and its type's. */
export function sentencesOf({ ref, owner, field }: Place): readonly string[] {
  const type = structOf(ref);
  return [owner === undefined || field === undefined ? "" : fieldDescription(owner, field.name), type === undefined ? "" : typeDescription(type)].filter((text) => text !== "");
}
