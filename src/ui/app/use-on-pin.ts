import { useEffect, useEffectEvent } from "react";
import { useTimeline } from "../../timeline/store.ts";

/** Calls back when something gets pinned, so that a layout with tabs can bring the inspector to the front. */
export function useOnPin(callback: () => void): void {
  const onPin = useEffectEvent(callback);
  useEffect(() => useTimeline.subscribe((state, before) => {
    if (state.pinned && state.pinned !== before.pinned) onPin();
  }), []);
}
