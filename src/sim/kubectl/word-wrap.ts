// Models kubernetes/staging/src/k8s.io/kubectl/pkg/util/term/term_writer.go and github.com/mitchellh/go-wordwrap

/** Breaks every line of a text at spaces so that none is longer than `limit`, words that are longer excepted. */
export function wordWrap(text: string, limit: number): string {
  return text.split("\n").map((line) => wrapLine(line, limit)).join("\n");
}

function wrapLine(line: string, limit: number): string {
  const lines: string[] = [];
  let current = "";
  for (const [, spaces = "", word = ""] of line.matchAll(/(\s*)(\S+)/g)) {
    if (current !== "" && current.length + spaces.length + word.length > limit) {
      lines.push(current);
      current = word;
    } else current += spaces + word;
  }
  return [...lines, current].join("\n");
}

/** Puts `amount` spaces before every line. */
export const indent = (text: string, amount: number): string => `${" ".repeat(amount)}${text.replaceAll("\n", `\n${" ".repeat(amount)}`)}`;
