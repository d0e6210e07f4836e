import { playhead } from "./playhead.ts";

/** Draws what moves at a simulated time `t`. `wall` is the frame's time in ms. Returns true if it wants the next frame too. */
export type Painter = (t: number, wall: number) => boolean | void;

const painters = new Set<Painter>();
let ticker: ((wall: number) => boolean) | undefined;
let pending = 0;

/** The one loop: runs only while something plays, moves or fades; paused and settled means no frames at all. */
function frame(wall: number): void {
  pending = 0;
  let again = ticker?.(wall) ?? false;
  const t = playhead.get();
  for (const painter of painters) if (painter(t, wall) === true) again = true;
  if (again) requestFrame();
}

export function requestFrame(): void {
  if (pending === 0 && typeof requestAnimationFrame === "function") pending = requestAnimationFrame(frame);
}

/** Adds a painter to the loop and draws it once. */
export function addPainter(painter: Painter): () => void {
  painters.add(painter);
  requestFrame();
  return () => painters.delete(painter);
}

/** The playback: called first in every frame, returns true while it is under way. */
export function setTicker(next: (wall: number) => boolean): void {
  ticker = next;
}

playhead.subscribe(() => requestFrame());
