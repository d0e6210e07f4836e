import { type JSX, useMemo } from "react";
import { alignment } from "../../timeline/align.ts";
import { shortTime } from "../../timeline/format.ts";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "../widgets/icons.tsx";
import { lanesOf, moved } from "./lanes.ts";
import { LanesView } from "./lanes-view.tsx";
import { Overview } from "./overview.tsx";
import { Transport } from "./transport.tsx";
import { useView, zoomed } from "./view.ts";
import styles from "./timeline.module.css";

/** Time: transport, overview and lanes. `phone` leaves the lanes out. */
export function TimelinePanel({ phone = false }: { readonly phone?: boolean }): JSX.Element {
  const index = useTimeline((state) => state.index);
  const parentIndex = useTimeline((state) => state.parentIndex);
  const detail = useTimeline((state) => state.detail);
  const theme = useTimeline((state) => state.theme);
  const lanes = useMemo(() => (index ? lanesOf(index, detail) : undefined), [index, detail]);
  const align = useTimeline((state) => state.align);
  // The step is looked at only where both runs are laid over each other by it.
  const note = useTimeline((state) => (state.align === "event" ? (state.steps[state.stepIndex] ?? -1) : -1));
  const ghost = useMemo(() => {
    if (!parentIndex || !index) return undefined;
    const own = lanesOf(parentIndex, detail);
    return align === "time" ? own : moved(own, alignment(parentIndex, index, detail, align, note));
  }, [parentIndex, index, detail, align, note]);
  return (
    <section id="timeline" aria-label="Timeline" data-keys="timeline" className={styles["panel"]} data-phone={phone ? "" : undefined}>
      <Transport phone={phone} />
      <div className={styles["strip"]}>
        <Overview lanes={lanes} brush={!phone} />
        {!phone && <WindowButtons />}
      </div>
      {!phone && lanes && <LanesView lanes={lanes} ghost={ghost} themeKey={theme} />}
    </section>
  );
}

/** Zoom and pan without dragging, and simulating on. */
function WindowButtons(): JSX.Element {
  const scale = useTimeline((state) => state.scale);
  const status = useTimeline((state) => state.status);
  const until = useTimeline((state) => state.run?.until ?? 0);
  const extend = useTimeline((state) => state.extend);
  const cancel = useTimeline((state) => state.cancel);
  const view = useView();
  const by = (factor: number): void => {
    const next = zoomed(view, factor, 0.5);
    view.show(next.x0, next.x1, scale);
  };
  const pan = (share: number): void => view.show(view.x0 + (view.x1 - view.x0) * share, view.x1 + (view.x1 - view.x0) * share, scale);
  return (
    <div className={styles["window-buttons"]}>
      <button type="button" className="button button-quiet" aria-label="Move the window left" onClick={() => pan(-0.5)}>
        <Icon name="previous" size={16} />
      </button>
      <button type="button" className="button button-quiet" aria-label="Zoom the timeline out" onClick={() => by(1 / 1.6)}>
        <Icon name="minus" size={16} />
      </button>
      <button type="button" className="button button-quiet" aria-label="Zoom the timeline in" onClick={() => by(1.6)}>
        <Icon name="plus" size={16} />
      </button>
      <button type="button" className="button button-quiet" aria-label="Move the window right" onClick={() => pan(0.5)}>
        <Icon name="next" size={16} />
      </button>
      {status === "running" ? (
        <button type="button" className="button button-quiet" onClick={cancel} title={`Simulated up to ${shortTime(until)}`}>
          Stop simulating
        </button>
      ) : (
        <button type="button" className="button button-quiet" aria-label="Simulate one more minute" onClick={() => void extend()} title={`Simulated up to ${shortTime(until)}`}>
          +1 min
        </button>
      )}
    </div>
  );
}
