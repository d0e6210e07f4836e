import { type JSX, type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { client } from "../../timeline/client.ts";
import { captionTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import type { Completion } from "../../worker/protocol.ts";
import { commonStart, type Line, withOwn, withWord } from "./completion.ts";
import { commandsOf, openEnd, searchBack } from "./lines.ts";
import styles from "./terminal.module.css";

interface Props {
  readonly history: readonly string[];
  /** Runs commands, one after another. */
  readonly onRun: (commands: readonly string[]) => void;
  readonly onClear: () => void;
  /** Control-C: stops what runs, or gives the line up. */
  readonly onInterrupt: (line: string) => void;
}

interface Search {
  readonly query: string;
  /** Index in the history, -1 for none. */
  readonly at: number;
  readonly draft: string;
}

interface Choice extends Completion {
  readonly active: number;
}

/** The cursor of a text area that React writes into: put where it belongs after the text has changed. */
function useCursor(text: string): { readonly area: RefObject<HTMLTextAreaElement | null>; readonly place: (cursor: number) => void } {
  const area = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef(-1);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 160)}px`;
    if (wanted.current >= 0) element.setSelectionRange(wanted.current, wanted.current);
    wanted.current = -1;
  }, [text]);
  return {
    area,
    place: (cursor) => {
      wanted.current = cursor;
    },
  };
}

function List({ id, choice, onTake }: { readonly id: string; readonly choice: Choice; readonly onTake: (index: number) => void }): JSX.Element {
  const active = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: some browsers return a promise, which React would take for a clean-up.
    active.current?.scrollIntoView({ block: "nearest" });
  }, [choice.active]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select would take the focus
    <div id={id} role="listbox" aria-label="Completions" className={styles.choices}>
      {choice.suggestions.map(({ text, about }, i) => (
        // The text area keeps the focus; keys reach the options through it.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/prefer-tag-over-role
        <div key={text} id={`${id}-${i}`} ref={i === choice.active ? active : undefined} role="option" tabIndex={-1} aria-selected={i === choice.active} className={styles.choice} onMouseDown={(event) => event.preventDefault()} onClick={() => onTake(i)}>
          <span>{text}</span> <small>{about}</small>
        </div>
      ))}
    </div>
  );
}

/** The line that is typed: completion, history, search in it, and commands of several lines, with the keys of bash. */
export function Prompt({ history, onRun, onClear, onInterrupt }: Props): JSX.Element {
  const now = useTimeline((state) => state.now);
  const [text, setText] = useState("");
  const [back, setBack] = useState(0);
  const [search, setSearch] = useState<Search>();
  const [choice, setChoice] = useState<Choice>();
  const [hint, setHint] = useState("");
  /** The last Tab found several completions and could add nothing. */
  const [ambiguous, setAmbiguous] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const { area, place } = useCursor(text);
  const list = useId();

  const write = (line: Line): void => {
    // A text that stays is not drawn again: its cursor is put at once.
    if (line.text === text) area.current?.setSelectionRange(line.cursor, line.cursor);
    else place(line.cursor);
    setText(line.text);
  };
  const reset = (line = ""): void => {
    write({ text: line, cursor: line.length });
    setBack(0);
    setSearch(undefined);
    setChoice(undefined);
    setHint("");
    setAmbiguous(false);
  };
  const run = (line: string): void => {
    reset();
    onRun(commandsOf(line));
  };
  const recall = (to: number): void => {
    setBack(to);
    const line = to === 0 ? "" : (history.at(-to) ?? "");
    write({ text: line, cursor: line.length });
  };

  const complete = async (again: boolean): Promise<void> => {
    const cursor = area.current?.selectionStart ?? text.length;
    const found = await client.complete(text, cursor).catch((): Completion => ({ from: cursor, suggestions: [] }));
    if (area.current?.value !== text) return;
    const { from, suggestions } = withOwn(text, cursor, found, useTimeline.getState().manifest.file);
    const common = commonStart(suggestions);
    if (suggestions.length === 1 || common.length > cursor - from) write(withWord({ text, cursor }, from, common, suggestions.length === 1));
    if (suggestions.length > 1 && again) setChoice({ from, suggestions, active: 0 });
    setAmbiguous(suggestions.length > 1);
    setHint(suggestions.length === 0 ? "nothing to complete" : suggestions.length > 1 && !again ? `${suggestions.length} completions: Tab lists them` : "");
  };

  const take = (index: number): void => {
    const chosen = choice?.suggestions[index];
    if (choice && chosen) write(withWord({ text, cursor: area.current?.selectionStart ?? text.length }, choice.from, chosen.text, true));
    setChoice(undefined);
    setAmbiguous(false);
    area.current?.focus();
  };

  /** Keys while the list is open; false for those that close it and go on. */
  const inList = (event: KeyboardEvent, open: Choice): boolean => {
    const count = open.suggestions.length;
    const step = event.key === "ArrowDown" || (event.key === "Tab" && !event.shiftKey) ? 1 : event.key === "ArrowUp" || event.key === "Tab" ? -1 : 0;
    if (step !== 0) setChoice({ ...open, active: (open.active + step + count) % count });
    else if (event.key === "Enter") take(open.active);
    else setChoice(undefined);
    return step !== 0 || event.key === "Enter" || event.key === "Escape";
  };

  const inSearch = (event: KeyboardEvent, { query, at, draft }: Search): boolean => {
    const match = history[at] ?? draft;
    if (event.ctrlKey && event.key === "r") {
      const next = searchBack(history, query, at < 0 ? undefined : at);
      if (next >= 0) setSearch({ query, draft, at: next });
      return true;
    }
    if (event.key === "Enter") run(match);
    else if (event.key === "Escape" || (event.ctrlKey && (event.key === "g" || event.key === "c"))) reset(draft);
    else if (event.key === "Tab" || event.key === "ArrowRight" || event.key === "ArrowLeft") reset(match);
    else return false;
    return true;
  };

  const onControl = (event: KeyboardEvent): boolean => {
    const { selectionStart = 0, selectionEnd = 0 } = area.current ?? {};
    switch (event.key) {
      case "c":
        if (selectionStart !== selectionEnd) return false;
        onInterrupt(text);
        reset();
        return true;
      case "l":
        onClear();
        return true;
      case "u":
        write({ text: text.slice(selectionStart), cursor: 0 });
        return true;
      case "r":
        setSearch({ query: "", at: -1, draft: text });
        write({ text: "", cursor: 0 });
        return true;
      default:
        return false;
    }
  };

  const onTyping = (event: KeyboardEvent): boolean => {
    const cursor = area.current?.selectionStart ?? 0;
    if (event.key === "Enter" && !event.shiftKey && openEnd(text) === undefined) run(text);
    else if (event.key === "ArrowUp" && !text.slice(0, cursor).includes("\n")) recall(Math.min(history.length, back + 1));
    else if (event.key === "ArrowDown" && !text.slice(cursor).includes("\n")) recall(Math.max(0, back - 1));
    else if (event.key === "Tab" && !event.shiftKey && !leaving && text.trim() !== "") void complete(ambiguous);
    else return false;
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    let done: boolean;
    if (choice && inList(event, choice)) done = true;
    else if (search) done = inSearch(event, search);
    else if (event.key === "Escape") {
      setLeaving(true);
      setHint("Tab leaves the terminal");
      return;
    } else done = event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey ? onControl(event) : onTyping(event);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const status = search ? (search.query === "" ? "search earlier commands: type a part of one" : search.at < 0 ? `no earlier command has ${search.query}` : `${history[search.at] ?? ""}`) : openEnd(text) === "document" ? "goes on until the here-document's last line" : hint;
  return (
    <form
      className={styles.prompt}
      onSubmit={(event) => {
        event.preventDefault();
        run(text);
      }}
    >
      {choice && <List id={list} choice={choice} onTake={take} />}
      <span className={styles.time} aria-hidden="true">
        {search ? "search:" : `${captionTime(now)} $`}
      </span>
      <textarea
        ref={area}
        rows={1}
        aria-label="kubectl command"
        aria-autocomplete="list"
        {...(choice ? { "aria-controls": list, "aria-activedescendant": `${list}-${choice.active}` } : {})}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        enterKeyHint="send"
        placeholder="kubectl get pods"
        onChange={(event) => {
          const { value } = event.target;
          setText(value);
          setLeaving(false);
          setHint("");
          setAmbiguous(false);
          setChoice(undefined);
          if (search) setSearch({ ...search, query: value, at: searchBack(history, value) });
        }}
        onBlur={() => {
          setLeaving(false);
          setChoice(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <span aria-live="polite" className={styles.status} data-search={search !== undefined || undefined}>
        {status}
      </span>
    </form>
  );
}
