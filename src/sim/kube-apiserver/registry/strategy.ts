// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/rest/{create,update,delete}.go
import type { KubeObject } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";

/** What one resource does to an object before it is stored. */
export interface Strategy {
  /** "apiVersion/Kind" */
  readonly kinds: readonly string[];
  /** Whether metadata.generation counts spec changes. */
  readonly hasGeneration: boolean;
  /** Runs after mutating admission, before validation. uid, name and creationTimestamp are already set. */
  prepareForCreate?(object: KubeObject): KubeObject;
  /** Runs on updates of the main resource; status is already the old one, generation not yet bumped. */
  prepareForUpdate?(object: KubeObject, old: KubeObject): KubeObject;
  /** More than spec that counts as a change of generation. */
  generationChanged?(object: KubeObject, old: KubeObject): boolean;
  /** Whether the kind has a status subresource that main updates may not touch. */
  readonly hasStatus: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** The object without a field. */
export function without<T extends KubeObject>(object: T, key: string): T {
  if (!Object.hasOwn(object, key)) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)) as unknown as T;
}

export const withMetadata = (object: KubeObject, metadata: Partial<KubeObject["metadata"]>): KubeObject => ({ ...object, metadata: { ...object.metadata, ...metadata } });

/** Everything of an object but what says who and when. */
export const specOf = (object: KubeObject): Json => (object.spec ?? {}) as Json;

export const specChanged = (object: KubeObject, old: KubeObject): boolean => !semanticEqual(object.spec, old.spec);
