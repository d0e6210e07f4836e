import { type JSX, type KeyboardEvent, useEffect, useRef } from "react";
import type { Caret, EditorProps } from "./editor-props.ts";
import styles from "./editor.module.css";
import { offsetOf } from "./lines.ts";

interface Props extends EditorProps {
  /** The reader has begun to edit: time to fetch the rich editor. */
  readonly onOpen: () => void;
  readonly onCaret: (change: Partial<Caret>) => void;
}

/** A text area with line numbers: at once there, and all there is on phones. */
export function PlainEditor({ text, report, go, onChange, onApply, onOpen, onCaret }: Props): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const bad = new Set(report.problems.map((problem) => problem.line));
  const noted = new Set(report.notSimulated.map((field) => field.line));
  const lines = text.split("\n").length;

  useEffect(() => {
    const element = area.current;
    if (!go || !element) return;
    const offset = offsetOf(element.value, go.line, go.column);
    element.focus();
    element.setSelectionRange(offset, offset);
    element.scrollTop = Math.max(0, (go.line - 4) * LINE_HEIGHT);
  }, [go]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onApply();
  };

  return (
    <div className={styles.plain}>
      <div className={styles.gutter} ref={gutter} aria-hidden="true">
        {Array.from({ length: lines }, (_, i) => (
          <div key={i} data-bad={bad.has(i + 1) || undefined} data-noted={noted.has(i + 1) || undefined}>
            {i + 1}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="Manifest"
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        onChange={(event) => {
          onCaret({ offset: event.target.selectionStart });
          onChange(event.target.value);
        }}
        onFocus={() => {
          onCaret({ focus: true });
          onOpen();
        }}
        onBlur={() => onCaret({ focus: false })}
        onSelect={(event) => onCaret({ offset: event.currentTarget.selectionStart })}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

const LINE_HEIGHT = 20;
