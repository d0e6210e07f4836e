import { type PointerEvent, useRef } from "react";
import { useTimeline } from "../../timeline/store.ts";

type Handler = (event: PointerEvent) => void;
type Handlers = Readonly<Record<"onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel", Handler>>;

interface Drag {
  readonly resume: boolean;
  readonly x: number;
  readonly t: number;
  /** Shift was held: the drag marks the loop and leaves the playhead where it is. */
  readonly range: boolean;
  moved: boolean;
}

/** Pointer down pauses and moves the playhead; release resumes if it was playing. With Shift it marks the loop. */
export function useScrub(at: (event: PointerEvent) => number, onTap?: Handler): Handlers {
  const drag = useRef<Drag | undefined>(undefined);
  const end = (event: PointerEvent): void => {
    const held = drag.current;
    drag.current = undefined;
    if (!held || held.range) return;
    const { setDragging, play } = useTimeline.getState();
    setDragging(false);
    if (!held.moved) onTap?.(event);
    if (held.resume) play();
  };
  return {
    onPointerDown(event) {
      if (event.button !== 0 || (event.target as Element).closest("[data-no-scrub]")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { playing, setDragging, seek } = useTimeline.getState();
      drag.current = { resume: playing, x: event.clientX, t: at(event), range: event.shiftKey, moved: false };
      if (event.shiftKey) return;
      setDragging(true);
      seek(at(event));
    },
    onPointerMove(event) {
      const held = drag.current;
      if (!held) return;
      if (Math.abs(event.clientX - held.x) > 3) held.moved = true;
      if (!held.moved) return;
      const { seek, setLoop } = useTimeline.getState();
      const t = Math.max(0, Math.round(at(event)));
      const from = Math.round(Math.min(held.t, t));
      const to = Math.round(Math.max(held.t, t));
      if (!held.range) seek(t);
      else if (to > from) setLoop({ from, to });
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
