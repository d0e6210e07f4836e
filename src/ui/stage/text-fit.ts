/** Mean width of a character of the system font at 1 px size: good enough to shorten a label without measuring. */
const CHARACTER = 0.53;

/** The text, cut with an ellipsis if it would be wider than `width` px at `size` px. */
export function fit(text: string, width: number, size: number): string {
  const room = Math.floor(width / (size * CHARACTER));
  return text.length <= room ? text : room < 3 ? "" : `${text.slice(0, room - 1).trimEnd()}…`;
}

/** At most `lines` lines of words. */
export function wrap(text: string, width: number, size: number, lines: number): string[] {
  const room = Math.max(4, Math.floor(width / (size * CHARACTER)));
  const wrapped: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > room) {
      wrapped.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  wrapped.push(line);
  if (wrapped.length <= lines) return wrapped.map((one) => fit(one, width, size));
  return [...wrapped.slice(0, lines - 1), `${wrapped.slice(lines - 1).join(" ")}`].map((one) => fit(one, width, size));
}
