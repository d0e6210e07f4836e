// Models kubernetes/staging/src/k8s.io/kube-openapi/pkg/handler3: the index of OpenAPI documents, each named with the hash of its content
import { fnv32a } from "../go-hash.ts";
import type { ApiResource } from "../schema/resources.ts";

/** What a client that has the document of a group version knows of it. */
export interface KnownSchema {
  readonly hash: string;
  readonly kinds: readonly string[];
}

/** The documents of custom resources by group version: each changes its hash when a definition in it does. */
export function schemaIndex(custom: readonly ApiResource[]): Readonly<Record<string, KnownSchema>> {
  const index: Record<string, KnownSchema> = {};
  for (const version of new Set(custom.map(({ apiVersion }) => apiVersion))) {
    const own = custom.filter(({ apiVersion }) => apiVersion === version);
    const content = own.map(({ kind, custom: definition }) => `${kind}/${definition?.crd.metadata.uid ?? ""}/${definition?.crd.metadata.generation ?? 1}`).join();
    index[version] = { hash: fnv32a(content).toString(16).toUpperCase().padStart(8, "0"), kinds: own.map(({ kind }) => kind) };
  }
  return index;
}

/** The hash in an index's address of a document; undefined when the index does not have it. */
export function hashOf(index: unknown, apiVersion: string): string | undefined {
  const { paths = {} } = (index ?? {}) as { readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: string }>> };
  return /[?&]hash=([^&]+)/.exec(paths[`apis/${apiVersion}`]?.serverRelativeURL ?? "")?.[1];
}
