import { type JSX, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Dialog } from "../widgets/dialog.tsx";
import styles from "./app.module.css";

/** Takes a cluster as kubectl prints it. */
export function ClusterDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const chooseWorld = useTimeline((state) => state.chooseWorld);
  return (
    <Dialog title="Your own cluster" open={open} onClose={onClose}>
      <p>
        Paste what <code>kubectl get nodes,pods -A -o yaml</code> prints. It stays in this page.
      </p>
      <textarea className={styles["paste"]} aria-label="Cluster as YAML" rows={14} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      <button
        type="button"
        className="button button-primary"
        disabled={text.trim() === ""}
        onClick={() => {
          chooseWorld(text);
          onClose();
        }}
      >
        Use this cluster
      </button>
    </Dialog>
  );
}
