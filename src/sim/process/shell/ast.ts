/** The parsed form of a command line: plain data, so that a run can stop in the middle and be looked at. */
export type Part =
  | { readonly t: "text"; readonly v: string; readonly quoted: boolean }
  | { readonly t: "var"; readonly name: string; readonly quoted: boolean; readonly fallback?: string }
  | { readonly t: "cmd"; readonly body: List; readonly quoted: boolean }
  | { readonly t: "math"; readonly text: string };
export type Word = readonly Part[];

export interface Redirect {
  readonly op: ">" | ">>" | "<" | "dup";
  readonly fd: number;
  readonly target: Word;
}

export type Node =
  | { readonly type: "simple"; readonly assigns: readonly (readonly [string, Word])[]; readonly words: readonly Word[]; readonly redirects: readonly Redirect[] }
  | { readonly type: "pipe"; readonly commands: readonly Node[] }
  | { readonly type: "not"; readonly body: Node }
  | { readonly type: "if"; readonly clauses: readonly { readonly cond: List; readonly body: List }[]; readonly otherwise?: List }
  | { readonly type: "while"; readonly cond: List; readonly body: List; readonly until: boolean }
  | { readonly type: "for"; readonly name: string; readonly words: readonly Word[]; readonly body: List }
  | { readonly type: "redirected"; readonly body: Node; readonly redirects: readonly Redirect[] }
  | { readonly type: "group"; readonly body: List; readonly subshell: boolean };

export interface List {
  readonly items: readonly { readonly node: Node; readonly op: ";" | "&&" | "||" | "&" }[];
}
