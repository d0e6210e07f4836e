import { type JSX, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import styles from "./inspector.module.css";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: () => ReactNode;
}

interface Props {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** The APG tabs pattern: one tab stop, arrows move, Home and End jump; the panel is focusable. */
export function Tabs({ label, tabs, selected, onSelect }: Props): JSX.Element {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = tabs.find((tab) => tab.id === selected) ?? tabs[0];

  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === active?.id);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(to + tabs.length) % tabs.length];
    if (!tab) return;
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };

  return (
    <>
      <div role="tablist" tabIndex={-1} aria-label={label} className={styles.tabs} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button key={tab.id} type="button" role="tab" id={`${base}-${tab.id}`} data-tab={tab.id} aria-selected={tab === active} aria-controls={`${base}-panel`} tabIndex={tab === active ? 0 : -1} className={styles.tab} onClick={() => onSelect(tab.id)}>
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${active?.id ?? ""}`} tabIndex={0} className={styles.tabPanel}>
        {active?.content()}
      </div>
    </>
  );
}
