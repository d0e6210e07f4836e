import type { Frame } from "./state.ts";

/** The frames left after `exit` ends the innermost subshell; undefined if there is none and the shell itself ends. */
export function outOfSubshell(frames: readonly Frame[]): readonly Frame[] | undefined {
  let at = frames.length - 1;
  while (at >= 0 && frames[at]?.k !== "subshell") at--;
  return at < 0 ? undefined : frames.slice(0, at + 1);
}

/** The frames after `continue` (at the innermost loop) or `break` (out of it). */
export function toInnermostLoop(frames: readonly Frame[], leave: boolean): readonly Frame[] {
  let depth = frames.length;
  while (depth > 0 && frames[depth - 1]?.k !== "while" && frames[depth - 1]?.k !== "for") depth--;
  return frames.slice(0, leave ? Math.max(0, depth - 1) : depth);
}
