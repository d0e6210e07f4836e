import { upperBound } from "../trace/trace.ts";
import { SECONDS_PER_UNIT } from "./axis.ts";
import { chapterAt } from "./chapter.ts";
import { requestFrame, setTicker } from "./frames.ts";
import { playhead } from "./playhead.ts";
import { nextHit } from "./stops.ts";
import type { GetTimeline, SetTimeline, TimelineActions } from "./types.ts";

/** A frame after a pause (hidden tab) must not skip the story (ms). */
const MAX_FRAME_MS = 100;
const STEP_MS = { min: 400, max: 700, perUnit: 300 };
/** How often panels follow a moving playhead (ms). */
const NOW_INTERVAL_MS = 100;

interface Glide {
  readonly fromX: number;
  readonly toX: number;
  readonly toT: number;
  readonly duration: number;
  start: number | undefined;
}

type PlaybackActions = Pick<TimelineActions, "seek" | "seekStep" | "seekNote" | "next" | "previous" | "first" | "last" | "play" | "pause" | "toggle" | "playRange" | "setDragging" | "nextMessage" | "nextChapter" | "previousChapter" | "seekChapter">;

/** The step shown at `t`: the last at or before it; the first one also before that. */
export function stepAt(stepTimes: Float64Array, t: number): number {
  return stepTimes.length === 0 ? -1 : Math.max(0, upperBound(stepTimes, t) - 1);
}

