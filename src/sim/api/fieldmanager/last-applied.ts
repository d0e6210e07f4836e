// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/lastapplied{,manager,updater}.go
import { parseJson, sortKeys } from "../json.ts";
import type { KubeObject } from "../types.ts";
import { compare } from "./compare.ts";
import type { Conflict } from "./conflict.ts";
import { difference, type FieldSet, has } from "./field-set.ts";
import type { SchemaNode } from "./schema-node.ts";
import { toFieldSet } from "./to-field-set.ts";
import { isMap } from "./typed-value.ts";
import { typedError } from "./validate-typed.ts";

export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Annotations of an object may be this long together. */
const TOTAL_ANNOTATION_SIZE = 256 * 1024;

/** What client-side apply wrote and nobody changed since: kubectl may take it over. */
function allowed(live: KubeObject, node: SchemaNode): FieldSet | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED] ?? "";
  const last = text === "" ? undefined : parseJson(text.trim())?.value;
  if (!isMap(last) || last["apiVersion"] !== live.apiVersion || typedError(last, node) !== undefined) return undefined;
  const { removed, modified, added } = compare(last, live, node);
  return difference(difference(difference(toFieldSet(last, node), modified), added), removed);
}

/** The conflicts that are not with what kubectl applied itself, client-side. */
export function ownConflicts(conflicts: readonly Conflict[], live: KubeObject, node: SchemaNode): readonly Conflict[] {
  const set = allowed(live, node);
  return set === undefined ? conflicts : conflicts.filter(({ path }) => !has(set, path));
}

/** Keeps the annotation of client-side apply up to date after kubectl's server-side apply, where it exists. */
export function syncLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if ((annotations?.[LAST_APPLIED] ?? "") === "") return object;
  const { annotations: own, ...metadata } = config.metadata;
  const { [LAST_APPLIED]: _, ...others } = own ?? {};
  const bare = { ...config, metadata: own === undefined ? metadata : { ...metadata, annotations: others } };
  const text = JSON.stringify(sortKeys(bare)).replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  const next = { ...annotations, [LAST_APPLIED]: `${text}\n` };
  if (Object.entries(next).reduce((sum, [key, value]) => sum + key.length + value.length, 0) <= TOTAL_ANNOTATION_SIZE) return { ...object, metadata: { ...object.metadata, annotations: next } };
  const { [LAST_APPLIED]: _old, ...kept } = next;
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}
