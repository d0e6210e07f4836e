import { useEffect } from "react";
import { create } from "zustand";
import { ACTIONS, type Action } from "./actions.ts";
import { matches, scopeOf } from "./key-binding.ts";

const LETTERS_KEY = "millipod.letters";

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

function found(event: KeyboardEvent): { readonly action: Action; readonly scope: ReturnType<typeof scopeOf> } | undefined {
  for (const action of ACTIONS) {
    const binding = action.keys.find((key) => matches(key, event));
    if (binding !== undefined) return { action, scope: scopeOf(binding) };
  }
  return undefined;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  const { action, scope } = found(event) ?? {};
  if (!action || !allowed(event, target, scope)) return;
  action.run();
  event.preventDefault();
}

function allowed(event: KeyboardEvent, target: Element, scope: ReturnType<typeof scopeOf> | undefined): boolean {
  const typing = target.closest("input, textarea, select, [contenteditable], [role=textbox], .monaco-editor") !== null;
  // An editor has keys of its own: it undoes its own text, and Ctrl K begins some of Monaco's.
  if (scope === "everywhere") return !(typing && (event.code === "KeyZ" || (event.code === "KeyK" && target.closest(".monaco-editor") !== null)));
  if (typing || target.closest("dialog, [role=dialog]")) return false;
  const zone = target.closest("[data-keys]");
  const nowhere = target === document.body || target === document.documentElement;
  if (!zone && !nowhere) return false;
  if (scope === "letter") return zone !== null && useKeySettings.getState().letters;
  return !(event.key === " " && target.closest("button, a, [role=button]"));
}
