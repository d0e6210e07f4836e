import { type JSX, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./events.module.css";
import { filterOf } from "./filter.ts";
import { useEventsRequest } from "./request.ts";
import { rowsOf } from "./rows.ts";
import { VirtualList } from "./virtual-list.tsx";

/** Region "Events": every step, and every message if wanted; filters find, a click seeks there and pins. */
export function EventsPanel(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const steps = useTimeline((state) => state.steps);
  const detail = useTimeline((state) => state.detail);
  // What the reader typed holds until somebody asks for another search.
  const request = useEventsRequest();
  const [typed, setTyped] = useState({ query: "", during: 0 });
  const query = typed.during === request.count ? typed.query : request.query;
  const setQuery = (next: string): void => setTyped({ query: next, during: request.count });
  const [messages, setMessages] = useState(false);
  const wanted = useDeferredValue(query);
  const rows = useMemo(() => (index ? rowsOf(index, steps, detail, messages, wanted.trim() === "" ? undefined : filterOf(wanted)) : []), [index, steps, detail, messages, wanted]);
  useEffect(() => {
    useTimeline.getState().setFound(wanted.trim() === "" ? [] : rows.map(({ at }) => at));
  }, [rows, wanted]);
  return (
    <section aria-label="Events" className={styles.panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Events</h2>
        <input type="search" className={`field ${styles.filter}`} aria-label="Filter events" placeholder="text, component: verb: object: status: lane:" value={query} onChange={(event) => setQuery(event.target.value)} />
        <label className={styles.check}>
          <input type="checkbox" checked={messages} onChange={(event) => setMessages(event.target.checked)} /> messages
        </label>
        <span className={styles.count}>
          {rows.length}
          <span className="visually-hidden"> {rows.length === 1 ? "line" : "lines"}</span>
        </span>
      </div>
      {index && rows.length > 0 ? <VirtualList index={index} rows={rows} /> : <p className={styles.none}>{query === "" ? "Nothing has happened yet. Press Apply." : "Nothing in this run matches. Clear the filter, or raise the detail level."}</p>}
    </section>
  );
}
