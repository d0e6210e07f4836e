import { describe, expect, test } from "vitest";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import { nextTick, parseSchedule } from "./schedule.ts";
import { loadZone } from "./time-zones.ts";
import { mostRecentScheduleTime, untilNextTick } from "./utils.ts";

const ticks = (schedule: string, from: string, count: number, zone = ""): readonly string[] => {
  const parsed = parseSchedule(schedule, loadZone(zone));
  const out: string[] = [];
  for (let at = parsed && nextTick(parsed, parseRfc3339(from)); parsed && at !== undefined && out.length < count; at = nextTick(parsed, at)) out.push(rfc3339(at));
  return out;
};

describe("nextTick", () => {
  test.each([
    { name: "every five minutes", schedule: "*/5 * * * *", from: "2026-01-01T00:03:10Z", want: ["2026-01-01T00:05:00Z", "2026-01-01T00:10:00Z"] },
    { name: "both day fields restricted: either", schedule: "0 0 13 * 5", from: "2026-02-01T00:00:00Z", want: ["2026-02-06T00:00:00Z", "2026-02-13T00:00:00Z", "2026-02-20T00:00:00Z"] },
    { name: "a stepped star restricts", schedule: "0 0 */15 * 5", from: "2026-01-02T00:00:00Z", want: ["2026-01-09T00:00:00Z", "2026-01-16T00:00:00Z"] },
    { name: "leap day", schedule: "0 0 29 2 *", from: "2026-01-01T00:00:00Z", want: ["2028-02-29T00:00:00Z"] },
    { name: "no such day", schedule: "59 23 31 2 *", from: "2026-01-01T00:00:00Z", want: [] },
    { name: "@every counts from the last", schedule: "@every 90m", from: "2026-01-01T00:10:07Z", want: ["2026-01-01T01:40:07Z", "2026-01-01T03:10:07Z"] },
    { name: "of a zone", schedule: "0 9 * * *", from: "2026-01-01T00:00:00Z", zone: "America/New_York", want: ["2026-01-01T14:00:00Z"] },
    { name: "of a half-hour zone", schedule: "30 0 * * *", from: "2026-01-01T00:00:00Z", zone: "Asia/Kolkata", want: ["2026-01-01T19:00:00Z"] },
    { name: "in the schedule itself", schedule: "TZ=Asia/Tokyo 0 0 * * *", from: "2026-01-01T00:00:00Z", want: ["2026-01-01T15:00:00Z"] },
    { name: "an hour that is left out in spring: not that day", schedule: "30 2 * * *", from: "2026-03-07T12:00:00Z", zone: "America/New_York", want: ["2026-03-09T06:30:00Z"] },
    { name: "an hour that comes twice in autumn: both", schedule: "30 1 * * *", from: "2026-11-01T00:00:00Z", zone: "America/New_York", want: ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-02T06:30:00Z"] },
    { name: "hours after the one that comes twice", schedule: "0 3 * * *", from: "2026-10-25T00:30:00Z", zone: "Europe/Berlin", want: ["2026-10-25T02:00:00Z", "2026-10-26T02:00:00Z"] },
    { name: "summer in the south", schedule: "0 12 * * *", from: "2026-01-01T03:00:00Z", zone: "Australia/Sydney", want: ["2026-01-02T01:00:00Z"] },
  ])("$name", ({ schedule, from, zone, want }) => expect(ticks(schedule, from, Math.max(1, want.length), zone)).toEqual(want));

  test.each(["60 * * * *", "* * * *", "* * 0 * *", "5-1 * * * *", "*/0 * * * *", "@never", "@every x", "TZ=Nowhere/City * * * * *"])("does not parse: %s", (text) => expect(parseSchedule(text)).toBeUndefined());
});

describe("mostRecentScheduleTime", () => {
  const hourly = parseSchedule("0 9-17 * * *");
  const job = (last: string, deadline?: number) => ({ metadata: {}, spec: deadline === undefined ? {} : { startingDeadlineSeconds: deadline }, status: { lastScheduleTime: last } });
  const recent = (last: string, now: string, deadline?: number) => {
    const got = hourly && mostRecentScheduleTime(job(last, deadline), parseRfc3339(now), hourly, true);
    return [got?.missed, got?.mostRecent === undefined ? undefined : rfc3339(got.mostRecent)];
  };
  test("none missed, few, and the deadline", () => {
    expect(recent("2026-01-01T09:00:00Z", "2026-01-01T09:59:00Z")).toEqual(["none", undefined]);
    expect(recent("2026-01-01T09:00:00Z", "2026-01-01T12:30:00Z")).toEqual(["few", "2026-01-01T12:00:00Z"]);
    expect(recent("2026-01-01T09:00:00Z", "2026-01-01T12:30:00Z", 1801)).toEqual(["none", "2026-01-01T12:00:00Z"]);
  });
  test("as upstream, the search begins two gaps back: a pause longer than that hides the last tick", () => {
    expect(recent("2026-01-01T15:00:00Z", "2026-01-02T03:00:00Z")).toEqual(["few", undefined]);
  });
  test("the next look is 100 ms after the next tick", () => {
    expect(hourly && untilNextTick(job("2026-01-01T09:00:00Z"), parseRfc3339("2026-01-01T09:59:00Z"), hourly)).toBe(60_100_000);
  });
});
