// Models the shared informers inside kube-apiserver: its admission and authorization read its own watch caches
import { API_RESOURCES, type ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import { PMap } from "../../kernel/pmap.ts";
import type { ApiServerState } from "../state.ts";

/** Plural to the resource that stores it: the first in discovery order. */
const byPlural = new Map<string, ApiResource>();
for (const api of API_RESOURCES) if (!api.createOnly && !byPlural.has(api.resource)) byPlural.set(api.resource, api);

/** One object by plural resource, namespace ("" for cluster scope) and name. */
export function getObject(state: ApiServerState, resource: string, namespace: string, name: string): KubeObject | undefined {
  const api = byPlural.get(resource);
  return api === undefined ? undefined : state.caches.get(api.etcdPrefix)?.objects.get(api.namespaced ? `${namespace}/${name}` : name);
}

/** All objects of a resource, in key order; of one namespace if given. */
export function listObjects(state: ApiServerState, resource: string, namespace?: string): readonly KubeObject[] {
  const api = byPlural.get(resource);
  const cache = api === undefined ? undefined : state.caches.get(api.etcdPrefix);
  if (cache === undefined || cache.objects.size === 0) return [];
  const all = cache.objects.sortedValues();
  return namespace === undefined || namespace === "" ? all : all.filter((object) => object.metadata.namespace === namespace);
}

const NONE: PMap<KubeObject> = PMap.empty();

/** The cache of a resource itself: the same reference means that nothing changed. */
export function objectsIn(state: ApiServerState, resource: string): PMap<KubeObject> {
  const api = byPlural.get(resource);
  return (api === undefined ? undefined : state.caches.get(api.etcdPrefix)?.objects) ?? NONE;
}
