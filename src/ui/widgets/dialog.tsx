import { type JSX, type ReactNode, useEffect, useRef } from "react";
import styles from "./dialog.module.css";
import { Icon } from "./icons.tsx";

interface Props {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog on the platform's own: focus stays inside, Esc closes, what is behind is inert. */
export function Dialog({ title, open, onClose, children }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    else if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-label={title} className={styles["dialog"]} onClose={onClose}>
      {open && (
        <>
          <header className={styles["header"]}>
            <h2>{title}</h2>
            <button type="button" className="button button-quiet" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          <div className={styles["body"]}>{children}</div>
        </>
      )}
    </dialog>
  );
}
