import { useEffect } from "react";
import { create } from "zustand";
import { AXES } from "../../timeline/axis.ts";
import { useTimeline } from "../../timeline/store.ts";
import { moveView } from "../timeline/view.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { copyLink } from "./header.tsx";

export const KEYS: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["Space", "K"], does: "Play or pause" },
  { keys: ["←", "→"], does: "Previous or next step" },
  { keys: ["Shift ←", "Shift →"], does: "Previous or next chapter" },
  { keys: ["[", "]"], does: "Previous or next chapter" },
  { keys: ["Home", "End"], does: "First or last step" },
  { keys: ["PgUp", "PgDn"], does: "Ten steps" },
  { keys: ["W", "S", "A", "D"], does: "Zoom and pan the timeline" },
  { keys: ["+", "−", "0"], does: "Zoom the timeline in, out, fit all" },
  { keys: ["Shift 1"], does: "Fit the stage" },
  { keys: ["↑", "↓"], does: "Walk the stage; Enter opens" },
  { keys: ["<", ">"], does: "Slower, faster" },
  { keys: ["T"], does: "Axis: Story, True, Steps" },
  { keys: ["B"], does: "Breakpoints: stop when a condition holds" },
  { keys: ["C"], does: "Both runs in each lane, or one" },
  { keys: ["I", "G", "E", "`"], does: "To inspector, story, editor, terminal" },
  { keys: ["X", "/"], does: "To Break it, to the events" },
  { keys: ["Ctrl Enter"], does: "Apply the manifest" },
  { keys: ["Ctrl Space", "Ctrl K I"], does: "In the editor: complete, explain" },
  { keys: ["Tab", "Ctrl R", "Ctrl C", "Ctrl L"], does: "In the terminal: complete, search, stop, clear" },
  { keys: ["Ctrl S"], does: "Copy a link" },
  { keys: ["Ctrl Z"], does: "Undo the last apply, fault, command or removal of a run" },
  { keys: ["F6"], does: "Next pane" },
  { keys: ["?"], does: "These keys" },
  { keys: ["Esc"], does: "Unpin, then pause" },
];

const LETTERS_KEY = "millipod.letters";
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const PANES = ["Stage", "Timeline", "Story", "Inspector", "Events", "Manifest", "Break it", "Terminal"];

interface KeySettings {
  readonly letters: boolean;
  setLetters(letters: boolean): void;
}

/** Single-letter keys can be turned off: voice control and stray presses fire them (WCAG 2.1.4). */
export const useKeySettings = create<KeySettings>()((set) => ({
  letters: typeof localStorage === "undefined" || localStorage.getItem(LETTERS_KEY) !== "off",
  setLetters(letters) {
    localStorage.setItem(LETTERS_KEY, letters ? "on" : "off");
    set({ letters });
  },
}));

/** The page's keyboard map. Panels handle their own keys first. */
export function useKeyboard(): void {
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (global(event)) {
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(target) || target.closest("dialog, [role=dialog]")) return;
  const zone = target.closest("[data-keys]");
  const nowhere = target === document.body || target === document.documentElement;
  if (!zone && !nowhere) return;
  const button = target.closest("button, a, [role=button]") !== null;
  if (move(event, button) || (zone && useKeySettings.getState().letters && letter(event))) event.preventDefault();
}

function typing(target: Element): boolean {
  return target.closest("input, textarea, select, [contenteditable], [role=textbox], .monaco-editor") !== null;
}

/** Keys with Ctrl or Cmd, and those that work everywhere. */
function global(event: KeyboardEvent): boolean {
  const state = useTimeline.getState();
  const command = event.ctrlKey || event.metaKey;
  if (command && event.code === "KeyS") void copyLink();
  else if (command && !event.shiftKey && event.code === "KeyZ" && !typing(event.target instanceof Element ? event.target : document.body)) void state.undo();
  else if (command && event.key === "Enter") void state.apply();
  else if (event.key === "F6") cyclePane(event.shiftKey ? -1 : 1);
  else return false;
  return true;
}

function move(event: KeyboardEvent, button: boolean): boolean {
  const { toggle, next, previous, nextChapter, previousChapter, first, last, seekStep, stepIndex, pinned, pin, pause } = useTimeline.getState();
  switch (event.key) {
    case " ":
      if (button) return false;
      toggle();
      return true;
    case "ArrowRight":
      (event.shiftKey ? nextChapter : next)();
      return true;
    case "ArrowLeft":
      (event.shiftKey ? previousChapter : previous)();
      return true;
    case "Home":
      first();
      return true;
    case "End":
      last();
      return true;
    case "PageDown":
      seekStep(stepIndex + 10);
      return true;
    case "PageUp":
      seekStep(stepIndex - 10);
      return true;
    case "Escape":
      if (pinned) pin(undefined);
      else pause();
      return true;
    default:
      return false;
  }
}

function letter(event: KeyboardEvent): boolean {
  const { toggle, nextChapter, previousChapter, setAxis, axis, setHelpOpen, speed, setSpeed } = useTimeline.getState();
  if (event.key === "?") setHelpOpen(true);
  else if (event.key === "<" || event.key === ">") setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + (event.key === ">" ? 1 : -1)))] ?? 1);
  else if (event.key === "+" || event.key === "=") moveView("in");
  else if (event.key === "-") moveView("out");
  else if (event.key === "0") moveView("all");
  else if (event.key === "]") nextChapter();
  else if (event.key === "[") previousChapter();
  else if (event.key === "/") focusPane("Events");
  else if (event.shiftKey && event.code === "Digit1") document.querySelector<HTMLElement>("[data-stage-fit]")?.click();
  else if (event.shiftKey) return false;
  else {
    switch (event.code) {
      case "KeyK": toggle(); break;
      case "KeyW": moveView("in"); break;
      case "KeyS": moveView("out"); break;
      case "KeyA": moveView("left"); break;
      case "KeyD": moveView("right"); break;
      case "KeyT": setAxis(AXES[(AXES.indexOf(axis) + 1) % AXES.length] ?? "story"); break;
      case "KeyB": openPanel("Stop when"); break;
      case "KeyC": compare(); break;
      case "KeyI": focusPane("Inspector"); break;
      case "KeyG": focusPane("Story"); break;
      case "KeyE": focusPane("Manifest"); break;
      case "KeyX": focusPane("Break it"); break;
      case "Backquote": focusPane("Terminal"); break;
      default: return false;
    }
  }
  return true;
}

function compare(): void {
  const { parentIndex, comparing, setComparing, showToast } = useTimeline.getState();
  if (parentIndex) setComparing(!comparing);
  else showToast("There is no other run to compare with: break or change something first");
}

const FIRST_STOP = "input, textarea, [role=textbox], [tabindex='0'], button, select, a[href]";

function focusPane(name: string): boolean {
  const pane = document.querySelector<HTMLElement>(`section[aria-label="${name}"], [data-pane="${name}"]`);
  if (!pane || pane.offsetParent === null) return false;
  const inside = [...pane.querySelectorAll<HTMLElement | SVGElement>(FIRST_STOP)].find((element) => !element.hasAttribute("disabled") && element.getAttribute("tabindex") !== "-1");
  (inside ?? pane).focus();
  return true;
}

function cyclePane(by: number): void {
  const active = document.activeElement;
  const at = PANES.findIndex((name) => active?.closest(`section[aria-label="${name}"], [data-pane="${name}"]`));
  for (let i = 1; i <= PANES.length; i++) {
    const name = PANES[(at + by * i + PANES.length * 2) % PANES.length];
    if (name !== undefined && focusPane(name)) return;
  }
}
