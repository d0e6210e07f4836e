import { type JSX, memo } from "react";
import type { TraceIndex } from "../../trace/trace-index.ts";
import { clockTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { hueOf } from "../theme/components.ts";
import styles from "./events.module.css";
import { type Row, searchable } from "./rows.ts";

/** Height of a row in px, as the style sheet has it. */
export const ROW_HEIGHT = 46;

interface Props {
  readonly index: TraceIndex;
  readonly row: Row;
  readonly id: string;
  readonly position: number;
  readonly total: number;
  /** The row at the playhead. */
  readonly current: boolean;
  /** The row that the keyboard is on. */
  readonly active: boolean;
  readonly onChoose: (position: number) => void;
}

/** Seconds stand out, the microseconds behind them do not. */
function clockParts(at: number): readonly [string, string] {
  const text = clockTime(at);
  const dot = text.indexOf(".");
  return [text.slice(0, dot), text.slice(dot)];
}

/** One event in two lines: when and who, and what. */
export const Line = memo(function Line({ index, row, id, position, total, current, active, onChoose }: Props): JSX.Element {
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
      onClick={() => onChoose(position)}
      onKeyDown={undefined}
      onPointerEnter={() => setHover({ kind: row.kind, id: row.id })}
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
});
