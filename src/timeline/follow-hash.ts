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
    if (state.run !== before.run || state.axis !== before.axis || state.detail !== before.detail || state.textView !== before.textView || state.playing !== before.playing) later();
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
    const [link, current] = await Promise.all([readHash(hash), currentHash()]);
    const view = (text: string): string => text.replace(/([?&])(t|ax|d|view)=[^&]*/g, "");
    if (link && view(current) === view(hash)) {
      const state = useTimeline.getState();
      if (link.axis && link.axis !== state.axis) state.setAxis(link.axis);
      if (link.detail && link.detail !== state.detail) state.setDetail(link.detail);
      if (link.t !== undefined) state.seek(link.t);
    } else await loadFirstRun(hash);
    opening = "";
  };
}
