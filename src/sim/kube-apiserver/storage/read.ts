// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/{get,watch}.go and storage/cacher
import { parseFieldSelector, unsupportedField } from "../../api/fields.ts";
import { type ApiResource, etcdKey } from "../../api/schema/resources.ts";
import { EVERYTHING, parseSelector } from "../../api/labels.ts";
import { newBadRequest, newNotFound, newTooLargeResourceVersion, newTooOldResourceVersion, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { SECOND } from "../../api/time.ts";
import type { Gate } from "../filters/gates.ts";
import { componentStatuses } from "../health.ts";
import { answer, askEtcd, refuse, type Run, subjectOf } from "../state.ts";
import { armBookmarks, nextBookmark } from "../watch-cache/bookmarks.ts";
import { eventFor, eventsAfter, newCache, oldestRevision, type ResourceCache } from "../watch-cache/cache.ts";
import { sendWatchEvent } from "../watch-cache/fan-out.ts";
import { isLagging } from "../watch-cache/lag.ts";
import { addWatcher, NEVER, NO_WATCHERS, selects, type Watcher } from "../watch-cache/watchers.ts";
import { servedBy } from "./convert.ts";
import { badResourceVersion, invalidListOptions, validateListOptions } from "./list-options.ts";
import { decodeValue } from "./metadata.ts";
import { tableOf, wantsMetadata, wantsTable } from "./table.ts";
import { SCALE, scaleOf } from "./scale.ts";

/** Unknown group, version or resource: plain text, as the mux answers. */
export const pageNotFound = (): Status => ({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message: "the server could not find the requested resource", reason: "NotFound", details: {}, code: 404 });

/** A resource or subresource that is not there. Custom resources answer for theirs themselves. */
export function unserved(run: Run): Status | undefined {
  const { api, subresource, group, resource, name } = run.request.info;
  if (api !== undefined && (subresource === "" || api.subresources.includes(subresource))) return undefined;
  return api?.custom === undefined ? pageNotFound() : newNotFound({ group, resource }, name);
}

/** GET of one object: a linearizable read of its key in etcd. */
export const getGate: Gate = {
  name: "Storage",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    const missing = unserved(run);
    if (missing !== undefined || info.api === undefined) return refuse(run, missing ?? pageNotFound());
    const key = etcdKey(info.api, info.namespace, info.name);
    const cached = cacheOf(run)?.objects.get(info.api.namespaced ? `${info.namespace}/${info.name}` : info.name);
    if (info.resource === "componentstatuses" && info.group === "") return answerObject(run, componentStatuses(run.state).find(({ metadata }) => metadata.name === info.name));
    const asked = request.query?.["resourceVersion"] ?? "";
    if (!/^\d*$/.test(asked)) return refuse(run, badResourceVersion(asked));
    // A named revision is read from the watch cache, once it has come so far; Events have none.
    if (asked !== "" && !isUncached(info.api)) return Number(asked) > run.state.revision ? awaitRevision(run, Number(asked)) : answerObject(run, cached);
    if (got === undefined) return askEtcd(run, { type: "etcd.range.request", key });
    if (got.type === "etcd.range.response") return answerObject(run, got.kvs[0] === undefined ? undefined : decodeValue(got.kvs[0]));
    return refuse(run, newUnknownServerError(got.type === "etcd.error" ? got.message : "unexpected answer"));
  },
};

/** Events are many and short-lived: the server keeps no watch cache of them for readers. */
export const isUncached = (api: ApiResource): boolean => api.kind === "Event";

export const cacheOf = (run: Run): ResourceCache | undefined => (run.request.info.api === undefined ? undefined : run.state.caches.get(run.request.info.api.etcdPrefix));

function answerObject(run: Run, object: KubeObject | undefined): void {
  const { info, request } = run.request;
  if (info.api === undefined) return;
  if (object === undefined) {
    const missing = newNotFound({ group: info.group, resource: info.resource }, info.name);
    return answer(run, 404, missing, `kube-apiserver answers that ${subjectOf(info)} does not exist`);
  }
  const served = info.subresource === "scale" ? scaleOf(object, info.api) : servedBy(info.api, object);
  return answer(run, 200, wantsTable(request) ? tableOf(info.subresource === "scale" ? SCALE : info.api, [served], run) : served);
}

interface Selection {
  readonly error?: string;
  readonly watcher: Watcher;
}

/** What a list or watch selects, or the text of what is wrong with its selectors. */
export function selection(run: Run): Selection {
  const { info, request, client } = run.request;
  const query = request.query ?? {};
  const fields = parseFieldSelector(query["fieldSelector"] ?? "");
  const labels = query["labelSelector"] ? parseSelector(query["labelSelector"]) : EVERYTHING;
  const seconds = Number(query["timeoutSeconds"] ?? 1800 + (run.ctx.rand(`watch/${request.stream ?? info.path}/${run.ctx.now}`, 0) % 1800));
  const base: Watcher = { stream: request.stream ?? "", component: client, namespace: info.namespace, name: info.name, fields: typeof fields === "string" ? [] : fields, labels: typeof labels === "string" ? EVERYTHING : labels, deadline: run.ctx.now + seconds * SECOND, table: wantsTable(request), ...(wantsMetadata(request) ? { metadata: true } : {}), ...(request.ownership === true ? { ownership: true } : {}), bookmarkAt: NEVER, ...(info.api?.custom === undefined ? {} : { served: info.api }) };
  if (typeof fields === "string") return { watcher: base, error: fields };
  if (typeof labels === "string") return { watcher: base, error: labels };
  const unsupported = unsupportedField(info.api?.kind ?? "", fields, info.api?.custom?.version.selectableFields?.map(({ jsonPath }) => jsonPath.replace(/^\./, "")));
  return unsupported === undefined ? { watcher: base } : { watcher: base, error: unsupported };
}

