import { describe, expect, test } from "vitest";
import { modeText, permits, ROOT, whoIs } from "./ownership.ts";
import { changedMode } from "./shell/commands/users.ts";

const PASSWD = "root:x:0:0:root:/root:/bin/sh\nwww:x:33:34::/:/bin/sh\n";
const GROUP = "root:x:0:\nwheel:x:10:root\nstaff:x:50:www,root\n";
const base = { user: "0", ofImage: false, groups: [], capabilities: ["CHOWN", "DAC_OVERRIDE"], noNewPrivileges: false, seccomp: 0, readOnlyRoot: false } as const;

test.each([
  { name: "root is in the image's groups", given: base, want: [0, 0, [0, 10, 50], 2] },
  { name: "a number without a line has group 0", given: { ...base, user: "1000" }, want: [1000, 0, [0], 0] },
  { name: "a number with a line has its group", given: { ...base, user: "33" }, want: [33, 34, [34, 50], 0] },
  { name: "a name", given: { ...base, user: "www" }, want: [33, 34, [34, 50], 0] },
  { name: "user and group of the image", given: { ...base, user: "33:7" }, want: [33, 7, [7, 50], 0] },
  { name: "runAsGroup, fsGroup and supplementalGroups, sorted", given: { ...base, user: "1000", gid: 3000, groups: [2000, 4000] }, want: [1000, 3000, [2000, 3000, 4000], 0] },
])("who: $name", ({ given, want }) => {
  const who = whoIs(given, PASSWD, GROUP);
  expect([who.uid, who.gid, who.groups, who.capabilities.length]).toEqual(want);
});

describe("permission bits", () => {
  const who = { uid: 1000, gid: 100, groups: [100, 200], capabilities: [] };
  test.each([
    { owner: { uid: 1000, gid: 0, mode: 0o400 }, want: [true, false, false] },
    { owner: { uid: 1000, gid: 200, mode: 0o070 }, want: [false, false, false] },
    { owner: { uid: 0, gid: 200, mode: 0o2770 }, want: [true, true, true] },
    { owner: { uid: 0, gid: 0, mode: 0o755 }, want: [true, false, true] },
    { owner: { uid: 0, gid: 0, mode: 0o1777 }, want: [true, true, true] },
  ])("$owner", ({ owner, want }) => {
    expect(([4, 2, 1] as const).map((bit) => permits(owner, who, bit))).toEqual(want);
    expect(permits(owner, ROOT, 2)).toBe(true);
  });

  test("root without CAP_DAC_OVERRIDE is held by them", () => {
    expect(permits({ uid: 1000, gid: 0, mode: 0o700 }, { ...ROOT, capabilities: ["CHOWN"] }, 2)).toBe(false);
  });

  test.each([
    { mode: 0o644, directory: false, want: "-rw-r--r--" }, { mode: 0o2775, directory: true, want: "drwxrwsr-x" }, { mode: 0o1777, directory: true, want: "drwxrwxrwt" }, { mode: 0o4644, directory: false, want: "-rwSr--r--" },
  ])("$want", ({ mode, directory, want }) => expect(modeText(mode, directory)).toBe(want));

  test.each([
    { from: 0o644, text: "+x", want: 0o755 }, { from: 0o644, text: "u+x,go-r", want: 0o700 }, { from: 0o644, text: "0600", want: 0o600 }, { from: 0o755, text: "a=r", want: 0o444 }, { from: 0o644, text: "go+X", want: 0o644 }, { from: 0o755, text: "g+s", want: 0o2755 }, { from: 0o644, text: "x+y", want: undefined },
  ])("chmod $text", ({ from, text, want }) => expect(changedMode(from, text, false)).toBe(want));
});
