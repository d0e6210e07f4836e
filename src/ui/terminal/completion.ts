import type { Completion } from "../../worker/protocol.ts";

export type Suggestions = Completion["suggestions"];

/** Words of the terminal itself, which kubectl knows nothing of. */
const OWN = [
  { text: "kubectl", about: "the cluster's command line" },
  { text: "help", about: "how this terminal works" },
  { text: "clear", about: "empties this screen" },
];

/** Adds what only the page knows: its own words, and the name of the editor's file where a file is wanted. */
export function withOwn(line: string, cursor: number, { from, suggestions }: Completion, file: string): Completion {
  const before = line.slice(0, from);
  const word = line.slice(from, cursor);
  const own = before.trim() === "" && word !== "" ? OWN : /(^|\s)(-f|--filename)\s+$/.test(before) ? [{ text: file, about: "the editor's manifest" }] : [];
  const named = /^(-f|--filename)=/.exec(word);
  const files = named ? [{ text: `${named[0]}${file}`, about: "the editor's manifest" }] : [];
  const more = [...own, ...files].filter(({ text }) => text.startsWith(word) && !suggestions.some((one) => one.text === text));
  return { from, suggestions: [...more, ...suggestions] };
}

/** As far as all suggestions agree. */
export function commonStart(suggestions: Suggestions): string {
  let common = suggestions[0]?.text ?? "";
  for (const { text } of suggestions) while (!text.startsWith(common)) common = common.slice(0, -1);
  return common;
}

export interface Line {
  readonly text: string;
  readonly cursor: number;
}

/** The line with the word before the cursor replaced; a blank follows a word that is whole. */
export function withWord({ text, cursor }: Line, from: number, word: string, whole: boolean): Line {
  const gap = whole && !/[=/:,.]$/.test(word) && !/^\s/.test(text.slice(cursor)) ? " " : "";
  return { text: `${text.slice(0, from)}${word}${gap}${text.slice(cursor)}`, cursor: from + word.length + gap.length };
}
