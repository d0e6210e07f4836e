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
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/languages/definitions/yaml/register";
// oxlint-disable-next-line import/default -- Vite makes it
import EditorWorker from "monaco-editor/editor/editor.worker.js?worker";

// All of Monaco comes from this site: without this the wrapper would ask a public CDN.
self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
loader.config({ monaco });

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Defines the editor's theme from the page's colours as they are now, and says its name. */
export function defineTheme(): string {
  const dark = document.documentElement.dataset["theme"] === "dark";
  monaco.editor.defineTheme("millipod", {
    base: dark ? "vs-dark" : "vs",
    inherit: true,
    rules: [
      { token: "type", foreground: token("--accent").replace("#", "") },
      { token: "string", foreground: token("--ok").replace("#", "") },
      { token: "number", foreground: token("--pending").replace("#", "") },
      { token: "keyword", foreground: token("--pending").replace("#", "") },
      { token: "comment", foreground: token("--ink-2").replace("#", "") },
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
      focusBorder: token("--accent"),
    },
  });
  return "millipod";
}

export { monaco };
