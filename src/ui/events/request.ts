import { create } from "zustand";

/** A search that another panel asks for; `count` tells one request from the next. */
export const useEventsRequest = create<{ readonly query: string; readonly count: number }>()(() => ({ query: "", count: 0 }));

// Listening from the start, the panel finds the request even if it was not mounted when it came.
if (typeof window !== "undefined") {
  window.addEventListener("millipod:open", (event) => {
    const { panel, id } = (event as CustomEvent<{ panel?: string; id?: string }>).detail ?? {};
    if (panel === "Events" && id !== undefined) useEventsRequest.setState(({ count }) => ({ query: id, count: count + 1 }));
  });
}
