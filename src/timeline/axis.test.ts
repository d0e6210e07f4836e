import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AXES, buildAxis, storyWeight, uniqueSorted } from "./axis.ts";

const times = fc.array(fc.integer({ min: 0, max: 400_000_000 }), { minLength: 2, maxLength: 300 }).map((list) => uniqueSorted([0, ...list]));

describe("axis", () => {
  test.each([
    { name: "one microsecond", gap: 1, want: 1.04 },
    { name: "a millisecond", gap: 1000, want: 3 },
    { name: "a second", gap: 1_000_000, want: 6 },
    { name: "a minute", gap: 60_000_000, want: 7.78 },
  ])("story weight of $name", ({ gap, want }) => expect(storyWeight(gap)).toBeCloseTo(want, 1));

  test.each(AXES)("%s: toT(toX(t)) is t for every breakpoint and between", (kind) => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 400_000_000 }), (points, between) => {
        const axis = buildAxis(kind, points);
        for (const t of points) if (Math.abs(axis.toT(axis.toX(t)) - t) > 1) return false;
        const t = Math.min(between, axis.end);
        return Math.abs(axis.toT(axis.toX(t)) - t) <= 1;
      }),
    );
  });

  test.each(AXES)("%s: is monotone", (kind) => {
    const axis = buildAxis(kind, uniqueSorted([0, 40, 90, 1000, 3_400_000, 59_000_000]));
    let last = -1;
    for (let t = 0; t <= 59_000_000; t += 250_000) {
      const x = axis.toX(t);
      expect(x).toBeGreaterThan(last);
      last = x;
    }
  });

  test("no two breakpoints of a Pod's story are closer than 4 px at 1000 px", () => {
    const points = uniqueSorted([0, 28, 68, 300, 340, 1000, 3580, 9260, 10290, 12100, 316900, 318800, 414000, 420300, 431600, 492100, 497900, 505700, 508500, 514300, 518800, 59_000_000]);
    const axis = buildAxis("story", points);
    for (let i = 1; i < points.length; i++) expect(((axis.toX(points[i]!) - axis.toX(points[i - 1]!)) / axis.length) * 1000).toBeGreaterThan(4);
  });

  test("a long gap is compressed, and expanding it gives it more room", () => {
    const points = uniqueSorted([0, 40, 80, 120, 160, 3_400_160]);
    const axis = buildAxis("story", points);
    expect(axis.gaps).toEqual([expect.objectContaining({ from: 160, to: 3_400_160 })]);
    const wide = buildAxis("story", points, new Set([160]));
    expect(wide.length - wide.toX(160)).toBeCloseTo((axis.length - axis.toX(160)) * 10, 6);
  });

  test("a repetition takes little room, but only on the story axis", () => {
    const points = uniqueSorted([0, 40, 1_000_040, 2_000_040]);
    const quiet = new Set([2_000_040]);
    const story = buildAxis("story", points, undefined, quiet);
    expect(story.length - story.toX(1_000_040)).toBeCloseTo(1.5, 9);
    expect(story.toT(story.toX(1_500_000))).toBe(1_500_000);
    expect(buildAxis("true", points, undefined, quiet).length).toBeCloseTo(2.00004, 6);
  });

  test("an empty run has an axis too", () => {
    const axis = buildAxis("story", new Float64Array(0));
    expect(axis.toX(0)).toBe(0);
    expect(axis.length).toBeGreaterThan(0);
  });
});
