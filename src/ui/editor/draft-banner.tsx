import type { JSX } from "react";
import { discardDraft, restoreDraft } from "../../timeline/draft.ts";
import { useTimeline } from "../../timeline/store.ts";
import styles from "./editor.module.css";

/** Offers what was written here before and never applied. */
export function DraftBanner(): JSX.Element | null {
  const draft = useTimeline((state) => (state.draft !== undefined && state.draft.text !== state.manifest.text ? state.draft : undefined));
  const loading = useTimeline((state) => state.catalogue === undefined);
  if (!draft || loading) return null;
  return (
    <div className={styles.banner}>
      <p>
        A draft of <strong>{draft.file}</strong> was not applied.
      </p>
      <button type="button" className="button" onClick={restoreDraft}>
        Restore draft
      </button>
      <button type="button" className="button button-quiet" onClick={discardDraft}>
        Discard
      </button>
    </div>
  );
}