/** Moves the playhead: at once (seek), along one step (glide), or at constant speed along the axis (flow). */
export function createPlayback(set: SetTimeline, get: GetTimeline): PlaybackActions {
  let glide: Glide | undefined;
  let flowX: number | undefined;
  let flowFrom = 0;
  let stopAt: number | undefined;
  let lastWall: number | undefined;
  let lastNow = 0;
  let trailing: ReturnType<typeof setTimeout> | undefined;

  const settle = (t: number, stepIndex = stepAt(get().stepTimes, t)): void => {
    glide = undefined;
    clearTimeout(trailing);
    playhead.set(t);
    set({ now: playhead.get(), stepIndex });
  };

  /** While the pointer drags, panels follow some ten times a second. */
  const follow = (t: number): void => {
    playhead.set(t);
    const wall = performance.now();
    const stepIndex = stepAt(get().stepTimes, t);
    if (wall - lastNow >= NOW_INTERVAL_MS) {
      lastNow = wall;
      clearTimeout(trailing);
      set({ now: playhead.get(), stepIndex });
      return;
    }
    clearTimeout(trailing);
    trailing = setTimeout(() => set({ now: playhead.get(), stepIndex: stepAt(get().stepTimes, playhead.get()) }), NOW_INTERVAL_MS);
  };

  const stop = (): void => {
    flowX = undefined;
    stopAt = undefined;
    lastWall = undefined;
    if (get().playing) set({ playing: false });
  };

  const finishGlide = (): void => {
    if (glide) settle(glide.toT, get().stepIndex);
  };

  const goto = (index: number, animate: boolean): void => {
    const { stepTimes, scale, reducedMotion, speed } = get();
    const t = stepTimes[index];
    if (t === undefined) return;
    stop();
    const fromX = scale.toX(playhead.get());
    const toX = scale.toX(t);
    if (!animate || reducedMotion || toX <= fromX) {
      settle(t, index);
      return;
    }
    const duration = Math.min(STEP_MS.max, Math.max(STEP_MS.min, (toX - fromX) * STEP_MS.perUnit)) / Math.max(1, speed);
    set({ stepIndex: index });
    glide = { fromX, toX, toT: t, duration, start: undefined };
    requestFrame();
  };

  const glideFrame = (moving: Glide, wall: number): boolean => {
    moving.start ??= wall;
    const share = (wall - moving.start) / moving.duration;
    if (share >= 1) {
      settle(moving.toT, get().stepIndex);
      return false;
    }
    playhead.set(get().scale.toT(moving.fromX + (moving.toX - moving.fromX) * share));
    if (wall - lastNow >= NOW_INTERVAL_MS) {
      lastNow = wall;
      set({ now: playhead.get() });
    }
    return true;
  };

  const flowFrame = (wall: number): boolean => {
    const { scale, speed, stepTimes, stepIndex, axis, loop } = get();
    const elapsed = Math.min(MAX_FRAME_MS, wall - (lastWall ?? wall));
    lastWall = wall;
    flowX = (flowX ?? scale.toX(playhead.get())) + ((elapsed / 1000) * speed) / SECONDS_PER_UNIT[axis];
    const hit = nextHit(get().stopHits, flowFrom);
    if (loop && stopAt === undefined && flowX >= scale.toX(loop.to) && (hit?.at ?? loop.to) >= loop.to) {
      flowX = scale.toX(loop.from);
      flowFrom = loop.from - 1;
    }
    const end = Math.min(stopAt ?? scale.end, scale.end, hit?.at ?? Number.POSITIVE_INFINITY);
    const t = Math.min(scale.toT(flowX), end);
    playhead.set(t);
    const next = stepAt(stepTimes, t);
    if (next !== stepIndex || wall - lastNow >= NOW_INTERVAL_MS) {
      lastNow = wall;
      set({ stepIndex: next, now: playhead.get() });
    }
    if (t < end) return true;
    // While the run is still being simulated its end moves on.
    if (stopAt === undefined && hit?.at !== end && get().status === "running") return true;
    stop();
    set({ now: playhead.get(), ...(hit?.at === end ? { stopped: hit } : {}) });
    return false;
  };

  setTicker((wall) => {
    if (glide) return glideFrame(glide, wall);
    if (get().playing) return flowFrame(wall);
    return false;
  });

  const flow = (until?: number): void => {
    finishGlide();
    flowX = undefined;
    flowFrom = playhead.get();
    lastWall = undefined;
    stopAt = until;
    set({ playing: true, stopped: undefined as never });
    requestFrame();
  };

  const reached = (): { from: number; number: number; note?: number }[] =>
    get()
      .chapters.flatMap((chapter) => (chapter.from === undefined ? [] : [{ from: chapter.from, number: chapter.number, ...(chapter.note === undefined ? {} : { note: chapter.note }) }]))
      .sort((a, b) => a.from - b.from || a.number - b.number);

  const actions: PlaybackActions = {
    seek(t) {
      const { run, dragging, scale } = get();
      stop();
      glide = undefined;
      const target = Math.max(0, Math.round(t));
      if (run && target > run.until) void get().extend(target + 10_000_000).then(() => settle(target));
      if (dragging) follow(Math.min(target, Math.max(scale.end, run?.until ?? 0)));
      else settle(Math.min(target, Math.max(scale.end, run?.until ?? 0)));
    },
    seekStep(index) {
      goto(Math.max(0, Math.min(get().steps.length - 1, index)), false);
    },
    seekNote(note) {
      const { steps, index } = get();
      if (!index) return;
      const step = steps.indexOf(note);
      if (step >= 0) goto(step, false);
      else actions.seek(index.trace.notes.at.get(note));
    },
    next() {
      finishGlide();
      const { stepIndex, stepTimes } = get();
      // Before the first step "next" is the first one.
      const before = stepIndex === 0 && playhead.get() < (stepTimes[0] ?? 0);
      goto(before ? 0 : Math.min(stepTimes.length - 1, stepIndex + 1), true);
    },
    previous() {
      finishGlide();
      const { stepIndex, stepTimes } = get();
      const between = playhead.get() > (stepTimes[stepIndex] ?? 0);
      goto(Math.max(0, between ? stepIndex : stepIndex - 1), false);
    },
    first: () => goto(0, false),
    last: () => goto(get().steps.length - 1, false),
    play() {
      const { scale, loop } = get();
      if (loop && (playhead.get() < loop.from || playhead.get() >= loop.to)) settle(loop.from);
      else if (playhead.get() >= scale.end) settle(get().stepTimes[0] ?? 0);
      flow();
    },
    pause() {
      finishGlide();
      stop();
      settle(playhead.get());
    },
    toggle: () => (get().playing ? actions.pause() : actions.play()),
    playRange(from, to) {
      settle(from);
      if (get().reducedMotion) settle(to);
      else flow(to);
    },
    setDragging(dragging) {
      set({ dragging });
      if (!dragging) settle(playhead.get());
    },
    nextMessage(by) {
      const { index, detail, pinned, pin } = get();
      const from = pinned?.kind === "hop" && index?.trace.mail.sentAt.get(pinned.id) === playhead.get() ? pinned.id : undefined;
      const hop = index?.neighbour(playhead.get(), from, by, detail);
      if (hop === undefined || !index) return;
      actions.seek(index.trace.mail.sentAt.get(hop));
      pin({ kind: "hop", id: hop });
    },
    nextChapter() {
      const next = reached().find((chapter) => chapter.from > playhead.get());
      if (next) actions.seekChapter(next.number);
    },
    previousChapter() {
      const list = reached().filter((chapter) => chapter.from <= playhead.get());
      const current = list.at(-1);
      const before = list.filter((chapter) => chapter.from < (current?.from ?? 0)).at(-1);
      // As players do: first to the start of the current chapter, then to the one before.
      if (current && playhead.get() > current.from) actions.seekChapter(current.number);
      else if (before) actions.seekChapter(before.number);
      else actions.first();
    },
    seekChapter(number) {
      const chapter = get().chapters.find((candidate) => candidate.number === number);
      if (chapter?.from === undefined) return;
      const step = chapter.note === undefined ? -1 : get().steps.indexOf(chapter.note);
      // Its first step can be one that already belongs to a chapter within it.
      if (step >= 0 && chapterAt(get().chapters, get().stepTimes[step] ?? 0) === number) goto(step, false);
      else actions.seek(chapter.from);
    },
  };
  return actions;
}
