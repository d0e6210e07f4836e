import { expect, test } from "vitest";
import { sameOutput } from "./same-output.ts";
import { shifter } from "./shifted-time.ts";
import { comparable, Names } from "./recorded-text.ts";

test.each([
  { name: "an age a second later", want: "web   1/1   2m59s", got: "web   1/1   3m", volatile: [], same: true },
  { name: "an age two seconds later", want: "web 40s", got: "web 42s", volatile: [], same: false },
  { name: "another word", want: "web Running 4s", got: "web Pending 4s", volatile: [], same: false },
  { name: "fewer ages", want: "web 4s", got: "web", volatile: [], same: false },
  { name: "a random suffix, named volatile", want: "pod/a-bcdf2 created", got: "pod/a-xxzz4 created", volatile: ["randomSuffix"], same: true },
  { name: "a random suffix, not named", want: "pod/a-bcdf2 created", got: "pod/a-xxzz4 created", volatile: [], same: false },
  { name: "lines in another order", want: "a\nb\n", got: "b\na\n", volatile: ["order"], same: true },
])("$name", ({ want, got, volatile, same }) => {
  expect(sameOutput(want, got, volatile)).toBe(same);
});

test("times move to the simulation's epoch, in both forms", () => {
  const { text, object } = shifter(Date.parse("2026-11-30T20:07:28Z") / 1_000);
  expect(text("Start Time: Mon, 30 Nov 2026 20:06:28 +0000, at 2026-11-30T20:07:29.5Z")).toBe("Start Time: Wed, 31 Dec 2025 23:59:00 +0000, at 2026-01-01T00:00:01.5Z");
  expect(object({ a: ["2026-11-30T20:07:28Z"], b: 1, c: null })).toEqual({ a: ["2026-01-01T00:00:00Z"], b: 1, c: null });
});

test("random names are told apart by their order", () => {
  const names = new Names();
  expect(["d-6c79754685-abcde", "d-6c79754685-<S1>", "d-6c79754685-xbcdf", "d-6c79754685-<S1>", "web"].map((name) => names.of(name))).toEqual(["d-<hash>-abcde", "d-<hash>-<suffix> 1", "d-<hash>-<suffix> 2", "d-<hash>-<suffix> 1", "web"]);
  expect(comparable('pod p_<NS>(8c0f1e4e-0000-4000-8000-0123456789ab) has 10.244.0.7')).toBe("pod p_default(<UID>) has <POD_IP>");
});
