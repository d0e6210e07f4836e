import { AXES } from "../../timeline/axis.ts";
import { playhead } from "../../timeline/playhead.ts";
import { useTimeline } from "../../timeline/store.ts";
import { centreOn, moveView } from "../timeline/view.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { copyLink } from "../widgets/copy-link.ts";
import { cyclePane, focusPane } from "./panes.ts";

/** Something that the page can do: by key, and from the list of all commands. */
export interface Action {
  readonly does: string;
  /** Any of them: "Ctrl S", "Shift ←", "K". */
  readonly keys: readonly string[];
  run(): void;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const state = useTimeline.getState;

function changeSpeed(by: number): void {
  const { speed, setSpeed } = state();
  setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + by))] ?? 1);
}

function compare(): void {
  const { parentIndex, comparing, setComparing, showToast } = state();
  if (parentIndex) setComparing(!comparing);
  else showToast("There is no other run to compare with: break or change something first");
}

function leave(): void {
  const { pinned, pin, pause } = state();
  if (pinned) pin(undefined);
  else pause();
}

/** The time of what is selected, or the playhead's. */
function selectedTime(): number {
  const { pinned, index } = state();
  if (index && pinned?.kind === "note") return index.trace.notes.at.get(pinned.id);
  if (index && pinned?.kind === "hop") return index.trace.mail.sentAt.get(pinned.id);
  return playhead.get();
}

/** All that the page can do at once, in the order of the help. */
export const ACTIONS: readonly Action[] = [
  { does: "Play or pause", keys: ["Space", "K"], run: () => state().toggle() },
  { does: "Next step", keys: ["→"], run: () => state().next() },
  { does: "Previous step", keys: ["←"], run: () => state().previous() },
  { does: "Next chapter", keys: ["Shift →", "]"], run: () => state().nextChapter() },
  { does: "Previous chapter", keys: ["Shift ←", "["], run: () => state().previousChapter() },
  { does: "First step", keys: ["Home"], run: () => state().first() },
  { does: "Last step", keys: ["End"], run: () => state().last() },
  { does: "Ten steps on", keys: ["PgDn"], run: () => state().seekStep(state().stepIndex + 10) },
  { does: "Ten steps back", keys: ["PgUp"], run: () => state().seekStep(state().stepIndex - 10) },
  { does: "Next message", keys: ["."], run: () => state().nextMessage(1) },
  { does: "Previous message", keys: [","], run: () => state().nextMessage(-1) },
  { does: "Faster", keys: [">"], run: () => changeSpeed(1) },
  { does: "Slower", keys: ["<"], run: () => changeSpeed(-1) },
  { does: "Axis: Story, True, Steps", keys: ["T"], run: () => state().setAxis(AXES[(AXES.indexOf(state().axis) + 1) % AXES.length] ?? "story") },
  { does: "Zoom the timeline in", keys: ["W", "+"], run: () => moveView("in") },
  { does: "Zoom the timeline out", keys: ["S", "−"], run: () => moveView("out") },
  { does: "Move the timeline left", keys: ["A"], run: () => moveView("left") },
  { does: "Move the timeline right", keys: ["D"], run: () => moveView("right") },
  { does: "Fit the timeline", keys: ["0"], run: () => moveView("all") },
  { does: "Centre the timeline on what is selected; again: closer", keys: ["F"], run: () => centreOn(selectedTime()) },
  { does: "Fit the stage", keys: ["Shift 1"], run: () => document.querySelector<HTMLElement>("[data-stage-fit]")?.click() },
  { does: "Bookmark this moment", keys: ["M"], run: () => state().toggleBookmark() },
  { does: "Bookmarks and loop", keys: ["Shift M"], run: () => openPanel("Bookmarks") },
  { does: "Loop this chapter, or end the loop", keys: ["L"], run: () => state().loopHere() },
  { does: "Breakpoints: stop when a condition holds", keys: ["B"], run: () => openPanel("Stop when") },
  { does: "Diagnose: find what is broken", keys: ["Shift X"], run: () => openPanel("Diagnose") },
  { does: "Both runs in each lane, or one", keys: ["C"], run: compare },
  { does: "To the inspector", keys: ["I"], run: () => void focusPane("Inspector") },
  { does: "To the story", keys: ["G"], run: () => void focusPane("Story") },
  { does: "To the editor", keys: ["E"], run: () => void focusPane("Manifest") },
  { does: "To the terminal", keys: ["`"], run: () => void focusPane("Terminal") },
  { does: "To Break it", keys: ["X"], run: () => void focusPane("Break it") },
  { does: "Search the events", keys: ["/"], run: () => void focusPane("Events") },
  { does: "Next pane", keys: ["F6"], run: () => cyclePane(1) },
  { does: "Previous pane", keys: ["Shift F6"], run: () => cyclePane(-1) },
  { does: "Apply the manifest", keys: ["Ctrl Enter"], run: () => void state().apply() },
  { does: "Copy a link", keys: ["Ctrl S"], run: () => void copyLink() },
  { does: "Undo the last apply, fault, command or removal of a run", keys: ["Ctrl Z"], run: () => void state().undo() },
  { does: "Export: take this run away as a file", keys: [], run: () => openPanel("Export") },
  { does: "Fork here", keys: [], run: () => void state().forkHere() },
  { does: "Present: large type, hop by hop, a window for the audience", keys: ["P"], run: () => state().setPresenting(true) },
  { does: "Text view", keys: [], run: () => state().setTextView(!state().textView) },
  { does: "Light theme", keys: [], run: () => state().setTheme("light") },
  { does: "Dark theme", keys: [], run: () => state().setTheme("dark") },
  { does: "Theme of the system", keys: [], run: () => state().setTheme("system") },
  { does: "Simulate one more minute", keys: [], run: () => void state().extend() },
  { does: "All commands", keys: ["Ctrl K"], run: () => openPanel("Commands") },
  { does: "Keyboard shortcuts", keys: ["?"], run: () => state().setHelpOpen(true) },
  { does: "Unpin, then pause", keys: ["Esc"], run: leave },
];

/** Keys that a panel handles itself: for the help only. */
export const PANEL_KEYS: readonly { readonly does: string; readonly keys: readonly string[] }[] = [
  { does: "Walk the stage; Enter opens", keys: ["↑", "↓"] },
  { does: "In the editor: complete, explain", keys: ["Ctrl Space", "Ctrl K I"] },
  { does: "In the terminal: complete, search, stop, clear", keys: ["Tab", "Ctrl R", "Ctrl C", "Ctrl L"] },
];
