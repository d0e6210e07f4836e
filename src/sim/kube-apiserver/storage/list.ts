// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/{cacher,watch_cache}.go (GetList) and endpoints/handlers/get.go
import { objectKey } from "../../api/http.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import { newBadRequest, newExpired, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { EtcdRangeResponse } from "../../etcd/messages.ts";
import { PMap } from "../../kernel/pmap.ts";
import { type Gate, tell } from "../filters/gates.ts";
import { componentStatuses } from "../health.ts";
import { answer, askEtcd, refuse, type Run } from "../state.ts";
import { objectsAt } from "../watch-cache/cache.ts";
import { selects } from "../watch-cache/watchers.ts";
import { type ContinueToken, decodeContinue, encodeContinue } from "./continue-token.ts";
import { servedBy } from "./convert.ts";
import { badResourceVersion, invalidListOptions, type Query, validateListOptions } from "./list-options.ts";
import { awaitRevision, cacheOf, isBehind, isUncached, pageNotFound, selection, waitsForCache } from "./read.ts";
import { decodeValue } from "./metadata.ts";
import { tableOf, wantsTable } from "./table.ts";

const EXPIRED = "The resourceVersion for the provided list is too old.";
const INCONSISTENT = "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** What a list's resourceVersion and its company ask for. */
type Wanted = { readonly at: "newest" | "any" } | { readonly at: "not older"; readonly revision: number } | { readonly at: "exactly"; readonly revision: number };

function wanted(query: Query, token: ContinueToken | undefined): Wanted {
  const text = query["resourceVersion"] ?? "";
  const revision = Number(text);
  if (query["resourceVersionMatch"] === "Exact") return { at: "exactly", revision };
  if (token !== undefined) return token.revision > 0 ? { at: "exactly", revision: token.revision } : { at: "newest" };
  if (text === "") return { at: "newest" };
  if (text === "0") return { at: "any" };
  // Without a match, limit has always meant "exactly"; the others mean "not older".
  return query["resourceVersionMatch"] === undefined && Number(query["limit"] ?? 0) > 0 ? { at: "exactly", revision } : { at: "not older", revision };
}

/** LIST: from the watch cache. Without resourceVersion etcd is first asked for its revision, so that the answer is not stale. */
export const listGate: Gate = {
  name: "Storage",
  share: 92,
  run(run) {
    const { info, request, answer: got } = run.request;
    if (info.api === undefined) return refuse(run, pageNotFound());
    const query: Query = request.query ?? {};
    const errors = validateListOptions(query);
    if (errors.length > 0) return refuse(run, invalidListOptions(errors));
    const { error } = selection(run);
    if (error !== undefined) return refuse(run, newBadRequest(error));
    if (info.resource === "componentstatuses" && info.group === "") return answerComponents(run, info.api);
    if (!/^\d*$/.test(query["resourceVersion"] ?? "")) return refuse(run, badResourceVersion(query["resourceVersion"] ?? ""));
    const token = query["continue"] ? decodeContinue(query["continue"]) : undefined;
    if (typeof token === "string") return refuse(run, newBadRequest(`invalid continue token: ${token}`));
    const want = wanted(query, token);
    const uncached = isUncached(info.api) && want.at !== "exactly";
    if ((want.at === "newest" || uncached) && got === undefined) return askEtcd(run, { type: "etcd.range.request", key: `${info.api.etcdPrefix}/`, prefix: true, countOnly: !uncached });
    if (got?.type === "etcd.error") return refuse(run, newUnknownServerError(got.message));
    if (want.at === "newest" && !uncached && run.request.fresh !== true && got?.type === "etcd.range.response" && isBehind(run, got.revision)) return catchUp(run, info.api);
    if ((want.at === "exactly" || want.at === "not older") && want.revision > run.state.revision) return awaitRevision(run, want.revision);
    answerList(run, want, token);
  },
};

/** A cache that is behind is waited for, 3 s; then the list is read from etcd (CacheDelegator.GetList). */
function catchUp(run: Run, api: ApiResource): void {
  if (waitsForCache(run)) return;
  tell(run, "WatchCache", "does not wait longer for its watch cache", "etcd is ahead of it; after 3 s the list is read from etcd itself", "basic");
  run.request.fresh = true;
  run.request.answer = undefined;
  askEtcd(run, { type: "etcd.range.request", key: `${api.etcdPrefix}/`, prefix: true, countOnly: false });
}

