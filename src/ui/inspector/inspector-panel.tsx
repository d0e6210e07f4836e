import { type JSX, useState } from "react";
import { useTimeline } from "../../timeline/store.ts";
import type { Selection } from "../../timeline/types.ts";
import { ComponentView } from "./component-view.tsx";
import { HopView } from "./hop-view.tsx";
import styles from "./inspector.module.css";
import { LazyWaitsView } from "../widgets/lazy-waits-view.tsx";
import { NoteView } from "./note-view.tsx";
import { ObjectView } from "./object-view.tsx";

/** What is pinned; with nothing pinned, the step at the playhead. */
function useInspected(): { readonly selection: Selection | undefined; readonly pinned: boolean } {
  const pinned = useTimeline((state) => state.pinned);
  const steps = useTimeline((state) => state.steps);
  const stepIndex = useTimeline((state) => state.stepIndex);
  if (pinned) return { selection: pinned, pinned: true };
  const note = steps[Math.max(0, stepIndex)];
  return { selection: note === undefined ? undefined : { kind: "note", id: note }, pinned: false };
}

function keyOf(selection: Selection): string {
  return `${selection.kind}/${selection.kind === "object" ? selection.key : selection.id}`;
}

function Inspected({ selection }: { readonly selection: Selection }): JSX.Element | null {
  const index = useTimeline((state) => state.index);
  const now = useTimeline((state) => state.now);
  if (!index) return null;
  switch (selection.kind) {
    case "hop":
      return selection.id < index.trace.mailCount ? <HopView index={index} mail={selection.id} /> : <p className={styles.hint}>This run has no such message.</p>;
    case "note":
      return selection.id < index.trace.noteCount ? <NoteView index={index} note={selection.id} /> : <p className={styles.hint}>This run has no such step.</p>;
    case "component":
      return <ComponentView index={index} component={selection.id} now={now} />;
    case "object":
      return <ObjectView index={index} objectKey={selection.key} now={now} />;
  }
}

/** With nothing pinned: all that waits, wherever. Asked for only while it is open. */
function AllWaits(): JSX.Element {
  const now = useTimeline((state) => state.now);
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.allWaits} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Everything that waits now</summary>
      {open && <LazyWaitsView now={now} />}
    </details>
  );
}

interface Props {
  /** Lies over the stage now. */
  readonly wide?: boolean;
  /** Given where there is a stage to lie over. */
  readonly onWide?: (wide: boolean) => void;
}

/** Region "Inspector": what is behind a mark, a box or a line of any panel. */
export function InspectorPanel({ wide = false, onWide }: Props): JSX.Element {
  const pin = useTimeline((state) => state.pin);
  const { selection, pinned } = useInspected();
  return (
    <section aria-label="Inspector" className={styles.panel}>
      <div className={styles.head}>
        <h2>Inspector</h2>
        <span className={styles.space} />
        {onWide && (
          <button type="button" className={styles.small} aria-pressed={wide} onClick={() => onWide(!wide)}>
            {wide ? "Narrow" : "Widen"}
          </button>
        )}
        {pinned ? (
          <button type="button" className={styles.small} onClick={() => pin(undefined)}>
            Unpin
          </button>
        ) : (
          <span className={styles.dim}>follows the playhead</span>
        )}
      </div>
      <div className={styles.body}>
      {selection ? <Inspected key={keyOf(selection)} selection={selection} /> : <p className={styles.hint}>Press Apply, or click anything on the stage, the timeline or the list of events.</p>}
      {selection && !pinned && <AllWaits />}
      </div>
    </section>
  );
}
