/** Words that are names of the page's own buttons, and what a component's name says in their place. */
const OTHER_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bappl(y|ying|ies|ied)\b/gi, "submit"],
  [/\bdelet(e|es|ing|ed)\b/gi, "remove"],
  [/\bpauses?\b/gi, "sandbox"],
  [/\bplay(s|ing)?\b/gi, "run"],
  [/\bshar(e|es|ing)\b/gi, "give"],
];

/** A live line as part of a button's name: never to be confused with the buttons Apply, Delete, Pause, by voice control above all. */
export function spoken(status: string): string {
  if (status === "") return "idle";
  return OTHER_WORDS.reduce((text, [word, other]) => text.replaceAll(word, other), status);
}
