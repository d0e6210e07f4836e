import { type JSX, type KeyboardEvent, type RefObject, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { addPainter, requestFrame } from "../../timeline/frames.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { TraceIndex } from "../../trace/trace-index.ts";
import styles from "./events.module.css";
import { Line, ROW_HEIGHT } from "./line.tsx";
import { type Row, rowAt } from "./rows.ts";

const OVERSCAN = 6;

interface Props {
  readonly index: TraceIndex;
  readonly rows: readonly Row[];
}

interface View {
  readonly top: number;
  readonly height: number;
}

/** Where the list must be scrolled for a row to be seen, given where it is: nowhere else if it is seen already. */
export function topFor(position: number, count: number, { top, height }: View, centred: boolean): number {
  const last = Math.max(0, count * ROW_HEIGHT - height);
  const row = position * ROW_HEIGHT;
  // With room for hardly more than one row, the row itself goes to the top.
  if (height < 2.5 * ROW_HEIGHT) return Math.min(last, row);
  const room = centred ? ROW_HEIGHT : 0;
  if (row >= top && row + ROW_HEIGHT + room <= top + height) return Math.min(top, last);
  const wanted = centred ? row - height / 2 : row < top ? row : row + ROW_HEIGHT - height;
  return Math.min(last, Math.max(0, wanted));
}

/**
 * The list's scroll position. It is known, never asked for: rows have one height, and reading `scrollTop` would lay the
 * page out in the middle of a seek. It is put on the element in the frame loop, when the rows are there.
 */
function useScroll(box: RefObject<HTMLDivElement | null>): { readonly view: View; readonly scrollTo: (top: number) => void; readonly onScroll: () => void } {
  const [view, setView] = useState<View>({ top: 0, height: 400 });
  const wanted = useRef<number>(undefined);
  const given = useRef<number>(undefined);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = Math.round(entry?.contentRect.height ?? 0);
      if (height > 0) setView((old) => (old.height === height ? old : { ...old, height }));
    });
    observer.observe(element);
    const remove = addPainter(() => {
      if (wanted.current === undefined) return;
      element.scrollTop = wanted.current;
      given.current = wanted.current;
      wanted.current = undefined;
    });
    return () => {
      observer.disconnect();
      remove();
    };
  }, [box]);
  const scrollTo = useCallback((top: number) => {
    wanted.current = top;
    setView((old) => (old.top === top ? old : { ...old, top }));
    requestFrame();
  }, []);
  const onScroll = useCallback(() => {
    const top = box.current?.scrollTop ?? 0;
    const asked = given.current;
    given.current = undefined;
    // The echo of our own setting says nothing new.
    if (asked === undefined || Math.abs(asked - top) > 1) setView((old) => (old.top === top ? old : { ...old, top }));
  }, [box]);
  return { view, scrollTo, onScroll };
}

/** The rows near the scroll position only: a run has tens of thousands. */
export function VirtualList({ index, rows }: Props): JSX.Element {
  const base = useId();
  const box = useRef<HTMLDivElement>(null);
  const { view, scrollTo, onScroll } = useScroll(box);
  const [follow, setFollow] = useState(true);
  const [active, setActive] = useState<number>();
  const current = useTimeline((state) => rowAt(rows, state.now));
  const { pin, seek, seekNote } = useTimeline.getState();
  const marked = active ?? current;

  const followTo = useEffectEvent((position: number) => scrollTo(topFor(position, rows.length, view, true)));
  useEffect(() => {
    if (follow && current >= 0) followTo(current);
  }, [follow, current, rows, view.height]);

  const choose = useCallback(
    (position: number) => {
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
    },
    [rows, seek, seekNote, pin],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1);
    const to = { ArrowDown: marked + 1, ArrowUp: marked - 1, PageDown: marked + page, PageUp: marked - page, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") choose(marked);
    else if (to === undefined) return;
    else {
      const position = Math.min(rows.length - 1, Math.max(0, to));
      setFollow(false);
      setActive(position);
      scrollTo(topFor(position, rows.length, view, false));
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const from = Math.max(0, Math.min(rows.length - 1, Math.floor(view.top / ROW_HEIGHT)) - OVERSCAN);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN);
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
        onScroll={onScroll}
        onWheel={() => setFollow(false)}
        onTouchMove={() => setFollow(false)}
        onPointerDown={(event) => {
          // The scrollbar is not a row.
          if (event.target === event.currentTarget) setFollow(false);
        }}
      >
        <div role="presentation" style={{ height: rows.length * ROW_HEIGHT, position: "relative" }}>
          {rows.slice(from, to).map((row, i) => (
            <Line key={`${row.kind}${row.id}`} index={index} row={row} id={`${base}-${from + i}`} position={from + i} total={rows.length} current={from + i === current} active={from + i === active} onChoose={choose} />
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
