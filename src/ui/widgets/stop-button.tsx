import type { JSX } from "react";
import { useTimeline } from "../../timeline/store.ts";
import { Icon } from "./icons.tsx";

/** Sets a breakpoint on what it stands beside; pressed while it is set. */
export function StopButton({ condition, label, className }: { readonly condition: string; readonly label?: string; readonly className?: string | undefined }): JSX.Element {
  const set = useTimeline((state) => state.stops.some((stop) => stop.text === condition && stop.on));
  const { addStop, removeStop, showToast } = useTimeline.getState();
  const press = async (): Promise<void> => {
    if (set) return removeStop(condition);
    const problem = await addStop(condition);
    const { stopHits } = useTimeline.getState();
    const count = stopHits.filter((hit) => hit.text === condition).length;
    showToast(problem ?? `Playing stops when: ${condition} (${count === 0 ? "not in this run so far" : `${count} times in this run`})`);
  };
  return (
    <button type="button" className={className ?? "button button-quiet"} aria-pressed={set} aria-label={`Stop when ${condition}`} title={`Stop when ${condition}`} onClick={() => void press()}>
      <Icon name="stop" size={14} />
      {label !== undefined && <span aria-hidden="true"> {label}</span>}
    </button>
  );
}
