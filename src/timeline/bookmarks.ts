import { chapterAt } from "./chapter.ts";
import { captionTime } from "./format.ts";
import { playhead } from "./playhead.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

/** A moment that the reader wants to find again (microseconds). Its name is the caption's until it is given another. */
export interface Bookmark {
  readonly at: number;
  readonly name: string;
}

/** A stretch of time that playing goes through again and again (microseconds). */
export interface Loop {
  readonly from: number;
  readonly to: number;
}

const LONGEST_NAME = 60;

/** "1200;2114388~bind": as a link has them. */
export const writeBookmarks = (bookmarks: readonly Bookmark[]): string => bookmarks.map(({ at, name }) => (name === "" ? String(at) : `${at}~${encodeURIComponent(name)}`)).join(";");

export const writeLoop = ({ from, to }: Loop): string => `${from}-${to}`;

/** Undefined for what is no loop: the end must come after the beginning. */
export function readLoop(text: string): Loop | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return from === undefined || Number(to) <= Number(from) ? undefined : { from: Number(from), to: Number(to) };
}

/** Leaves out what it cannot read. */
export function readBookmarks(text: string): readonly Bookmark[] {
  return text.split(";").flatMap((part): Bookmark[] => {
    const [, at, name = ""] = /^(\d+)(?:~(.*))?$/.exec(part) ?? [];
    if (at === undefined) return [];
    try {
      return [{ at: Number(at), name: decodeURIComponent(name).slice(0, LONGEST_NAME) }];
    } catch {
      return [{ at: Number(at), name: "" }];
    }
  });
}

const inOrder = (bookmarks: readonly Bookmark[]): readonly Bookmark[] => [...bookmarks].sort((a, b) => a.at - b.at);

type BookmarkActions = Pick<TimelineActions, "toggleBookmark" | "nameBookmark" | "nextBookmark" | "setLoop" | "loopHere">;

export function createBookmarkActions(set: SetTimeline, get: GetTimeline): BookmarkActions {
  const caption = (): string => {
    const { index, steps, stepIndex } = get();
    const note = steps[stepIndex];
    return note === undefined || !index ? "" : index.trace.note(note).text.slice(0, LONGEST_NAME);
  };
  return {
    toggleBookmark(at = playhead.get()) {
      const { bookmarks, showToast } = get();
      const others = bookmarks.filter((one) => one.at !== at);
      const gone = others.length < bookmarks.length;
      set({ bookmarks: gone ? others : inOrder([...others, { at, name: caption() }]) });
      showToast(gone ? "Bookmark removed" : `Bookmark at ${captionTime(at)}`);
    },
    nameBookmark: (at, name) => set({ bookmarks: get().bookmarks.map((one) => (one.at === at ? { ...one, name: name.slice(0, LONGEST_NAME) } : one)) }),
    nextBookmark(by) {
      const { bookmarks, seek } = get();
      const now = playhead.get();
      const found = by > 0 ? bookmarks.find(({ at }) => at > now) : bookmarks.findLast(({ at }) => at < now);
      if (found) seek(found.at);
    },
    setLoop: (loop) => set({ loop: loop as never }),
    loopHere() {
      const { loop, chapters, scale, showToast } = get();
      if (loop) {
        set({ loop: undefined as never });
        showToast("No loop any more");
        return;
      }
      const now = playhead.get();
      const current = chapters.find(({ number }) => number === chapterAt(chapters, now));
      const from = current?.from ?? 0;
      const to = Math.min(...chapters.flatMap((one) => (one.from !== undefined && one.from > now ? [one.from] : [])), scale.end);
      if (to <= from) return;
      set({ loop: { from, to } });
      showToast(`Playing repeats ${captionTime(from)} to ${captionTime(to)}`);
    },
  };
}
