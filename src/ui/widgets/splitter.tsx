import { type JSX, type KeyboardEvent, type PointerEvent, useRef } from "react";
import styles from "./splitter.module.css";

interface Props {
  readonly label: string;
  readonly orientation: "vertical" | "horizontal";
  /** Size of the pane before (or, with `reverse`, after) the splitter, in px. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly reverse?: boolean;
  readonly onResize: (size: number) => void;
  /** Enter collapses and restores. */
  readonly onToggle: () => void;
}

const STEP = 16;

/** A window splitter (APG): drag, or arrows; Enter collapses. */
export function Splitter({ label, orientation, size, min, max, reverse = false, onResize, onToggle }: Props): JSX.Element {
  const drag = useRef<{ at: number; size: number } | undefined>(undefined);
  const clamp = (value: number): number => Math.round(Math.min(max, Math.max(min, value)));
  const along = (event: PointerEvent): number => (orientation === "vertical" ? event.clientX : event.clientY);
  const onKeyDown = (event: KeyboardEvent): void => {
    const forward = orientation === "vertical" ? "ArrowRight" : "ArrowDown";
    const back = orientation === "vertical" ? "ArrowLeft" : "ArrowUp";
    const sign = reverse ? -1 : 1;
    if (event.key === forward) onResize(clamp(size + sign * STEP));
    else if (event.key === back) onResize(clamp(size - sign * STEP));
    else if (event.key === "Home") onResize(min);
    else if (event.key === "End") onResize(max);
    else if (event.key === "Enter") onToggle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a splitter that is operated is no thematic break
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      data-splitter=""
      className={orientation === "vertical" ? styles["vertical"] : styles["horizontal"]}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { at: along(event), size };
      }}
      onPointerMove={(event) => {
        if (drag.current) onResize(clamp(drag.current.size + (along(event) - drag.current.at) * (reverse ? -1 : 1)));
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onDoubleClick={onToggle}
    />
  );
}
