import { create } from "zustand";

/** A fault whose card somebody asked to see; `id` counts, so that the same one can be asked for twice. */
export interface FaultRequest {
  readonly fault: string | undefined;
  readonly count: number;
}

export const useFaultRequest = create<FaultRequest>()(() => ({ fault: undefined, count: 0 }));

/** Panels do not know each other: they ask the page to open one by this event, with its name and what to show in it. */
export const OPEN_EVENT = "millipod:open";

// Listening from the start, the panel finds the request even if it was not mounted when it came.
if (typeof window !== "undefined") {
  window.addEventListener(OPEN_EVENT, (event) => {
    const { panel, id } = (event as CustomEvent<{ panel?: string; id?: string }>).detail ?? {};
    if (panel === "Break it" && id !== undefined) useFaultRequest.setState(({ count }) => ({ fault: id, count: count + 1 }));
  });
}
