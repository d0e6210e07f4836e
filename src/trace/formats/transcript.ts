import type { ChapterRange } from "../chapters.ts";
import type { Trace } from "../trace.ts";

/** What a transcript is of. */
export interface TranscriptOf {
  readonly trace: Trace;
  /** Note ids in the order of the run. */
  readonly steps: Int32Array;
  readonly chapters: readonly ChapterRange[];
  /** A chapter's heading. */
  readonly heading: (chapter: ChapterRange) => string;
  /** A time (microseconds) as the page writes it. */
  readonly time: (at: number) => string;
}

/** Text that Markdown would read as markup or as HTML stays text. */
const plain = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|]/g, "\\$&").replaceAll(/\s*\n\s*/g, " ");

/** All captions as Markdown: a heading for each chapter the run reaches, a line for each step, and under it why. */
export function transcript({ trace, steps, chapters, heading, time }: TranscriptOf): string {
  const reached = chapters.flatMap((chapter) => (chapter.from === undefined ? [] : [{ chapter, from: chapter.from }])).sort((a, b) => a.from - b.from);
  const lines = ["# Transcript", ""];
  let next = 0;
  for (const id of steps) {
    const note = trace.note(id);
    for (let opened = reached[next]; opened && opened.from <= note.at; opened = reached[++next]) lines.push("", `## ${plain(heading(opened.chapter))}`, "");
    lines.push(`- **${time(note.at)}** ${plain(note.component)}: ${plain(note.text)}`);
    if (note.why) lines.push(`  ${plain(note.why)}`);
  }
  for (let opened = reached[next]; opened; opened = reached[++next]) lines.push("", `## ${plain(heading(opened.chapter))}`);
  return `${lines.join("\n").replaceAll(/\n{3,}/g, "\n\n")}\n`;
}
