import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Dialog } from "../widgets/dialog.tsx";
import { ACTIONS, PANEL_KEYS } from "./actions.ts";
import { useKeySettings } from "./use-keyboard.ts";
import styles from "./app.module.css";

/** All keys, and the switch that turns single letters off. */
export function HelpDialog(): JSX.Element {
  const open = useTimeline((state) => state.helpOpen);
  const reducedMotion = useTimeline((state) => state.reducedMotion);
  const { setHelpOpen, setReducedMotion } = useTimeline.getState();
  const { letters, setLetters } = useKeySettings();
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={() => setHelpOpen(false)}>
      <p>Letters and signs work while the focus is on the stage or the timeline.</p>
      <dl className={styles["keys"]}>
        {[...ACTIONS.filter(({ keys }) => keys.length > 0), ...PANEL_KEYS].map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className={styles["settings"]}>
        <label>
          <input type="checkbox" checked={letters} onChange={(event) => setLetters(event.target.checked)} />
          Single-letter keys
        </label>
        <label>
          <input type="checkbox" checked={reducedMotion} onChange={(event) => setReducedMotion(event.target.checked)} />
          Reduced motion
        </label>
      </div>
    </Dialog>
  );
}
