import { UsageError } from "./io.ts";

export interface FlagSpec {
  /** "--file" */
  readonly name: string;
  /** "-f" */
  readonly short?: string;
  /** How many words follow it: 0 is a switch. */
  readonly words: number;
}

export interface Args {
  readonly positional: readonly string[];
  /** Each use of a flag with its words, in order. */
  all(name: string): readonly (readonly string[])[];
  /** The first word of its last use. */
  last(name: string): string | undefined;
  has(name: string): boolean;
}

/** Splits a command's words into flags and the rest: "--name value", "--name=value", "-f value", "-fvalue"; "--" ends flags. */
export function parseArgs(words: readonly string[], specs: readonly FlagSpec[]): Args {
  const flags = new Map<string, string[][]>();
  const positional: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      positional.push(...queue);
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      positional.push(word);
      continue;
    }
    const long = word.startsWith("--");
    const equals = long ? word.indexOf("=") : -1;
    const given = equals > 0 ? word.slice(0, equals) : long ? word : word.slice(0, 2);
    const spec = specs.find((candidate) => candidate.name === given || candidate.short === given);
    if (!spec) throw new UsageError(`unknown flag ${given}`);
    const attached = equals > 0 ? word.slice(equals + 1) : long || word.length === 2 ? undefined : word.slice(2);
    if (attached !== undefined && spec.words === 0) throw new UsageError(`flag ${given} takes no value`);
    const values = attached === undefined ? [] : [attached];
    while (values.length < spec.words) {
      const value = queue.shift();
      if (value === undefined) throw new UsageError(`flag ${given} needs ${spec.words === 1 ? "a value" : `${spec.words} values`}`);
      values.push(value);
    }
    flags.set(spec.name, [...(flags.get(spec.name) ?? []), values]);
  }
  return {
    positional,
    all: (name) => flags.get(name) ?? [],
    last: (name) => flags.get(name)?.at(-1)?.[0],
    has: (name) => flags.has(name),
  };
}

/** Splits a command as a shell would: blanks separate, quotes and backslashes hold together. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (const match of text.matchAll(/\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(['"\\])/g)) {
    const [all, single, double, escaped, plain, stray] = match;
    if (stray !== undefined) throw new UsageError(`unbalanced ${stray} in: ${text}`);
    const part = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (part !== undefined) current = (current ?? "") + part;
    else if (all !== "" && current !== undefined) {
      words.push(current);
      current = undefined;
    }
  }
  if (current !== undefined) words.push(current);
  return words;
}