/** WATCH: joins the watchers of the resource's cache, after what it missed since its resourceVersion. */
export const watchGate: Gate = {
  name: "WatchCache",
  share: 92,
  run(run) {
    const { info, request, client, answer: got } = run.request;
    if (info.api === undefined || request.stream === undefined) return refuse(run, info.api === undefined ? pageNotFound() : newBadRequest("a watch needs a stream"));
    const errors = validateListOptions(request.query ?? {});
    if (errors.length > 0) return refuse(run, invalidListOptions(errors));
    const { error, watcher: selected } = selection(run);
    if (error !== undefined) return refuse(run, newBadRequest(error));
    if (!/^\d*$/.test(request.query?.["resourceVersion"] ?? "")) return refuse(run, badResourceVersion(request.query?.["resourceVersion"] ?? ""));
    const bookmarks = request.query?.["allowWatchBookmarks"] === "true";
    const watcher = bookmarks ? { ...selected, bookmarkAt: nextBookmark(selected, run.ctx.now) } : selected;
    const asked = request.query?.["resourceVersion"] ?? "";
    const initial = request.query?.["sendInitialEvents"] === "true";
    const prefix = info.api.etcdPrefix;
    // The initial events are as fresh as a list: etcd is asked for its revision, or a named one is waited for.
    if (initial && asked === "" && got === undefined) return askEtcd(run, { type: "etcd.range.request", key: `${prefix}/`, prefix: true, countOnly: true });
    if (got !== undefined && got.type !== "etcd.range.response") return refuse(run, newUnknownServerError("message" in got ? got.message : "unexpected answer"));
    if (initial && Number(asked) > run.state.revision) return awaitRevision(run, Number(asked));
    if (initial && asked === "" && got !== undefined && isBehind(run, got.revision)) return awaitRevision(run, got.revision);
    const cache = cacheOf(run) ?? newCache(info.api, [], run.state.revision);
    answer(run, 200, undefined, `kube-apiserver opens a watch on ${info.resource} for ${client}`);
    const fromNow = initial || asked === "" || asked === "0";
    const missed = fromNow ? [] : eventsAfter(cache, Number(asked));
    if (missed === undefined) {
      const status = newTooOldResourceVersion(Number(asked), oldestRevision(cache));
      run.ctx.send(client, { type: "watch.event", stream: watcher.stream, event: { type: "ERROR", object: status as unknown as KubeObject } }, { protocol: "watch", latency: run.ctx.latency("link.watch", watcher.stream), verb: "ERROR", status: 410, subject: info.path });
      return;
    }
    run.state.watchers = run.state.watchers.set(prefix, addWatcher(run.state.watchers.get(prefix) ?? NO_WATCHERS, watcher));
    run.state = armBookmarks(run.ctx, run.state, watcher.bookmarkAt);
    if (fromNow) {
      for (const [, object] of cache.objects.sorted()) if (selects(watcher, object)) sendWatchEvent(run.ctx, run.config, info.api, watcher, { type: "ADDED", object });
      if (initial && bookmarks) sendInitialEnd(run, watcher);
    }
    for (const event of missed) dispatchOne(run, watcher, event);
  },
};

/** A reader that is ahead of the cache waits so long for it. */
const FRESH_TIMEOUT = 3 * SECOND;
const FRESH_POLL = 100_000;

/** The cache is not there yet: it is looked at again, for 3 s. */
export function awaitRevision(run: Run, revision: number): void {
  if (!waitsForCache(run)) refuse(run, newTooLargeResourceVersion(revision, run.state.revision));
}

/** False when the 3 s are over. */
export function waitsForCache(run: Run): boolean {
  const { request, ctx } = run;
  if (ctx.now - request.startedAt >= FRESH_TIMEOUT) return false;
  ctx.after(FRESH_POLL, { type: "apiserver.step", key: request.key });
  run.result = "wait";
  return true;
}

/** Whether the cache lacks what etcd has. Simplified: upstream always compares; here a cache that does not lag counts as up to date. */
export const isBehind = ({ state, ctx }: Run, revision: number): boolean => isLagging(state, ctx.now) && revision > state.revision;

function sendInitialEnd(run: Run, watcher: Watcher): void {
  const { api } = run.request.info;
  if (api === undefined) return;
  const object: KubeObject = { apiVersion: api.apiVersion, kind: api.kind, metadata: { resourceVersion: String(run.state.revision), annotations: { "k8s.io/initial-events-end": "true" } } };
  sendWatchEvent(run.ctx, run.config, api, watcher, { type: "BOOKMARK", object });
}

function dispatchOne(run: Run, watcher: Watcher, event: Parameters<typeof eventFor>[0]): void {
  const { api } = run.request.info;
  const told = eventFor(event, (object) => selects(watcher, object));
  if (told !== undefined && api !== undefined) sendWatchEvent(run.ctx, run.config, api, watcher, told);
}

