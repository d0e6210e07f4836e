import { chapterAt, toldAt } from "./chapter.ts";
import { useTimeline } from "./store.ts";

/** The number of the chapter that is told now. */
export const useChapter = (): number => useTimeline((state) => chapterAt(state.chapters, toldAt(state)));
