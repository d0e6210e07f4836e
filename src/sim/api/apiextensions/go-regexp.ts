// Go's RE2 patterns as JavaScript's: the syntax they share, and the few spellings that differ

const CLASSES: Readonly<Record<string, string>> = { alnum: "0-9A-Za-z", alpha: "A-Za-z", digit: "0-9", lower: "a-z", upper: "A-Z", space: "\\t\\n\\v\\f\\r ", punct: "!-/:-@[-`{-~", word: "0-9A-Za-z_", xdigit: "0-9A-Fa-f" };
const known = new Map<string, RegExp | undefined>();

function translate(pattern: string): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const body = (flags === null ? pattern : pattern.slice(flags[0].length)).replaceAll("(?P<", "(?<").replaceAll(/\\A/g, "^").replaceAll(/\\[zZ]/g, "$").replaceAll(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all);
  // RE2 has neither looking around nor back references.
  if (/\(\?(?:[=!]|<[=!])|\\[1-9]/.test(body)) return undefined;
  try {
    return new RegExp(body, flags?.[1] ?? "");
  } catch {
    return undefined;
  }
}

/** The pattern compiled, or undefined when Go would not take it. */
export function goRegExp(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) known.set(pattern, translate(pattern));
  return known.get(pattern);
}
