import { isDirectory, listDirectory, normalizePath, readFile, type FileView } from "../files.ts";

/** A shell pattern as a regular expression; a backslash takes the next character as it is. */
export function globRegExp(pattern: string, path = false): RegExp {
  let out = "";
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] ?? "";
    const close = c === "[" ? pattern.indexOf("]", i + 2) : -1;
    if (c === "*") out += path ? "[^/]*" : "[\\s\\S]*";
    else if (c === "?") out += path ? "[^/]" : "[\\s\\S]";
    else if (close > 0) {
      out += `[${pattern.slice(i + 1, close).replace(/^!/, "^").replace(/\\/g, "\\\\")}]`;
      i = close;
    } else {
      const literal = c === "\\" ? (pattern[++i] ?? "") : c;
      out += literal.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
    }
  }
  return new RegExp(`^${out}$`);
}

export const quoteGlob = (text: string): string => text.replace(/[\\*?[\]]/g, "\\$&");
const hasGlob = (text: string): boolean => /(?:^|[^\\])[*?[]/.test(text);

/** Paths that a pattern matches, sorted; none: the pattern stands for itself. */
export function matchPaths(pattern: string, view: FileView, cwd: string): readonly string[] {
  const absolute = pattern.startsWith("/");
  let found = [absolute ? "/" : ""];
  const parts = pattern.split("/").filter((part) => part !== "");
  parts.forEach((part, i) => {
    const last = i + 1 === parts.length;
    found = found.flatMap((base) => {
      const at = normalizePath(base === "" ? "." : base, cwd);
      const join = (name: string): string => (base === "" || base === "/" ? base : `${base}/`) + name;
      if (!hasGlob(part)) {
        const path = join(part.replace(/\\(.)/g, "$1"));
        const there = normalizePath(path, cwd);
        return readFile(view, there) !== undefined || isDirectory(view, there) ? [path] : [];
      }
      const matcher = globRegExp(part, true);
      return listDirectory(view, at).filter((name) => (part.startsWith(".") || !name.startsWith(".")) && matcher.test(name) && (last || isDirectory(view, normalizePath(join(name), cwd)))).map(join);
    });
  });
  return found.sort((a, b) => (a < b ? -1 : 1));
}
