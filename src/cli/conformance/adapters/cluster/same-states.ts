import { MACHINE, POLL, sameWait, type Waits } from "./waits.ts";

/** What something was from a moment on, in milliseconds. */
export interface Phase {
  readonly at: number;
  readonly text: string;
}

/** Changes only: a state that follows on the same state says nothing. */
export function changes(states: readonly Phase[]): readonly Phase[] {
  return states.filter(({ text }, i) => text !== states[i - 1]?.text);
}

const lasted = (states: readonly Phase[], i: number, until: number): number => (states[i + 1]?.at ?? until) - (states[i]?.at ?? 0);

/**
 * The difference between two sequences of states, if any. `brief`: a state that lasted no longer may be missing from
 * the other side, as two writes that follow on each other are sometimes one, and a look can come too late.
 */
export function differentStates(what: string, recorded: readonly Phase[], happened: readonly Phase[], options: { readonly brief: number; readonly until: number; readonly actions: readonly number[]; readonly waits: Waits }): string | undefined {
  const { brief, until, actions, waits } = options;
  const [want, got] = [changes(recorded), changes(happened)];
  let i = 0;
  let before: readonly [Phase, Phase] | undefined;
  for (const [w, state] of want.entries()) {
    // Back where it was after something brief that did not happen here.
    if (before !== undefined && before[0].text === state.text && before[1] === got[i - 1] && got[i]?.text !== state.text && w > 0) continue;
    const at = got.findIndex((other, g) => g >= i && other.text === state.text);
    const skipped = at < 0 ? [] : got.slice(i, at).map((_, g) => i + g);
    const long = skipped.find((g) => lasted(got, g, until) > brief);
    if (at < 0 || long !== undefined) {
      if (lasted(want, w, until) <= brief) continue;
      const instead = at < 0 ? got.slice(i).map(({ text }) => text).join(" | ") || "nothing" : (got[long ?? 0]?.text ?? "");
      return `${what}: expected ${state.text}, got ${instead}`;
    }
    const mine = got[at];
    if (!mine) continue;
    const done = actions.findLast((action) => action <= state.at + POLL) ?? 0;
    const [from, mineFrom] = before !== undefined && before[0].at > done ? [before[0].at, before[1].at] : [done, done];
    if (!sameWait("", Math.max(0, state.at - from), Math.max(0, mine.at - mineFrom), waits)) return `${what}: ${state.text} came after ${((state.at - from) / 1_000).toFixed(1)} s in the recording, here after ${((mine.at - mineFrom) / 1_000).toFixed(1)} s`;
    before = [state, mine];
    i = at + 1;
  }
  // What comes after the last recorded state must be past the window, or past where its jitter may put it.
  const left = got.slice(i).find((other, g) => other.text !== before?.[0].text && other.at + MACHINE < until && lasted(got, i + g, until) > brief);
  const last = want.at(-1);
  return left === undefined || (before !== undefined && last !== undefined && left.at - before[1].at >= (until - last.at) / 1.5 - MACHINE) ? undefined : `${what}: expected nothing more, got ${left.text}`;
}
