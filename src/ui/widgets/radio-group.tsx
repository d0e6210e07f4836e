import { type JSX, type KeyboardEvent, useRef } from "react";
import styles from "./radio-group.module.css";

export interface RadioOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

interface Props<T extends string> {
  readonly label: string;
  readonly options: readonly RadioOption<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

const MOVES: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A segmented control: one Tab stop, arrows choose (APG radio group). */
export function RadioGroup<T extends string>({ label, options, value, onChange }: Props<T>): JSX.Element {
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = options.findIndex((option) => option.value === value);
    const next = options[(at + by + options.length) % options.length];
    if (!next) return;
    onChange(next.value);
    group.current?.querySelectorAll<HTMLElement>("[role=radio]")[options.indexOf(next)]?.focus();
  };
  return (
    <div ref={group} role="radiogroup" tabIndex={-1} aria-label={label} className={styles["group"]} onKeyDown={move}>
      {options.map((option) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a button needs no hidden input to be styled and hit
        <button key={option.value} type="button" role="radio" aria-checked={option.value === value} tabIndex={option.value === value ? 0 : -1} title={option.hint} className={styles["option"]} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
