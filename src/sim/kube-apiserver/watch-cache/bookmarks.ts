// Models kubernetes/staging/src/k8s.io/apiserver/pkg/storage/cacher/{cacher,cache_watcher}.go (bookmarks)
import { SECOND } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { PMap } from "../../kernel/pmap.ts";
import type { Ctx, Micros } from "../../kernel/types.ts";
import { type ApiServerConfig, type ApiServerState, withState } from "../state.ts";
import { sendWatchEvent } from "./fan-out.ts";
import { everyWatcher, mapWatchers, NEVER, type Watcher, type WatcherSet } from "./watchers.ts";

const FREQUENCY: Micros = 60_000_000;
/** The last one comes so long before the watch ends: then the client goes on from nearly now. */
const BEFORE_DEADLINE: Micros = 2_000_000;

/** When a watch's next bookmark is due: in a minute, or 2 s before its deadline; NEVER after that. */
export function nextBookmark({ deadline }: Watcher, now: Micros): Micros {
  const at = Math.min(now + FREQUENCY, deadline - BEFORE_DEADLINE);
  // Upstream looks once a second which are due.
  return at < now ? NEVER : Math.ceil(at / SECOND) * SECOND;
}

export function earliestBookmark(watchers: PMap<WatcherSet>): Micros {
  let earliest = NEVER;
  for (const set of watchers.values()) for (const { bookmarkAt } of everyWatcher(set)) if (bookmarkAt < earliest) earliest = bookmarkAt;
  return earliest;
}

/** One timer for the earliest of all bookmarks. */
export function armBookmarks<S extends ApiServerState>(ctx: Ctx, state: S, at: Micros): S {
  if (at === NEVER || (state.bookmarksAt >= 0 && state.bookmarksAt <= at)) return state;
  ctx.cancel(state.bookmarkTimer);
  return withState(state, { bookmarksAt: at, bookmarkTimer: ctx.after(Math.max(0, at - ctx.now), { type: "apiserver.bookmarks" }) }) as S;
}

/** Tells each watch that is due how far it is, without an object: where it goes on if its connection breaks. */
export function sendBookmarks(ctx: Ctx, config: ApiServerConfig, state: ApiServerState): ApiServerState {
  let { watchers } = state;
  const due = state.watchers.entries().filter(([, set]) => everyWatcher(set).some(({ bookmarkAt }) => bookmarkAt <= ctx.now)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [prefix, set] of due) {
    const resource = state.caches.get(prefix)?.resource;
    if (resource === undefined) continue;
    const object: KubeObject = { apiVersion: resource.apiVersion, kind: resource.kind, metadata: { resourceVersion: String(state.revision) } };
    watchers = watchers.set(prefix, mapWatchers(set, (watcher) => {
      if (watcher.bookmarkAt > ctx.now) return watcher;
      sendWatchEvent(ctx, config, resource, watcher, { type: "BOOKMARK", object }, resource.resource);
      return { ...watcher, bookmarkAt: nextBookmark(watcher, ctx.now + 1) };
    }));
  }
  return armBookmarks(ctx, withState(state, { watchers, bookmarksAt: -1, bookmarkTimer: -1 }), earliestBookmark(watchers));
}
