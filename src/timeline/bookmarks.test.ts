import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { createBookmarkActions, readBookmarks, readLoop, writeBookmarks, writeLoop } from "./bookmarks.ts";
import { playhead } from "./playhead.ts";
import type { Timeline } from "./types.ts";

describe("in a link", () => {
  it.each([
    [[]],
    [[{ at: 0, name: "" }]],
    [[{ at: 1200, name: "bind; 100 % & more" }, { at: 2_114_388, name: "a~b" }]],
  ])("%o comes back", (bookmarks) => expect(readBookmarks(writeBookmarks(bookmarks))).toEqual(bookmarks));

  it.each([
    ["", []],
    ["x;12", [{ at: 12, name: "" }]],
    ["-3~a;7~%E0%A4%A;8~ok", [{ at: 7, name: "" }, { at: 8, name: "ok" }]],
    [`5~${"a".repeat(200)}`, [{ at: 5, name: "a".repeat(60) }]],
  ])("%s is read leniently", (text, want) => expect(readBookmarks(text)).toEqual(want));

  it.each([
    ["100-2000", { from: 100, to: 2000 }],
    ["2000-100", undefined],
    ["5-5", undefined],
    ["", undefined],
  ])("loop %s", (text, want) => expect(readLoop(text)).toEqual(want));

  it("a loop comes back", () => expect(readLoop(writeLoop({ from: 3, to: 9 }))).toEqual({ from: 3, to: 9 }));
});

function setup() {
  const state = { bookmarks: [], chapters: [{ number: 1, from: 0 }, { number: 2, from: 100 }, { number: 3, from: 5_000 }], scale: { end: 9_000 }, steps: Int32Array.of(), stepIndex: -1, showToast: vi.fn(), seek: (t: number) => playhead.set(t) } as unknown as Timeline;
  const actions = createBookmarkActions((partial) => Object.assign(state, partial), () => state);
  return { state, actions };
}

beforeEach(() => playhead.set(0));

test("a bookmark is set, named, found again in both directions, and taken away", () => {
  const { state, actions } = setup();
  for (const at of [500, 20, 7_000]) actions.toggleBookmark(at);
  actions.nameBookmark(500, "here");
  expect(state.bookmarks).toEqual([{ at: 20, name: "" }, { at: 500, name: "here" }, { at: 7_000, name: "" }]);
  playhead.set(20);
  actions.nextBookmark(1);
  expect(playhead.get()).toBe(500);
  actions.nextBookmark(-1);
  expect(playhead.get()).toBe(20);
  actions.nextBookmark(-1);
  expect(playhead.get()).toBe(20);
  actions.toggleBookmark(20);
  expect(state.bookmarks.map(({ at }) => at)).toEqual([500, 7_000]);
});

test.each([
  [50, { from: 0, to: 100 }],
  [100, { from: 100, to: 5_000 }],
  [8_000, { from: 5_000, to: 9_000 }],
])("the loop of the chapter at %i", (t, want) => {
  const { state, actions } = setup();
  playhead.set(t);
  actions.loopHere();
  expect(state.loop).toEqual(want);
  actions.loopHere();
  expect(state.loop).toBeUndefined();
});
