import { type JSX, useEffect, useState } from "react";
import { client } from "../../timeline/client.ts";
import type { FieldHelp, Suggestion, Suggestions } from "../../worker/protocol.ts";
import styles from "./editor.module.css";

const DEBOUNCE_MS = 200;
const MOST = 12;

interface Found {
  readonly text: string;
  readonly help: FieldHelp | undefined;
  readonly suggestions: Suggestions;
}

/** What the worker says about the caret's place, asked once the caret rests. */
function useFound(text: string, offset: number): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      Promise.all([client.fieldHelp(text, offset), client.suggest(text, offset)]).then(
        ([help, suggestions]) => {
          if (current) setFound({ text, help, suggestions });
        },
        // A dead worker is told by the shell.
        () => undefined,
      );
    }, DEBOUNCE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, offset]);
  return found?.text === text ? found : undefined;
}

/** The suggestions that begin with the word before the caret, then those that have it inside. */
function fitting({ from, items }: Suggestions, text: string, offset: number): readonly Suggestion[] {
  const word = text.slice(from, offset).toLowerCase();
  const rank = ({ label }: Suggestion): number => label.toLowerCase().indexOf(word);
  return [...items.filter((item) => rank(item) === 0), ...items.filter((item) => rank(item) > 0)].filter((item) => item.insert !== text.slice(from, offset)).slice(0, MOST);
}

interface Props {
  readonly text: string;
  readonly offset: number;
  /** The new text, and where its caret belongs. */
  readonly onTake: (text: string, offset: number) => void;
}

/** Completion and field help beside the plain editor: what the rich one shows in its own lists. */
export function CaretHelp({ text, offset, onTake }: Props): JSX.Element | null {
  const found = useFound(text, offset);
  if (!found) return null;
  const { help, suggestions } = found;
  const items = fitting(suggestions, text, offset);
  if (!help && items.length === 0) return null;

  const take = ({ insert, also }: Suggestion): void => {
    const { from, to } = suggestions;
    const edits = [{ from, to, insert }, ...(also ? [also] : [])].sort((a, b) => b.from - a.from);
    const next = edits.reduce((done, edit) => done.slice(0, edit.from) + edit.insert + done.slice(edit.to), text);
    onTake(next, from + insert.length + (also && also.from <= from ? also.insert.length - (also.to - also.from) : 0));
  };

  return (
    <div className={styles.caretHelp}>
      {help && (
        <p>
          <strong>{help.path}</strong> <code>{help.type}</code>
          {help.required && ", required"}
          {help.default !== undefined && `, default ${help.default}`}
          {help.values.length > 0 && `, one of ${help.values.join(", ")}`}
          {help.about.length > 0 && `. ${help.about.join(" ")}`}
        </p>
      )}
      {items.length > 0 && (
        <ul aria-label="Suggestions">
          {items.map((item) => (
            <li key={`${item.label}/${item.detail}`}>
              <button type="button" title={item.info} onClick={() => take(item)}>
                {item.label} <span>{item.detail}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
