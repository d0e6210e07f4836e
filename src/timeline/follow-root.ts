import { addPainter } from "./frames.ts";
import { playhead } from "./playhead.ts";
import { useTimeline } from "./store.ts";
import type { Theme } from "./types.ts";

/** Keeps the root element telling what the page is: its state, its time and its theme. Tests and styles read it. */
export function followRoot(): void {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = (wanted: Theme): void => {
    root.dataset["theme"] = wanted === "system" ? (dark.matches ? "dark" : "light") : wanted;
  };
  const show = (): void => {
    const { status, theme: wanted, reducedMotion } = useTimeline.getState();
    root.dataset["millipodState"] = status;
    root.dataset["motion"] = reducedMotion ? "reduce" : "full";
    theme(wanted);
  };
  show();
  useTimeline.subscribe(show);
  dark.addEventListener("change", show);
  root.dataset["time"] = String(playhead.get());
  playhead.subscribe((t) => {
    root.dataset["time"] = String(t);
  });
  addPainter(() => false);
}
