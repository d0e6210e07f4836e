import { WAIT_TEXTS } from "../../content/waits.ts";
import type { WaitView } from "../../worker/protocol.ts";

/** What is left of a wait, for a countdown: tenths below ten seconds, then seconds, then minutes. */
export function leftText(micros: number): string {
  const seconds = Math.max(0, micros) / 1e6;
  if (seconds < 10) return `${(Math.ceil(seconds * 10) / 10).toFixed(1)} s`;
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/** "20 s", "500 ms": a rung. */
export function rungText(micros: number): string {
  if (micros < 1e6) return `${micros / 1000} ms`;
  const seconds = micros / 1e6;
  return seconds < 120 || seconds % 60 !== 0 ? `${Math.round(seconds * 10) / 10} s` : `${seconds / 60} min`;
}

/** "rung 2 of 6"; "" off the ladder. */
export const rungOfText = ({ rung, ladder }: WaitView): string => (rung === undefined ? "" : `rung ${rung + 1} of ${ladder.length}`);

/** The wait as part of a name, at a time: "back-off 20 s, 18 s left, rung 2 of 6". */
export function saidText(wait: WaitView, t: number): string {
  const { short } = WAIT_TEXTS[wait.kind];
  if (wait.until === undefined) return `${short}, no end set`;
  // Whole seconds: a name that changes ten times a second helps nobody.
  const left = leftText(Math.ceil(Math.max(0, wait.until - t) / 1e6) * 1e6).replace(".0 s", " s");
  if (wait.rung !== undefined) return `${headText(wait)}, ${left} left, ${rungOfText(wait)}`;
  return wait.kind === "grace" ? `${short}, ${left} left` : `${short} in ${left}`;
}

/** "back-off 2 s": what it is, without its time. */
export const headText = ({ kind, rung, ladder }: WaitView): string => `${WAIT_TEXTS[kind].short}${rung === undefined ? "" : ` ${rungText(ladder[rung] ?? 0)}`}`;

/** A countdown's texts from the longest to the shortest. */
export function countdownForms(wait: WaitView, left: string): readonly string[] {
  const { short } = WAIT_TEXTS[wait.kind];
  const { rung, ladder } = wait;
  if (rung === undefined) {
    const whole = wait.kind === "grace" ? `${short}, ${left} left` : `${short} in ${left}`;
    return [whole, left];
  }
  const whole = rungText(ladder[rung] ?? 0);
  const of = whole.endsWith(" s") ? `${left.replace(/ s$/, "")} of ${whole}` : `${left} of ${whole}`;
  const place = `rung ${rung + 1} of ${ladder.length}`;
  return [`${short} ${whole} · ${left} left · ${place}`, `${of} left · ${place}`, `${left} left · ${place}`, `${left} left · ${rung + 1}/${ladder.length}`, left];
}
