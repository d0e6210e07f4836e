// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go
import { builtInSchema, DEDUCED_OBJECT, type SchemaNode } from "../../api/fieldmanager/schema-node.ts";
import { customSchema } from "../../api/fieldmanager/structural-schema.ts";
import { mergeValues } from "../../api/fieldmanager/typed-merge.ts";
import { isMap } from "../../api/fieldmanager/typed-value.ts";
import { typedError } from "../../api/fieldmanager/validate-typed.ts";
import { groupOf, versionOf } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";

interface Definition extends KubeObject {
  readonly spec?: { readonly group?: string; readonly names?: { readonly kind?: string }; readonly versions?: readonly { readonly name?: string; readonly schema?: { readonly openAPIV3Schema?: object } }[] };
}

/** The schema of a kind: built in, or its definition's. */
function schemaOf({ apiVersion, kind }: KubeObject, attrs: AdmissionAttributes): SchemaNode {
  const known = builtInSchema(apiVersion, kind);
  if (known !== undefined) return known;
  const definition = (attrs.list("customresourcedefinitions", "") as readonly Definition[]).find(({ spec }) => spec?.group === groupOf(apiVersion) && spec.names?.kind === kind);
  const schema = definition?.spec?.versions?.find(({ name }) => name === versionOf(apiVersion))?.schema?.openAPIV3Schema;
  return schema === undefined ? DEDUCED_OBJECT : customSchema(schema);
}

/** Paths of the lists and maps in a value that can only be replaced as a whole. */
function atomicsIn(value: unknown, node: SchemaNode | undefined, path: string): readonly string[] {
  if (isMap(value) && node?.map !== undefined) {
    const { map } = node;
    const inside = Object.entries(value).flatMap(([key, inner]) => atomicsIn(inner, map.field(key), `${path}.${key}`));
    return map.atomic ? [path, ...inside] : inside;
  }
  if (!Array.isArray(value) || node?.list === undefined) return [];
  const { list } = node;
  const inside = value.flatMap((inner, i) => atomicsIn(inner, list.element(), `${path}[${i}]`));
  return list.keys === undefined ? [path, ...inside] : inside;
}

/** Merges what an ApplyConfiguration says into the object as server-side apply would; an error text when it may not or cannot. */
export function withApplyConfiguration(object: KubeObject, value: unknown, attrs: AdmissionAttributes): KubeObject | string {
  const node = schemaOf(object, attrs);
  const patch = { ...(isMap(value) ? value : {}), apiVersion: object.apiVersion, kind: object.kind };
  const wrong = typedError(patch, node);
  if (wrong !== undefined) return `error applying patch: failed to convert patch object to typed object: ${wrong}`;
  const atomics = atomicsIn(patch, node, "");
  if (atomics.length > 0) return `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
  return mergeValues(object, patch, node) as KubeObject;
}
