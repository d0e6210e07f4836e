// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go (getOrCreateServingInfoFor, tearDown)
import { storageResourceOf } from "../../api/apiextensions/served.ts";
import type { CustomResourceDefinition } from "../../api/apiextensions/types.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Ctx } from "../../kernel/types.ts";
import { type ApiServerState, sendEtcd, withState } from "../state.ts";
import { newCache } from "../watch-cache/cache.ts";
import { customDefinition } from "./resources.ts";

const prefixOf = ({ spec }: CustomResourceDefinition): string => `/registry/${spec.group}/${spec.names.plural}`;

/** Definitions changed: what is served gets a watch cache, what is gone loses its cache and its watchers. */
export function followDefinitions(ctx: Ctx, state: ApiServerState, changed: readonly KubeObject[]): ApiServerState {
  let next = state;
  for (const object of changed as readonly CustomResourceDefinition[]) {
    const prefix = prefixOf(object);
    const crd = customDefinition(next, object.metadata.name ?? "");
    const resource = crd === undefined ? undefined : storageResourceOf(crd);
    const cache = next.caches.get(prefix);
    if (crd === undefined) next = tearDown(ctx, next, prefix);
    else if (resource !== undefined && cache === undefined) {
      // Simplified: upstream opens a resource's storage at the first request for it, and again when the definition changes; here at once, and it stays open.
      next = withState(next, { caches: next.caches.set(prefix, newCache(resource, [], next.revision)) });
      next = sendEtcd(ctx, next, "watch", { type: "etcd.watch.request", watches: [{ id: prefix, prefix: `${prefix}/`, startRevision: next.revision + 1 }] }, "source");
    } else if (resource !== undefined && cache !== undefined && cache.resource !== resource) next = withState(next, { caches: next.caches.set(prefix, { ...cache, resource }) });
  }
  return next;
}

function tearDown(ctx: Ctx, state: ApiServerState, prefix: string): ApiServerState {
  for (const watcher of state.watchers.get(prefix)?.all ?? []) ctx.send(watcher.component, { type: "watch.closed", stream: watcher.stream }, { protocol: "watch", latency: ctx.latency("link.watch", watcher.stream), verb: "closed", level: "source" });
  return withState(state, { caches: state.caches.delete(prefix), watchers: state.watchers.delete(prefix) });
}
