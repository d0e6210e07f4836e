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
        Paste what <code>kubectl get nodes,pods -A -o yaml</code> prints, or choose a file of it. It stays in this page.
      </p>
      <input type="file" aria-label="Cluster file" accept=".yaml,.yml,.json" onChange={(event) => void event.target.files?.[0]?.text().then(setText)} />
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
