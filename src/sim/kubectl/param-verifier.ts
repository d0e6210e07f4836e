// Models kubernetes/staging/src/k8s.io/cli-runtime/pkg/resource/{query_param_verifier,query_param_verifier_v3,fallback_query_param_verifier}.go
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

/** A group version that the index of OpenAPI v3 documents does not have yet is looked for in the old schema. */
export function unpublished(apis: readonly ApiResource[], index: unknown): readonly string[] {
  const { paths = {} } = (index ?? {}) as { readonly paths?: Readonly<Record<string, unknown>> };
  return apis.some(({ apiVersion, kind }) => BUILT_IN.ofKind(apiVersion, kind) === undefined && !Object.hasOwn(paths, `apis/${apiVersion}`)) ? [SCHEMA] : [];
}
