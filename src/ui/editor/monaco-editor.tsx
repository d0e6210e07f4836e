import Editor from "@monaco-editor/react";
import { type JSX, type RefObject, useEffect, useRef, useState } from "react";
import type { ManifestReport } from "../../worker/protocol.ts";
import type { Caret, EditorProps } from "./editor-props.ts";
import styles from "./editor.module.css";
import { registerLanguage } from "./language.ts";
import { defineTheme, monaco } from "./monaco-setup.ts";

type CodeEditor = monaco.editor.IStandaloneCodeEditor;

const OPTIONS: monaco.editor.IStandaloneEditorConstructionOptions = {
  ariaLabel: "Manifest",
  // A text area that holds the real text: screen readers and tests read it, and the caret follows.
  editContext: false,
  accessibilitySupport: "on",
  accessibilityPageSize: 2_000,
  minimap: { enabled: false },
  automaticLayout: true,
  scrollBeyondLastLine: false,
  fontSize: 13,
  lineHeight: 20,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 12,
  tabSize: 2,
  insertSpaces: true,
  renderLineHighlight: "line",
  overviewRulerLanes: 0,
  folding: true,
  wordBasedSuggestions: "off",
  quickSuggestions: { other: true, strings: true, comments: false },
  quickSuggestionsDelay: 120,
  acceptSuggestionOnEnter: "smart",
  suggest: { showWords: false, showInlineDetails: true, preview: false },
  fixedOverflowWidgets: true,
  scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  padding: { top: 6, bottom: 6 },
};

function markersOf(model: monaco.editor.ITextModel, report: ManifestReport): monaco.editor.IMarkerData[] {
  const inModel = (line: number): number => Math.min(Math.max(1, line), model.getLineCount());
  return [
    ...report.problems.map((problem) => {
      const line = inModel(problem.line);
      const word = model.getWordAtPosition({ lineNumber: line, column: Math.max(1, problem.column) });
      return { severity: monaco.MarkerSeverity.Error, message: problem.message, startLineNumber: line, endLineNumber: line, startColumn: word?.startColumn ?? model.getLineFirstNonWhitespaceColumn(line), endColumn: word?.endColumn ?? model.getLineMaxColumn(line) };
    }),
    ...report.notSimulated
      .filter((field) => field.line > 0)
      .map((field) => {
        const line = inModel(field.line);
        return { severity: monaco.MarkerSeverity.Info, message: `Not simulated: ${field.text}`, startLineNumber: line, endLineNumber: line, startColumn: model.getLineFirstNonWhitespaceColumn(line), endColumn: model.getLineMaxColumn(line) };
      }),
  ];
}

/**
 * Several lines that arrive at once (dictation, automation, an input method) are put in as they are: Monaco would take
 * them for typing and indent each line once more.
 */
function takeLinesAsTheyAre(editor: CodeEditor): void {
  editor.getDomNode()?.addEventListener(
    "beforeinput",
    (event) => {
      const area = event.target;
      const model = editor.getModel();
      if (!(area instanceof HTMLTextAreaElement) || !model || event.data?.includes("\n") !== true) return;
      event.preventDefault();
      event.stopPropagation();
      const all = area.selectionStart === 0 && area.selectionEnd === area.value.length;
      const range = all ? model.getFullModelRange() : editor.getSelection();
      if (range) editor.executeEdits("input", [{ range, text: event.data, forceMoveMarkers: true }]);
    },
    { capture: true },
  );
}

/** The theme's name, defined anew whenever the page's theme changes. */
function useTheme(): string {
  const [theme] = useState(defineTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => monaco.editor.setTheme(defineTheme()));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

interface Props extends EditorProps {
  /** The plain editor is gone: this one may take the focus. */
  readonly shown: boolean;
  /** Caret and focus of the plain editor, to take over. */
  readonly caret: RefObject<Caret>;
  readonly onReady: () => void;
}

/** Monaco with YAML colours and our own marks; reached only by a dynamic import, never on phones. */
export function MonacoEditor({ text, report, go, caret, shown, onReady, onChange, onApply }: Props): JSX.Element {
  const [editor, setEditor] = useState<CodeEditor>();
  const theme = useTheme();
  const apply = useRef(onApply);
  useEffect(() => {
    apply.current = onApply;
  });

  useEffect(() => {
    const model = editor?.getModel();
    if (model) monaco.editor.setModelMarkers(model, "kubectl", markersOf(model, report));
  }, [editor, report]);

  useEffect(() => {
    if (!editor || !shown) return;
    const model = editor.getModel();
    if (model) editor.setPosition(model.getPositionAt(caret.current.offset));
    if (caret.current.focus) editor.focus();
  }, [editor, shown, caret]);

  useEffect(() => {
    if (!editor || !go) return;
    editor.setPosition({ lineNumber: go.line, column: go.column });
    editor.revealLineInCenterIfOutsideViewport(go.line);
    editor.focus();
  }, [editor, go]);

  const onMount = (mounted: CodeEditor): void => {
    mounted.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => apply.current());
    // Esc hands Tab back to the page until the editor is entered again.
    mounted.addCommand(monaco.KeyCode.Escape, () => mounted.updateOptions({ tabFocusMode: true }), "!findWidgetVisible && !markersNavigationVisible && !editorHasMultipleSelections && !suggestWidgetVisible && !editorHoverVisible");
    mounted.onDidBlurEditorText(() => mounted.updateOptions({ tabFocusMode: false }));
    registerLanguage();
    takeLinesAsTheyAre(mounted);
    setEditor(mounted);
    onReady();
  };

  return (
    <div className={styles.monaco}>
      <Editor value={text} defaultLanguage="yaml" theme={theme} options={OPTIONS} loading="" onMount={(mounted) => onMount(mounted as unknown as CodeEditor)} onChange={(value: string | undefined) => onChange(value ?? "")} />
    </div>
  );
}
