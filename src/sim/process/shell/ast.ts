/** The parsed form of a command line: plain data, so that a run can stop in the middle and be looked at. */
export type Part =
  | { readonly t: "text"; readonly v: string; readonly quoted: boolean }
  /** `op` of ${name op word}: ":-", "%%", "len", "/", ":" for a part, ... */
  /** `index` of ${name[index]}: "@" for all. */
  | { readonly t: "var"; readonly name: string; readonly quoted: boolean; readonly op?: string; readonly word?: Word; readonly index?: Word }
  | { readonly t: "cmd"; readonly body: List; readonly quoted: boolean }
  | { readonly t: "math"; readonly text: Word };
export type Word = readonly Part[];

export interface Redirect {
  /** dup: `n>&m`. here: the text itself (here-document or here-string). both: `&>file`. */
  readonly op: ">" | ">>" | "<" | "dup" | "here" | "both";
  readonly fd: number;
  readonly target: Word;
}

export type Node =
  | { readonly type: "simple"; readonly assigns: readonly (readonly [string, Word])[]; readonly arrays?: readonly (readonly [string, readonly Word[]])[]; readonly words: readonly Word[]; readonly redirects: readonly Redirect[] }
  | { readonly type: "pipe"; readonly commands: readonly Node[] }
  | { readonly type: "not"; readonly body: Node }
  | { readonly type: "if"; readonly clauses: readonly { readonly cond: List; readonly body: List }[]; readonly otherwise?: List }
  | { readonly type: "while"; readonly cond: List; readonly body: List; readonly until: boolean }
  | { readonly type: "for"; readonly name: string; readonly words: readonly Word[]; readonly body: List }
  | { readonly type: "case"; readonly word: Word; readonly clauses: readonly { readonly patterns: readonly Word[]; readonly body: List }[] }
  | { readonly type: "function"; readonly name: string; readonly body: Node }
  | { readonly type: "redirected"; readonly body: Node; readonly redirects: readonly Redirect[] }
  | { readonly type: "group"; readonly body: List; readonly subshell: boolean };

export interface List {
  readonly items: readonly { readonly node: Node; readonly op: ";" | "&&" | "||" | "&" }[];
}

/** The command substitutions of a word, in the order in which a shell runs them. */
function substitutionsOf(word: Word): readonly List[] {
  return word.flatMap((part) => (part.t === "cmd" ? [part.body] : part.t === "math" ? substitutionsOf(part.text) : part.t === "var" && part.word ? substitutionsOf(part.word) : []));
}

/** The command substitutions that must have run before a node can be entered. */
export function substitutions(node: Node): readonly List[] {
  switch (node.type) {
    case "simple":
      return [...node.words, ...node.assigns.map(([, word]) => word), ...(node.arrays ?? []).flatMap(([, words]) => words), ...node.redirects.map(({ target }) => target)].flatMap(substitutionsOf);
    case "for":
      return node.words.flatMap(substitutionsOf);
    case "case":
      return [node.word, ...node.clauses.flatMap(({ patterns }) => patterns)].flatMap(substitutionsOf);
    case "redirected":
      return node.redirects.flatMap(({ target }) => substitutionsOf(target));
    default:
      return [];
  }
}
