import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./editor.module.css";

/** Says that kubectl waits for the text that the editor holds, and lets it go on. */
export function EditBanner(): JSX.Element | null {
  const editing = useTimeline((state) => state.editing);
  const closeEdit = useTimeline((state) => state.closeEdit);
  if (!editing) return null;
  return (
    <div className={styles.banner}>
      <p>
        Editing <strong>{editing.what}</strong>: kubectl waits until the file is closed.
      </p>
      <button type="button" className="button button-primary" onClick={() => void closeEdit(true)}>
        Save and close
      </button>
      <button type="button" className="button" onClick={() => void closeEdit(false)}>
        Cancel
      </button>
    </div>
  );
}
