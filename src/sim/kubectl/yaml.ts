// Models sigs.k8s.io/yaml: objects as go-yaml prints them
import { stringify } from "yaml";
import { sortKeys } from "../api/json.ts";

/** Managed fields are hidden unless asked for. */
export function stripManaged(object: unknown): unknown {
  if (typeof object !== "object" || object === null) return object;
  const { metadata, ...rest } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (metadata === undefined) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** Keys sorted, lists not indented, texts that would read as another type quoted. */
export function printYaml(value: unknown): string {
  return stringify(sortKeys(value), { version: "1.1", indentSeq: false, lineWidth: 0, singleQuote: false, aliasDuplicateObjects: false });
}
