import { stringify } from "yaml";
import type { TraceIndex } from "../../trace/trace-index.ts";

/** All that the store holds at a time, as a List. */
export function objectList(index: TraceIndex, at: number): unknown {
  return { apiVersion: "v1", items: index.objectsAt("/registry/", at).map((version) => version.object), kind: "List", metadata: { resourceVersion: "" } };
}

/** YAML as `kubectl get -o yaml` lays it out: keys sorted, sequences not indented, no folded lines. */
export const yamlText = (value: unknown): string => stringify(value, { sortMapEntries: true, indentSeq: false, lineWidth: 0, aliasDuplicateObjects: false, defaultStringType: "PLAIN", version: "1.1" });
