import { loader } from "@monaco-editor/react";
import * as monaco from "monaco-editor/editor";
import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeEditor/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/contextmenu/register";
import "monaco-editor/features/cursorUndo/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/gotoError/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/indentation/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/snippet/register";
// features/suggest/register holds only the inline kind: the list itself is this one.
import "monaco-editor/editor/contrib/suggest/browser/suggestController.js";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/languages/definitions/yaml/register";
// oxlint-disable-next-line import/default -- Vite makes it
import EditorWorker from "monaco-editor/editor/editor.worker.js?worker";

// All of Monaco comes from this site: without this the wrapper would ask a public CDN.
self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
loader.config({ monaco });

/** A colour token as Monaco wants it: six digits, though the style sheet may have been shortened to three. */
function token(name: string): string {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return /^#[0-9a-f]{3}$/i.test(colour) ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
}

const bare = (name: string): string => token(name).slice(1);

/** Defines the editor's theme from the page's colours as they are now, and says its name. */
export function defineTheme(): string {
  const dark = document.documentElement.dataset["theme"] === "dark";
  monaco.editor.defineTheme("millipod", {
    base: dark ? "vs-dark" : "vs",
    inherit: true,
    rules: [
      { token: "type", foreground: bare("--accent") },
      { token: "string", foreground: bare("--ok") },
      { token: "number", foreground: bare("--pending") },
      { token: "keyword", foreground: bare("--pending") },
      { token: "comment", foreground: bare("--ink-2") },
    ],
    colors: {
      "editor.background": token("--surface"),
      "editor.foreground": token("--ink"),
      "editorLineNumber.foreground": token("--ink-2"),
      "editorLineNumber.dimmedForeground": token("--ink-2"),
      "editorLineNumber.activeForeground": token("--ink"),
      "editor.lineHighlightBackground": token("--raised"),
      "editor.selectionBackground": token("--selection"),
      "editorError.foreground": token("--fail"),
      "editorInfo.foreground": token("--accent"),
      "editorSuggestWidget.background": token("--surface"),
      "editorSuggestWidget.foreground": token("--ink"),
      "editorSuggestWidget.border": token("--control"),
      "editorSuggestWidget.selectedBackground": token("--selection"),
      "editorSuggestWidget.selectedForeground": token("--ink"),
      "editorSuggestWidget.highlightForeground": token("--accent"),
      "editorSuggestWidget.focusHighlightForeground": token("--accent"),
      "list.focusHighlightForeground": token("--accent"),
      "editorHoverWidget.background": token("--surface"),
      "editorHoverWidget.foreground": token("--ink"),
      "editorHoverWidget.border": token("--control"),
      "textLink.foreground": token("--accent"),
      "textCodeBlock.background": token("--raised"),
      "textPreformat.background": token("--raised"),
      "textPreformat.foreground": token("--ink"),
      descriptionForeground: token("--ink-2"),
      focusBorder: token("--accent"),
    },
  });
  return "millipod";
}

export { monaco };
