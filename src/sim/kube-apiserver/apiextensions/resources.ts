// Models the crdHandler of kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go: what is served, by the server's own cache
import { customResourcesOf, discoverable } from "../../api/apiextensions/served.ts";
import { CRD_PREFIX, type CustomResourceDefinition } from "../../api/apiextensions/types.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { RequestInfo } from "../request-info.ts";
import type { ApiServerState } from "../state.ts";

interface Index {
  readonly byPath: ReadonlyMap<string, ApiResource>;
  readonly discoverable: readonly ApiResource[];
}

const NOTHING: Index = { byPath: new Map(), discoverable: [] };
const indexes = new WeakMap<PMap<KubeObject>, Index>();

/** Definitions as the server's cache has them. */
export const definitionsOf = (state: ApiServerState): PMap<KubeObject> | undefined => state.caches.get(CRD_PREFIX)?.objects;

function indexOf(state: ApiServerState): Index {
  const objects = definitionsOf(state);
  if (objects === undefined || objects.size === 0) return NOTHING;
  let index = indexes.get(objects);
  if (index === undefined) {
    const definitions = objects.sortedValues() as readonly CustomResourceDefinition[];
    const byPath = new Map(definitions.flatMap(customResourcesOf).map((api) => [`${api.apiVersion}/${api.resource}`, api] as const));
    index = { byPath, discoverable: discoverable(definitions) };
    indexes.set(objects, index);
  }
  return index;
}

/** Custom resources in discovery's order. One array for one state of the definitions. */
export const discoveredCustom = (state: ApiServerState): readonly ApiResource[] => indexOf(state).discoverable;

export const customDefinition = (state: ApiServerState, name: string): CustomResourceDefinition | undefined => definitionsOf(state)?.get(name) as CustomResourceDefinition | undefined;

/** A request for what is not built in may be for a custom resource. Its scope must be the definition's. */
export function withCustomResource(state: ApiServerState, info: RequestInfo): RequestInfo {
  if (info.api !== undefined || info.group === "" || info.resource === "") return info;
  const api = indexOf(state).byPath.get(`${info.group}/${info.version}/${info.resource}`);
  if (api === undefined || (!api.namespaced && info.namespace !== "")) return info;
  return api.namespaced && info.namespace === "" && info.verb !== "list" && info.verb !== "watch" ? info : { ...info, api };
}
