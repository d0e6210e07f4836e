import { expect, test } from "vitest";
import type { ChapterRange } from "../chapters.ts";
import type { Trace } from "../trace.ts";
import { transcript } from "./transcript.ts";

const notes = [
  { at: 0, component: "kubectl", text: "kubectl reads <b>web_1.yaml</b>.", why: "" },
  { at: 50, component: "etcd", text: "A line\nbroken", why: "Because *so*." },
];
const trace = { note: (id: number) => notes[id] } as unknown as Trace;
const write = (chapters: readonly ChapterRange[], steps: readonly number[] = [0, 1]): string =>
  transcript({ trace, steps: Int32Array.from(steps), chapters, heading: ({ number }) => `Chapter ${number}`, time: (at) => `${at} us` });

test.each<[string, readonly ChapterRange[], string]>([
  ["no chapters", [], "# Transcript\n\n- **0 us** kubectl: kubectl reads \\<b\\>web\\_1.yaml\\</b\\>.\n- **50 us** etcd: A line broken\n  Because \\*so\\*.\n"],
  ["a heading before the first step at or after its start, in order of time", [{ number: 2, from: 50, to: 60 }, { number: 1, from: 0, to: 50 }], "# Transcript\n\n## Chapter 1\n\n- **0 us** kubectl: kubectl reads \\<b\\>web\\_1.yaml\\</b\\>.\n\n## Chapter 2\n\n- **50 us** etcd: A line broken\n  Because \\*so\\*.\n"],
  ["a chapter that the run does not reach has none", [{ number: 3, missing: "no" }], "# Transcript\n\n- **0 us** kubectl: kubectl reads \\<b\\>web\\_1.yaml\\</b\\>.\n- **50 us** etcd: A line broken\n  Because \\*so\\*.\n"],
])("%s", (_, chapters, text) => expect(write(chapters)).toBe(text));

test("a chapter after the last step keeps its heading", () => expect(write([{ number: 4, from: 99, to: 100 }]).endsWith("\n\n## Chapter 4\n")).toBe(true));
