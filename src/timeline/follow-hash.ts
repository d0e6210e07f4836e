import { readHash } from "./permalink.ts";
import { playhead } from "./playhead.ts";
import { currentHash, loadFirstRun, useTimeline } from "./store.ts";

const DEBOUNCE_MS = 300;

/** Keeps the address in step with what is shown: a new run is a new entry of the history, the rest replaces it. */
export function followHash(): void {
  let written = window.location.hash;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownRun = useTimeline.getState().run?.id;
  const write = async (): Promise<void> => {
    const { run, playing } = useTimeline.getState();
    if (!run || playing) return;
    const hash = await currentHash();
    if (hash === written) return;
    const push = run.id !== shownRun;
    shownRun = run.id;
    written = hash;
    window.history[push ? "pushState" : "replaceState"](null, "", hash);
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void write(), DEBOUNCE_MS);
  };
  playhead.subscribe(later);
  useTimeline.subscribe((state, before) => {
    if (state.run !== before.run || state.axis !== before.axis || state.detail !== before.detail || state.textView !== before.textView || state.stops !== before.stops || state.bookmarks !== before.bookmarks || state.loop !== before.loop || state.playing !== before.playing) later();
  });
  window.addEventListener("hashchange", () => {
    if (window.location.hash !== written) void open();
  });
  window.addEventListener("popstate", () => {
    if (window.location.hash !== written) void open();
  });
  let opening = "";
  const open = async (): Promise<void> => {
    const hash = window.location.hash;
    if (opening === hash) return;
    opening = hash;
    written = hash;
    const link = await readHash(hash);
    const held = await runOf(hash);
    if (link && held !== undefined) {
      const state = useTimeline.getState();
      if (held !== state.run?.id) state.switchRun(held);
      if (link.axis && link.axis !== state.axis) state.setAxis(link.axis);
      if (link.detail && link.detail !== state.detail) state.setDetail(link.detail);
      state.setTextView(link.text ?? false);
      state.seek(link.t ?? 0);
      shownRun = held;
    } else await loadFirstRun(hash);
    opening = "";
  };
}

/** The part of a hash that says which run it is, without how it is looked at. */
export const recipePart = (hash: string): string => hash.replaceAll(/([?&])(t|ax|d|view|bp|b|lp)=[^&]*/g, "$1").replaceAll(/[?&]+/g, "&");

/** A run that is held already and that the hash means: going back must not simulate it again. */
async function runOf(hash: string): Promise<string | undefined> {
  for (const run of useTimeline.getState().runs.toReversed()) if (recipePart(await currentHash(run)) === recipePart(hash)) return run.id;
  return undefined;
}
