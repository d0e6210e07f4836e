/** Splits a command line as a shell would: blanks, quotes and backslashes; no expansion. Undefined if a quote is open. */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] as string;
    if (quote !== "") {
      if (c === quote) quote = "";
      else if (c === "\\" && quote === '"' && i + 1 < line.length) word = (word ?? "") + (line[++i] as string);
      else word = (word ?? "") + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (c === "\\" && i + 1 < line.length) word = (word ?? "") + (line[++i] as string);
    else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + c;
  }
  if (quote !== "") return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

const READ_ONLY = new Set(["get", "describe", "logs", "events", "explain", "version", "api-resources", "api-versions", "cluster-info", "config", "top", "auth", "diff", "wait", "options", "help", "completion"]);

/** True for a kubectl command (without "kubectl") that changes nothing in the cluster. */
export function isReadOnly(argv: readonly string[]): boolean {
  if (argv.some((word) => word.startsWith("--dry-run"))) return true;
  const words = argv.filter((word) => !word.startsWith("-"));
  if (words[0] === "rollout") return words[1] === "status" || words[1] === "history";
  return words[0] === undefined || READ_ONLY.has(words[0]);
}
