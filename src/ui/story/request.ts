import { create } from "zustand";

/** The page of the story that somebody asked to see; `count` tells one request from the next. */
export interface StoryRequest {
  readonly page: string | undefined;
  readonly count: number;
}

export const useStoryRequest = create<StoryRequest>()(() => ({ page: undefined, count: 0 }));

// Listening from the start, the panel finds the request even if it was not mounted when it came.
if (typeof window !== "undefined") {
  window.addEventListener("millipod:open", (event) => {
    const { panel, id } = (event as CustomEvent<{ panel?: string; id?: string }>).detail ?? {};
    if (panel === "Story" && id !== undefined) useStoryRequest.setState(({ count }) => ({ page: id, count: count + 1 }));
  });
}
