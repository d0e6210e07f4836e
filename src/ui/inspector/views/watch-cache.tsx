import { type JSX, useState } from "react";
import { captionTime, shortTime } from "../../../timeline/format.ts";
import type { ApiServerView, CacheView } from "../../../worker/protocol.ts";
import styles from "../inspector.module.css";
import { Table } from "./parts.tsx";

function nextBookmark({ watchers }: CacheView, now: number): string {
  const due = watchers.flatMap(({ bookmarkAt }) => (bookmarkAt === undefined ? [] : [bookmarkAt]));
  return due.length === 0 ? "none asked for" : `in ${shortTime(Math.max(0, Math.min(...due) - now))}`;
}

/** Watchers of one resource, each with what it selects and its next bookmark. */
function Watchers({ cache }: { readonly cache: CacheView }): JSX.Element {
  return (
    <Table
      title={`Watchers of ${cache.resource}`}
      columns={["client", "wants", "next bookmark"]}
      none="Nobody watches it."
      rows={cache.watchers.map(({ client, selects, bookmarkAt }) => [client, selects === "" ? "all" : selects, bookmarkAt === undefined ? "none asked for" : captionTime(bookmarkAt)])}
    />
  );
}

/** The watch caches: from these, not from etcd, the API server answers lists and watches. */
export function WatchCaches({ caches, now }: { readonly caches: ApiServerView["caches"]; readonly now: number }): JSX.Element {
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const used = caches.filter(({ objects, watchers, events }) => objects > 0 || events > 0 || watchers.length > 0);
  // What has changed in this run is looked for first.
  const shown = [...(all ? caches : used)].sort((a, b) => b.events - a.events);
  const cache = caches.find(({ resource }) => resource === chosen);
  return (
    <>
      <Table
        title="Watch caches"
        columns={["resource", "objects", "history", "watchers", "next bookmark"]}
        none="None is filled yet."
        rows={shown.map((one) => [
          <button key="resource" type="button" className={styles.linkButton} aria-pressed={one.resource === chosen} onClick={() => setChosen(one.resource === chosen ? undefined : one.resource)}>
            {one.resource}
          </button>,
          one.objects,
          one.events === 0 ? `from ${one.oldest}` : `${one.oldest} to ${one.newest}, ${one.events} of ${one.capacity}`,
          one.watchers.length,
          one.watchers.length === 0 ? "" : nextBookmark(one, now),
        ])}
      />
      {caches.length > used.length && (
        <button type="button" className={styles.small} onClick={() => setAll(!all)}>
          {all ? "Only those in use" : `All ${caches.length}`}
        </button>
      )}
      {cache ? <Watchers cache={cache} /> : <p className={styles.hint}>A watch may start from any revision of the history; from an older one it gets 410 and lists again.</p>}
    </>
  );
}
