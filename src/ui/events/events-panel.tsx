import { type JSX, type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { clockTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { hueOf } from "../theme/components.ts";
import styles from "./events.module.css";
import { filterOf } from "./filter.ts";
import { type Row, rowAt, rowsOf, searchable } from "./rows.ts";

const ROW_HEIGHT = 46;
const OVERSCAN = 6;

function Line({ index, row, id, position, total, current, active, onChoose }: { readonly index: TraceIndex; readonly row: Row; readonly id: string; readonly position: number; readonly total: number; readonly current: boolean; readonly active: boolean; readonly onChoose: () => void }): JSX.Element {
  const setHover = useTimeline((state) => state.setHover);
  const { text, component, status, outcome } = searchable(index, row);
  const [seconds, micros] = clockParts(row.at);
  const failed = status >= 400 || outcome === "lost" || outcome === "refused";
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element cannot hold two lines
      role="option"
      id={id}
      aria-selected={current}
      aria-setsize={total}
      aria-posinset={position + 1}
      className={styles.row}
      data-active={active || undefined}
      data-kind={row.kind}
      data-failed={failed || undefined}
      style={{ top: position * ROW_HEIGHT, borderLeftColor: hueOf(component) }}
      title={text}
      onClick={onChoose}
      onKeyDown={undefined}
      onPointerEnter={() => setHover(row.kind === "hop" ? { kind: "hop", id: row.id } : { kind: "note", id: row.id })}
      onPointerLeave={() => setHover(undefined)}
      tabIndex={-1}
    >
      <span className={styles.meta}>
        <span className={styles.seconds}>{seconds}</span>
        <span className={styles.time}>{micros}</span> <span className={styles.component}>{component}</span>
        {failed && <span className={styles.failed}> {status >= 400 ? status : outcome}</span>}
      </span>
      <span className={styles.text}>{text}</span>
    </div>
  );
}

interface ListProps {
  readonly index: TraceIndex;
  readonly rows: readonly Row[];
}

/** Seconds stand out, the microseconds behind them do not. */
function clockParts(at: number): readonly [string, string] {
  const text = clockTime(at);
  const dot = text.indexOf(".");
  return [text.slice(0, dot), text.slice(dot)];
}

/** The rows near the scroll position only: a run has tens of thousands. */
function VirtualList({ index, rows }: ListProps): JSX.Element {
  const base = useId();
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const [follow, setFollow] = useState(true);
  const [active, setActive] = useState<number>();
  const now = useTimeline((state) => state.now);
  const pin = useTimeline((state) => state.pin);
  const seek = useTimeline((state) => state.seek);
  const seekNote = useTimeline((state) => state.seekNote);
  const current = rowAt(rows, now);
  const marked = active ?? current;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setView((old) => ({ ...old, height: element.clientHeight })));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const reveal = (position: number): void => {
    const element = box.current;
    if (!element) return;
    const top = position * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_HEIGHT - element.clientHeight;
  };

  useEffect(() => {
    const element = box.current;
    if (!follow || !element || current < 0) return;
    const top = current * ROW_HEIGHT;
    if (top < element.scrollTop || top + 2 * ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = Math.max(0, top - element.clientHeight / 2);
  }, [follow, current, rows]);

  const choose = (position: number): void => {
    const row = rows[position];
    if (!row) return;
    setActive(undefined);
    setFollow(true);
    if (row.kind === "note") {
      seekNote(row.id);
      pin({ kind: "note", id: row.id });
    } else {
      seek(row.at);
      pin({ kind: "hop", id: row.id });
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1);
    const to = { ArrowDown: marked + 1, ArrowUp: marked - 1, PageDown: marked + page, PageUp: marked - page, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") choose(marked);
    else if (to === undefined) return;
    else {
      const position = Math.min(rows.length - 1, Math.max(0, to));
      setFollow(false);
      setActive(position);
      reveal(position);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const from = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - OVERSCAN);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN);
  const drawn = rows.slice(from, to);
  const inView = marked >= from && marked < to;
  return (
    <div className={styles.listFrame}>
      <div
        ref={box}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be virtual
        role="listbox"
        aria-label="Steps and messages"
        {...(inView ? { "aria-activedescendant": `${base}-${marked}` } : {})}
        tabIndex={0}
        className={styles.list}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          const { scrollTop, clientHeight } = event.currentTarget;
          setView({ top: scrollTop, height: clientHeight });
        }}
        onWheel={() => setFollow(false)}
        onTouchMove={() => setFollow(false)}
        onPointerDown={(event) => {
          // The scrollbar is not a row.
          if (event.target === event.currentTarget) setFollow(false);
        }}
      >
        <div role="presentation" style={{ height: rows.length * ROW_HEIGHT, position: "relative" }}>
          {drawn.map((row, i) => (
            <Line key={`${row.kind}${row.id}`} index={index} row={row} id={`${base}-${from + i}`} position={from + i} total={rows.length} current={from + i === current} active={from + i === active} onChoose={() => choose(from + i)} />
          ))}
        </div>
      </div>
      {!follow && (
        <button
          type="button"
          className={`button ${styles.follow}`}
          onClick={() => {
            setActive(undefined);
            setFollow(true);
          }}
        >
          Follow
        </button>
      )}
    </div>
  );
}

/** Region "Events": every step, and every message if wanted; filters find, a click seeks there and pins. */
export function EventsPanel(): JSX.Element {
  const index = useTimeline((state) => state.index);
  const steps = useTimeline((state) => state.steps);
  const detail = useTimeline((state) => state.detail);
  const [query, setQuery] = useState("");
  const [messages, setMessages] = useState(false);
  const wanted = useDeferredValue(query);
  const rows = useMemo(() => (index ? rowsOf(index, steps, detail, messages, wanted.trim() === "" ? undefined : filterOf(wanted)) : []), [index, steps, detail, messages, wanted]);
  return (
    <section aria-label="Events" className={styles.panel}>
      <div className={styles.head}>
        <h2 className="panel-title">Events</h2>
        <input type="search" className={`field ${styles.filter}`} aria-label="Filter events" placeholder="text, component: verb: object: status:" value={query} onChange={(event) => setQuery(event.target.value)} />
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
