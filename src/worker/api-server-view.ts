import type { KubeObject } from "../sim/api/types.ts";
import { FLOWS } from "../sim/kube-apiserver/pipeline.ts";
import type { ApiServerState } from "../sim/kube-apiserver/state.ts";
import { type CacheEvent, oldestRevision, type ResourceCache } from "../sim/kube-apiserver/watch-cache/cache.ts";
import { everyWatcher, NEVER, type Watcher } from "../sim/kube-apiserver/watch-cache/watchers.ts";
import type { ApiServerView, CacheView, WatcherView } from "./protocol-api-server.ts";

const HOOKS = ["mutating", "validating"];

function watcherView({ component, namespace, name, fields, labels, bookmarkAt }: Watcher): WatcherView {
  const selects = [namespace === "" ? "" : `namespace ${namespace}`, name === "" ? "" : `name ${name}`, ...fields.map(({ field, operator, value }) => `${field}${operator}${value}`), labels.length > 0 ? "by label" : ""];
  return { client: component, selects: selects.filter((part) => part !== "").join(", "), ...(bookmarkAt === NEVER ? {} : { bookmarkAt }) };
}

function cacheView(cache: ResourceCache, watchers: readonly Watcher[]): CacheView {
  const { resource, objects, log, start, end, capacity } = cache;
  const oldest = oldestRevision(cache);
  const newest: CacheEvent | undefined = log.get(`e${end - 1}`);
  return {
    resource: resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`,
    objects: objects.size, oldest, newest: newest?.revision ?? oldest, events: end - start, capacity, watchers: watchers.map(watcherView),
  };
}

/** The API server's caches, watchers and requests in short. */
export function apiServerView(state: ApiServerState): ApiServerView {
  return {
    member: state.member, revision: state.revision, ready: state.ready,
    seats: Object.entries(state.seats).filter(([, used]) => Number(used) > 0).map(([level, used]) => ({ level, used: Number(used) })),
    webhooks: HOOKS.flatMap((kind) => state.caches.get(`/registry/${kind}webhookconfigurations`)?.objects.sortedValues() ?? []).flatMap((object) => (object as KubeObject & { readonly webhooks?: readonly { readonly name: string }[] }).webhooks ?? []).map(({ name }) => name),
    caches: state.caches.sorted().map(([key, cache]) => {
      const watchers = state.watchers.get(key);
      return cacheView(cache, watchers === undefined ? [] : everyWatcher(watchers));
    }),
    requests: state.requests.sorted().map(([, { client, request, flow, gate, startedAt }]) => ({ client, method: request.method, path: request.path, gate: FLOWS[flow][gate]?.name ?? "", position: gate + 1, gates: FLOWS[flow].length, since: startedAt })),
  };
}
