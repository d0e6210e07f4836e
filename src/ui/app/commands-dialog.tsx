import { type JSX, type KeyboardEvent, useId, useMemo, useState } from "react";
import { type Command, commandsNow, findCommands } from "./commands.ts";
import styles from "./commands.module.css";

const SHOWN = 60;

/** All commands, found by typing: a combobox whose list is always open. */
export function CommandsDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const list = useId();
  const commands = useMemo(() => commandsNow(), []);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const found = useMemo(() => findCommands(commands, typed), [commands, typed]);
  const shown = found.slice(0, SHOWN);
  const at = Math.min(active, shown.length - 1);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    // The dialog gives the focus back first: what the command focuses keeps it.
    queueMicrotask(() => command.run());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (move !== undefined) setActive(Math.max(0, Math.min(shown.length - 1, at + move)));
    else if (event.key === "Enter") run(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles["commands"]}>
      <input
        type="text"
        role="combobox"
        className="field"
        aria-label="Command"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown.length === 0 ? undefined : `${list}-${at}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="What would you like to do, see or break?"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type in it
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot hold keys beside the names */}
      <div id={list} role="listbox" aria-label="Commands" className={styles["list"]}>
        {shown.map((command, i) => (
          <Option key={`${command.group}/${command.title}/${i}`} id={`${list}-${i}`} command={command} active={i === at} onRun={() => run(command)} />
        ))}
      </div>
      <output className={styles["count"]}>
        {found.length === 0 ? "Nothing is called that." : found.length > SHOWN ? `${SHOWN} of ${found.length}: type more` : `${found.length} ${found.length === 1 ? "command" : "commands"}`}
      </output>
    </div>
  );
}

function Option({ id, command: { group, title, keys }, active, onRun }: { readonly id: string; readonly command: Command; readonly active: boolean; readonly onRun: () => void }): JSX.Element {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the combobox has the focus and handles the keys
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as for the list
      role="option"
      aria-selected={active}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: "nearest" });
      }}
      onClick={onRun}
    >
      <span className={styles["group"]}>{group}</span>
      <span>{title}</span>
      <span className={styles["keys"]}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </div>
  );
}
