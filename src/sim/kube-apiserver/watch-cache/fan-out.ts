// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/cacher.go (dispatchEvent)
import type { WatchEvent, WatchEventMessage } from "../../api/http.ts";
import { CRD_PREFIX } from "../../api/apiextensions/types.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject } from "../../api/types.ts";
import type { EtcdWatchResponse } from "../../etcd/messages.ts";
import type { Ctx, Level } from "../../kernel/types.ts";
import { type ApiServerConfig, type ApiServerState, objectSubject, withState } from "../state.ts";
import { onDefinitions } from "../apiextensions/controllers.ts";
import { followDefinitions } from "../apiextensions/storage.ts";
import { servedBy } from "../storage/convert.ts";
import { decodeValue } from "../storage/metadata.ts";
import { partialOf, tableOfWatch } from "../storage/table.ts";
import { addEvent, type CacheEvent, changesOwnership, eventFor } from "./cache.ts";
import { candidates, selects, type Watcher } from "./watchers.ts";

/** Resources whose watch events carry the story of a Pod; everything else is background. */
const TOLD = new Set(["pods", "deployments", "replicasets", "endpointslices", "services", "statefulsets", "daemonsets", "jobs"]);

function loudness(api: ApiResource, watcher: Watcher, event: WatchEvent): Level {
  if (event.type === "BOOKMARK" || !TOLD.has(api.resource)) return "source";
  if (api.resource !== "pods") return "operator";
  const { nodeName } = (event.object.spec ?? {}) as { readonly nodeName?: string };
  if (watcher.component === "kube-scheduler") return nodeName === undefined && event.type === "ADDED" ? "basic" : "source";
  if (watcher.component.startsWith("kubelet@")) return event.type === "MODIFIED" ? "operator" : "basic";
  return "operator";
}

const asVersion = (as: ApiResource, object: KubeObject): KubeObject => (object.apiVersion === as.apiVersion ? object : { ...object, apiVersion: as.apiVersion });

/** One line on one client's stream. The delay is the stream's own and constant, so that its lines keep their order. `subject` is the object's. */
export function sendWatchEvent(ctx: Ctx, config: ApiServerConfig, api: ApiResource, watcher: Watcher, event: WatchEvent, subject = objectSubject(api, event.object)): void {
  const as = watcher.served ?? api;
  // A bookmark is of the version that is watched, with nothing to convert.
  const seen = event.type === "ERROR" ? event.object : event.type === "BOOKMARK" ? asVersion(as, event.object) : servedBy(as, event.object);
  const object = watcher.metadata === true && event.type !== "ERROR" ? partialOf(seen) : seen;
  const served = object === event.object ? event : { ...event, object };
  const sent = watcher.table && event.type !== "BOOKMARK" ? { type: served.type, object: tableOfWatch(as, served.object, ctx.now, config) } : served;
  const message: WatchEventMessage = { type: "watch.event", stream: watcher.stream, event: sent };
  const latency = ctx.latency("apiserver.watch-dispatch", watcher.stream) + ctx.latency("link.watch", watcher.stream);
  ctx.send(watcher.component, message, { protocol: "watch", latency, verb: event.type, subject, level: loudness(api, watcher, event) });
}

/** The cache follows etcd's watch: every change is stored and told to the watchers that select the object. */
export function onEtcdWatch(ctx: Ctx, config: ApiServerConfig, state: ApiServerState, message: EtcdWatchResponse): ApiServerState {
  const cache = state.caches.get(message.watch);
  if (cache === undefined) return state;
  let next = cache;
  const watchers = state.watchers.get(message.watch);
  for (const { type, kv, level } of message.events) {
    const object = decodeValue(kv);
    const key = cache.resource.namespaced ? `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}` : (object.metadata.name ?? "");
    const previous = next.objects.get(key);
    // A watch that was opened again on another member may repeat what is known.
    if (Number(previous?.metadata.resourceVersion ?? 0) >= kv.modRevision) continue;
    const event: CacheEvent = { revision: kv.modRevision, at: ctx.now, object, previous, deleted: type === "DELETE" };
    next = addEvent(next, event);
    if (watchers === undefined) continue;
    let told = 0;
    // One text for all: a dozen watchers are told, and the trace looks each text up.
    const subject = objectSubject(cache.resource, object);
    for (const watcher of candidates(watchers, object, previous)) {
      if (watcher.ownership === true && !changesOwnership(event)) continue;
      const line = eventFor(event, (candidate: KubeObject) => selects(watcher, candidate));
      if (line === undefined) continue;
      sendWatchEvent(ctx, config, cache.resource, watcher, line, subject);
      told++;
    }
    if (level !== "source") ctx.explain({ text: `kube-apiserver's watch cache takes revision ${kv.modRevision} and tells ${told} watchers`, why: "one etcd watch a resource feeds the cache; the fan-out to clients is in memory", level: level === "basic" ? "basic" : "source", subject });
  }
  const after = withState(state, { caches: state.caches.set(message.watch, next), revision: Math.max(state.revision, message.revision) });
  if (message.watch !== CRD_PREFIX) return after;
  const changed = message.events.map(({ kv }) => decodeValue(kv));
  onDefinitions(ctx, after, changed);
  return followDefinitions(ctx, after, changed);
}
