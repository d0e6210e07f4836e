import { beforeEach, describe, expect, test, vi } from "vitest";
import { buildAxis } from "./axis.ts";
import { createPlayback, stepAt } from "./playback.ts";
import { playhead } from "./playhead.ts";
import type { Timeline, TimelineData } from "./types.ts";

const STEPS = Float64Array.of(0, 100, 100, 5_000, 2_000_000);
let frames: ((wall: number) => void)[] = [];

/** Runs the frames that were asked for, 16 ms apart, until none is left or `limit` ms have passed. Returns the frames run. */
function run(limit = 60_000, from = 1000): number {
  let wall = from;
  let count = 0;
  while (frames.length > 0 && wall < from + limit) {
    frames.shift()?.(wall);
    wall += 16;
    count++;
  }
  return count;
}

function setup(over: Partial<TimelineData> = {}) {
  vi.stubGlobal("requestAnimationFrame", (callback: (wall: number) => void) => frames.push(callback));
  const state = {
    steps: Int32Array.of(10, 11, 12, 13, 14),
    stepTimes: STEPS,
    stepIndex: 0,
    scale: buildAxis("story", Float64Array.of(0, 100, 5_000, 2_000_000, 3_000_000)),
    axis: "story",
    speed: 1,
    playing: false,
    dragging: false,
    status: "ready",
    reducedMotion: false,
    stopHits: [],
    chapters: [{ number: 2, from: 100, note: 12 }, { number: 1, from: 0 }, { number: 5, from: 5_000 }, { number: 6, missing: "not reached" }],
    run: { id: "r", title: "", until: 3_000_000, recipe: { world: "", seed: 1, profile: "quiet", inputs: [] } },
    extend: vi.fn(async () => undefined),
    ...over,
  } as unknown as Timeline;
  const actions = createPlayback((partial) => Object.assign(state, partial), () => ({ ...state, ...actions }));
  // What an earlier test left running ends here: the new playback is at rest.
  run();
  return { state, actions };
}

beforeEach(() => playhead.set(0));

test.each([
  { name: "before all", t: -5, want: 0 },
  { name: "between", t: 50, want: 0 },
  { name: "the last of several at once", t: 100, want: 2 },
  { name: "after all", t: 9e9, want: 4 },
])("step at: $name", ({ t, want }) => expect(stepAt(STEPS, t)).toBe(want));

describe("stepping", () => {
  test("next says the step at once, and takes 400 to 700 ms to get there", () => {
    const { state, actions } = setup();
    playhead.set(0);
    run();
    actions.next();
    expect(state.stepIndex).toBe(1);
    expect(playhead.get()).toBe(0);
    const ms = run() * 16;
    expect(playhead.get()).toBe(100);
    expect(ms).toBeGreaterThanOrEqual(400);
    expect(ms).toBeLessThanOrEqual(800);
  });

  test("pressing again finishes the step under way first", () => {
    const { state, actions } = setup();
    actions.next();
    actions.next();
    expect(playhead.get()).toBe(100);
    expect(state.stepIndex).toBe(2);
    actions.next();
    run();
    expect(playhead.get()).toBe(5_000);
    expect(state.now).toBe(5_000);
  });

  test("previous goes back at once; from between two steps to the one before", () => {
    const { state, actions } = setup();
    actions.seekStep(4);
    actions.previous();
    expect([state.stepIndex, playhead.get()]).toEqual([3, 5_000]);
    actions.seek(6_000);
    actions.previous();
    expect([state.stepIndex, playhead.get()]).toEqual([3, 5_000]);
  });

  test("nothing moves with reduced motion", () => {
    const { actions } = setup({ reducedMotion: true });
    actions.next();
    expect(playhead.get()).toBe(100);
  });
});

describe("playing", () => {
  test("goes at constant speed along the axis and stops at the end", () => {
    const { state, actions } = setup();
    run();
    actions.play();
    const ms = run() * 16;
    expect(state.playing).toBe(false);
    expect(playhead.get()).toBe(3_000_000);
    expect(ms / 1000).toBeCloseTo(state.scale.length * 0.3, 0);
  });

  test("stops where a breakpoint begins to hold, and goes on from there when asked to", () => {
    const { state, actions } = setup({ stopHits: [{ at: 4_000, what: "an Event", text: "event X" }, { at: 1_500_000, what: "another", text: "event X" }] });
    run();
    actions.play();
    run();
    expect([playhead.get(), state.playing, state.stopped?.what]).toEqual([4_000, false, "an Event"]);
    actions.play();
    expect(state.stopped).toBeUndefined();
    run();
    expect([playhead.get(), state.playing, state.stopped?.what]).toEqual([1_500_000, false, "another"]);
    actions.play();
    run();
    expect([playhead.get(), state.stopped]).toEqual([3_000_000, undefined]);
  });

  test("a frame after a long pause does not skip the story", () => {
    const { state, actions } = setup();
    run();
    actions.play();
    run(16);
    expect(frames.length).toBe(1);
    frames.shift()?.(1_000_000);
    expect(playhead.get()).toBeGreaterThan(0);
    expect(state.scale.toX(playhead.get())).toBeLessThan(0.5);
    actions.pause();
  });

  test("a seek stops it; beyond the run's end the run is extended", () => {
    const { state, actions } = setup();
    actions.play();
    actions.seek(9_000_000);
    expect(state.playing).toBe(false);
    expect(state.extend).toHaveBeenCalledWith(19_000_000);
  });

  test("a range ends where it should", () => {
    const { actions } = setup();
    actions.playRange(0, 5_000);
    run();
    expect(playhead.get()).toBe(5_000);
  });
});

describe("chapters", () => {
  test("are walked in order of time; the unreached are left out", () => {
    const { state, actions } = setup();
    actions.nextChapter();
    expect(state.stepIndex).toBe(2);
    actions.nextChapter();
    expect(playhead.get()).toBe(5_000);
    actions.nextChapter();
    expect(playhead.get()).toBe(5_000);
    actions.previousChapter();
    expect(playhead.get()).toBe(100);
    actions.seekChapter(6);
    expect(playhead.get()).toBe(100);
  });
});

test("playing in a loop begins at its beginning, and begins again at its end", () => {
  const { state, actions } = setup({ loop: { from: 100, to: 5_000 } });
  playhead.set(2_000_000);
  actions.play();
  expect(playhead.get()).toBe(100);
  const seen: number[] = [];
  const stop = playhead.subscribe((t) => seen.push(t));
  run(20_000);
  stop();
  expect(state.playing).toBe(true);
  expect(Math.max(...seen)).toBeLessThanOrEqual(5_000);
  const restarts = seen.filter((t, i) => i > 0 && t < (seen[i - 1] ?? 0)).length;
  expect(restarts).toBeGreaterThan(1);
  actions.pause();
});

test("a breakpoint within a loop stops each time round", () => {
  const { state, actions } = setup({ loop: { from: 100, to: 5_000 }, stopHits: [{ at: 3_000, what: "", text: "x" }] });
  actions.play();
  run(20_000);
  expect([playhead.get(), state.playing]).toEqual([3_000, false]);
  actions.play();
  run(20_000, 60_000);
  expect([playhead.get(), state.playing]).toEqual([3_000, false]);
});
