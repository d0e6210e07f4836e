import { describe, expect, test } from "vitest";
import { parseRfc3339, rfc3339 } from "../../api/time.ts";
import { nextTick, parseSchedule, scheduleError } from "./schedule.ts";
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
    { name: "half an hour less: hours are then counted from half past, and noon is passed over that day", schedule: "0 12 * * *", from: "2026-04-03T12:00:00Z", zone: "Australia/Lord_Howe", want: ["2026-04-04T01:00:00Z", "2026-04-06T01:30:00Z"] },
    { name: "summer that ends for Ramadan", schedule: "0 12 * * *", from: "2026-02-14T00:00:00Z", zone: "Africa/Casablanca", want: ["2026-02-14T11:00:00Z", "2026-02-15T12:00:00Z"] },
    { name: "winter as the exception", schedule: "0 12 * * *", from: "2026-03-28T00:00:00Z", zone: "Europe/Dublin", want: ["2026-03-28T12:00:00Z", "2026-03-29T11:00:00Z"] },
    { name: "a day without a midnight is passed over when it must be found", schedule: "0 0,1 24 4 *", from: "2026-04-01T00:00:00Z", zone: "Africa/Cairo", want: ["2027-04-23T22:00:00Z"] },
    { name: "a name that is only another's", schedule: "0 12 * * *", from: "2026-01-01T00:00:00Z", zone: "US/Pacific", want: ["2026-01-01T20:00:00Z"] },
  ])("$name", ({ schedule, from, zone, want }) => expect(ticks(schedule, from, Math.max(1, want.length), zone)).toEqual(want));

  test.each([
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["@never", "unrecognized descriptor: @never"],
    ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
    ["@every 5", 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ["@every 5d", 'failed to parse duration @every 5d: time: unknown unit "d" in duration "5d"'],
    ["TZ=Nowhere/City * * * * *", "provided bad location Nowhere/City: unknown time zone Nowhere/City"],
    ["TZ=0", "invalid schedule format: runtime error: slice bounds out of range [:-1]"],
  ])("does not parse: %s", (text, error) => expect([parseSchedule(text), scheduleError(text)]).toEqual([undefined, error]));
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
