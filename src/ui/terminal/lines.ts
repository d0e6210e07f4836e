interface Open {
  /** What the lines so far still need: a closing quote, the end of a here-document, the line after a backslash. */
  readonly needs: "quote" | "document" | "line" | undefined;
}

/** Whether a text is a whole command, or goes on with the next line. */
export function openEnd(text: string): Open["needs"] {
  const document = /<<-?\s*(['"]?)([A-Za-z_]\w*)\1/.exec(text);
  if (document) {
    const rest = text.slice(document.index).split("\n").slice(1);
    return rest.some((line) => line.replace(/^\t+/, "") === document[2]) ? undefined : "document";
  }
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === "\\" && quote !== "'") {
      if (i === text.length - 1) return "line";
      i++;
    } else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "#" && /(^|\s)$/.test(text.slice(0, i))) i = text.includes("\n", i) ? text.indexOf("\n", i) : text.length;
  }
  return quote === "" ? undefined : "quote";
}

/** Commands of a text of several lines, in order: here-documents, quotes and lines that end in a backslash stay together. */
export function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    open = open === "" ? line : `${open}\n${line}`;
    if (openEnd(open) !== undefined) continue;
    if (open.trim() !== "" && !open.trim().startsWith("#")) commands.push(open.trim());
    open = "";
  }
  return open.trim() === "" ? commands : [...commands, open.trim()];
}

/** The newest command of a history that has a text in it, and that is older than `before`. */
export function searchBack(history: readonly string[], query: string, before: number = history.length): number {
  if (query === "") return -1;
  for (let i = before - 1; i >= 0; i--) if (history[i]?.includes(query) === true) return i;
  return -1;
}