/** What is looked up, not stored. */
function answerComponents(run: Run, api: ApiResource): void {
  const items = componentStatuses(run.state);
  answer(run, 200, wantsTable(run.request.request) ? tableOf(api, items, run) : { apiVersion: api.apiVersion, kind: `${api.kind}List`, metadata: {}, items });
}

function answerList(run: Run, want: Wanted, token: ContinueToken | undefined): void {
  const { info: { api, namespace }, answer: got } = run.request;
  if (api === undefined) return;
  const cache = cacheOf(run);
  const fromEtcd = (isUncached(api) || run.request.fresh === true) && got?.type === "etcd.range.response" ? got : undefined;
  const objects = fromEtcd !== undefined ? storedObjects(fromEtcd) : want.at === "exactly" && cache !== undefined ? objectsAt(cache, want.revision) : cache?.objects;
  if (want.at === "exactly" && objects === undefined) return refuse(run, expired(token));
  if (fromEtcd === undefined) tell(run, "WatchCache", `lists ${run.request.info.resource} from its watch cache`, "etcd is only asked for its revision; the objects are in memory", "operator");
  else if (isUncached(api)) tell(run, "Storage", `lists ${run.request.info.resource} from etcd`, "Events are the one kind without a watch cache: each list reads them all from etcd", "operator");
  const revision = want.at === "exactly" ? want.revision : (fromEtcd?.revision ?? run.state.revision);
  const page = pageOf(run, objects, namespace === "" ? "" : `${namespace}/`, token, revision);
  const { watcher } = selection(run);
  const { items, ...meta } = page;
  const whole = watcher.fields.length === 0 && watcher.labels.length === 0;
  const metadata = { resourceVersion: String(revision), ...(meta.continue === undefined ? {} : { continue: meta.continue, ...(whole ? { remainingItemCount: meta.remaining } : {}) }) };
  const served = items.map((item) => servedBy(api, item));
  const listKind = api.custom?.crd.spec.names.listKind ?? `${api.kind}List`;
  answer(run, 200, wantsTable(run.request.request) ? { ...tableOf(api, served, run), metadata } : { apiVersion: api.apiVersion, kind: listKind, metadata, items: served });
}

const storedObjects = ({ kvs }: EtcdRangeResponse): PMap<KubeObject> => PMap.from(kvs.map(decodeValue).map((object) => [objectKey(object), object] as const));

interface Page {
  readonly items: readonly KubeObject[];
  readonly continue?: string;
  readonly remaining?: number;
}

function pageOf(run: Run, objects: PMap<KubeObject> | undefined, prefix: string, token: ContinueToken | undefined, revision: number): Page {
  const query: Query = run.request.request.query ?? {};
  const { watcher } = selection(run);
  const uncached = run.request.info.api !== undefined && isUncached(run.request.info.api);
  // A list from whatever the cache has is never cut.
  const limit = query["resourceVersion"] === "0" && !uncached ? 0 : Number(query["limit"] ?? 0);
  if (limit === 0 && token === undefined) return { items: (objects?.sortedValues() ?? []).filter((object) => selects(watcher, object)) };
  const from = token === undefined ? prefix : `${prefix}${token.start}`;
  const entries = (objects?.sorted() ?? []).filter(([key]) => key.startsWith(prefix) && key >= from);
  const items: KubeObject[] = [];
  for (const [i, [key, object]] of entries.entries()) {
    if (!selects(watcher, object)) continue;
    items.push(object);
    if (limit > 0 && items.length === limit && i < entries.length - 1) return { items, continue: encodeContinue({ revision, start: `${key.slice(prefix.length)}\u0000` }), remaining: entries.length - limit };
  }
  return { items };
}

/** What has been forgotten cannot be listed any more; a page of it may go on with what there is now. */
function expired(token: ContinueToken | undefined): Status {
  if (token === undefined) return newExpired(EXPIRED);
  return { ...newExpired(INCONSISTENT), metadata: { continue: encodeContinue({ revision: -1, start: token.start }) } };
}
