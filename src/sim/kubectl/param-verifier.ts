// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/{query_param_verifier,query_param_verifier_v3,fallback_query_param_verifier}.go
import { hashOf, type KnownSchema } from "../api/apiextensions/schema-index.ts";
import type { ApiResource } from "../api/schema/resources.ts";
import type { ManifestDocument } from "./manifest.ts";
import { BUILT_IN, type Types } from "./types.ts";

const SCHEMA = "/openapi/v2";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/**
 * What kubectl looks at, besides the OpenAPI v3 documents, to learn whether the server validates the fields of these documents: a List is
 * checked here, by the old schema. A kind that its group version lacks is looked for there, then among the CRDs; so is, the other way
 * round, a kind of a group version that the server does not know.
 */
export function verifierPaths(documents: readonly ManifestDocument[], { all }: Types): readonly string[] {
  const paths = new Set<string>();
  for (const { unserved, list = false } of documents) {
    if (list) paths.add(SCHEMA);
    if (unserved === undefined) continue;
    const known = all.some(({ apiVersion }) => apiVersion === unserved);
    for (const path of known ? [SCHEMA, CRDS] : [CRDS, SCHEMA]) paths.add(path);
  }
  return [...paths];
}

const DOCUMENT = "/openapi/v3/apis/";

/** What has to be read, by the index of the OpenAPI v3 documents: those of custom kinds that are not cached; the old schema, for kinds that they lack so far. */
export function schemasToRead(apis: readonly ApiResource[], index: unknown, known: Readonly<Record<string, KnownSchema>>): readonly string[] {
  const paths = apis.filter(({ apiVersion, kind }) => BUILT_IN.ofKind(apiVersion, kind) === undefined).flatMap(({ apiVersion, kind }) => {
    const hash = hashOf(index, apiVersion);
    if (hash === undefined) return [SCHEMA];
    return known[apiVersion]?.hash !== hash ? [`${DOCUMENT}${apiVersion}?hash=${hash}`] : known[apiVersion].kinds.includes(kind) ? [] : [SCHEMA];
  });
  return [...new Set(paths)];
}

/** A document that was read, by the address it was read from. */
export function readSchema(path: string, document: unknown, known: Readonly<Record<string, KnownSchema>>): Readonly<Record<string, KnownSchema>> {
  if (!path.startsWith(DOCUMENT)) return known;
  const [apiVersion = "", hash = ""] = path.slice(DOCUMENT.length).split("?hash=");
  const { schemas = {} } = ((document ?? {}) as { readonly components?: { readonly schemas?: Readonly<Record<string, { readonly "x-kubernetes-group-version-kind"?: readonly { readonly kind: string }[] }>> } }).components ?? {};
  return { ...known, [apiVersion]: { hash, kinds: Object.values(schemas).flatMap((schema) => (schema["x-kubernetes-group-version-kind"] ?? []).map(({ kind }) => kind)) } };
}
