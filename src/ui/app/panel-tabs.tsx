import { type JSX, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { ErrorBoundary } from "../widgets/error-boundary.tsx";
import styles from "./panel-tabs.module.css";

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly panel: ReactNode }[];
  readonly selected: string;
  readonly onSelect: (name: string) => void;
}

/** Tabs (APG): one Tab stop, arrows choose. Only the chosen panel is mounted. */
export function PanelTabs({ label, tabs, selected, onSelect }: Props): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find((tab) => tab.name === selected) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex((tab) => tab.name === selected);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.name);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div className={styles["tabs"]}>
      <div ref={list} role="tablist" tabIndex={-1} aria-label={label} className={styles["list"]} onKeyDown={move}>
        {tabs.map(({ name }) => (
          <button key={name} type="button" role="tab" id={`${id}-${name}`} aria-selected={name === selected} aria-controls={`${id}-panel`} tabIndex={name === selected ? 0 : -1} onClick={() => onSelect(name)}>
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current?.name ?? ""}`} className={styles["panel"]} data-pane={current?.name}>
        <ErrorBoundary key={current?.name} name={current?.name ?? ""}>
          {current?.panel}
        </ErrorBoundary>
      </div>
    </div>
  );
}
