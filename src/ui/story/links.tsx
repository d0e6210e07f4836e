import type { JSX } from "react";
import { sourceUrl } from "../../content/components.ts";
import type { Evidence } from "../../content/evidence.ts";
import { useTimeline } from "../../timeline/store.ts";
import { openPanel } from "../widgets/open-panel.ts";
import { findFirst } from "./find.ts";
import styles from "./story.module.css";

/** Where a statement can be checked, in the version that is modelled. */
export function Source({ path }: { readonly path: string }): JSX.Element {
  return (
    <a className={styles.source} href={sourceUrl(path)} target="_blank" rel="noreferrer">
      {path}
    </a>
  );
}

/** Seeks to where the run shows something, and pins it. */
export function ShowButton({ label, evidence, otherwise }: { readonly label: string; readonly evidence: readonly Evidence[]; readonly otherwise?: string }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const pin = useTimeline((state) => state.pin);
  const seek = useTimeline((state) => state.seek);
  const seekNote = useTimeline((state) => state.seekNote);
  const found = index ? findFirst(index, evidence) : undefined;
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={!found}
        onClick={() => {
          if (!found) return;
          if (found.kind === "note") seekNote(found.id);
          else seek(found.at);
          pin({ kind: found.kind, id: found.id });
        }}
      >
        {label}
      </button>
      {!found && otherwise !== undefined && <span className={styles.dim}> {otherwise}</span>}
    </>
  );
}

/** Asks the shell for the region "Break it", at one fault's card. */
export function breakIt(fault: string): void {
  openPanel("Break it", fault);
}
