import type { List, Node, Redirect, Word } from "./ast.ts";
import { Lexer, ShellSyntaxError, type Token } from "./lexer.ts";

const CLOSERS = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);
const FUNCTION_NAME = /^[A-Za-z_][\w.-]*$/;

const textOf = (word: Word | undefined): string => (word ?? []).map((part) => (part.t === "text" ? part.v : "")).join("");

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  private keyword(ahead = 0): string {
    const token = this.tokens[this.at + ahead];
    return token?.t === "word" ? token.raw : "";
  }

  private isOp(v: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.t === "op" && token.v === v;
  }

  unexpected(expecting = ""): ShellSyntaxError {
    const token = this.tokens[this.at];
    const what = token === undefined ? "end of file" : token.t === "word" ? `"${token.raw}"` : token.t === "op" ? (token.v === "\n" ? "newline" : `"${token.v}"`) : "redirection";
    return new ShellSyntaxError(`syntax error: unexpected ${what}${expecting === "" ? "" : ` (expecting "${expecting}")`}`);
  }

  private expect(keyword: string): void {
    this.newlines();
    if (this.keyword() !== keyword) throw this.unexpected(keyword);
    this.at++;
  }

  private newlines(): void {
    while (this.isOp("\n")) this.at++;
  }

  list(): List {
    const items: List["items"][number][] = [];
    for (;;) {
      while (this.isOp("\n") || (this.isOp(";") && items.length > 0)) this.at++;
      if (this.done || CLOSERS.has(this.keyword()) || this.isOp(")") || this.isOp(";;")) break;
      const node = this.pipeline();
      const next = this.tokens[this.at];
      const op = next?.t === "op" && (next.v === "&&" || next.v === "||" || next.v === "&") ? next.v : ";";
      if (next?.t === "op" && next.v !== ")" && next.v !== ";;") this.at++;
      if (op === "&&" || op === "||") this.newlines();
      items.push({ node, op });
    }
    return { items };
  }

  get done(): boolean {
    return this.at >= this.tokens.length;
  }

  private pipeline(): Node {
    if (this.keyword() === "!") {
      this.at++;
      return { type: "not", body: this.pipeline() };
    }
    const commands = [this.command()];
    while (this.isOp("|")) {
      this.at++;
      this.newlines();
      commands.push(this.command());
    }
    const [only] = commands;
    return commands.length === 1 && only ? only : { type: "pipe", commands };
  }

  private command(): Node {
    if (this.keyword() === "function" && FUNCTION_NAME.test(this.keyword(1))) {
      this.at++;
      return this.definition();
    }
    if (FUNCTION_NAME.test(this.keyword()) && this.isOp("(", 1) && this.isOp(")", 2)) return this.definition();
    const compound = this.compound();
    if (compound === undefined) return this.simple();
    const redirects = this.redirects();
    return redirects.length === 0 ? compound : { type: "redirected", body: compound, redirects };
  }

  private definition(): Node {
    const name = this.keyword();
    this.at++;
    if (this.isOp("(")) this.at += 2;
    this.newlines();
    return { type: "function", name, body: this.command() };
  }

  private redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (let one = this.redirect(); one !== undefined; one = this.redirect()) redirects.push(one);
    return redirects;
  }

  private redirect(): Redirect | undefined {
    const token = this.tokens[this.at];
    if (token?.t !== "redirect") return undefined;
    this.at++;
    if (token.here !== undefined) return { op: token.op, fd: token.fd, target: token.here };
    const target = this.tokens[this.at];
    if (target?.t !== "word") throw this.unexpected();
    this.at++;
    return { op: token.op, fd: token.fd, target: target.word };
  }

  private compound(): Node | undefined {
    switch (this.keyword()) {
      case "if":
        return this.conditional();
      case "while":
      case "until": {
        const until = this.keyword() === "until";
        this.at++;
        const cond = this.list();
        this.expect("do");
        const body = this.list();
        this.expect("done");
        return { type: "while", cond, body, until };
      }
      case "for":
        return this.forLoop();
      case "case":
        return this.choice();
      case "{": {
        this.at++;
        const body = this.list();
        this.expect("}");
        return { type: "group", body, subshell: false };
      }
      default: {
        if (!this.isOp("(")) return undefined;
        this.at++;
        const body = this.list();
        if (!this.isOp(")")) throw this.unexpected(")");
        this.at++;
        return { type: "group", body, subshell: true };
      }
    }
  }

  private conditional(): Node {
    const clauses: { cond: List; body: List }[] = [];
    do {
      this.at++;
      const cond = this.list();
      this.expect("then");
      clauses.push({ cond, body: this.list() });
    } while (this.keyword() === "elif");
    if (this.keyword() !== "else") {
      this.expect("fi");
      return { type: "if", clauses };
    }
    this.at++;
    const otherwise = this.list();
    this.expect("fi");
    return { type: "if", clauses, otherwise };
  }

  private forLoop(): Node {
    this.at++;
    const name = this.keyword();
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new ShellSyntaxError("syntax error: bad for loop variable");
    this.at++;
    this.newlines();
    const words: Word[] = [];
    if (this.keyword() === "in") {
      this.at++;
      for (let token = this.tokens[this.at]; token?.t === "word"; token = this.tokens[this.at]) {
        words.push(token.word);
        this.at++;
      }
    } else words.push([{ t: "var", name: "@", quoted: true }]);
    if (this.isOp(";")) this.at++;
    this.expect("do");
    const body = this.list();
    this.expect("done");
    return { type: "for", name, words, body };
  }

  private choice(): Node {
    this.at++;
    const word = this.tokens[this.at];
    if (word?.t !== "word") throw this.unexpected();
    this.at++;
    this.expect("in");
    this.newlines();
    const clauses: { patterns: Word[]; body: List }[] = [];
    while (this.keyword() !== "esac") {
      if (this.done) throw this.unexpected("esac");
      if (this.isOp("(")) this.at++;
      const patterns: Word[] = [];
      for (let token = this.tokens[this.at]; token?.t === "word"; token = this.tokens[this.at]) {
        patterns.push(token.word);
        this.at++;
        if (this.isOp("|")) this.at++;
      }
      if (!this.isOp(")")) throw this.unexpected(")");
      this.at++;
      clauses.push({ patterns, body: this.list() });
      if (this.isOp(";;")) this.at++;
      this.newlines();
    }
    this.at++;
    return { type: "case", word: word.word, clauses };
  }

  /** `[[ ... ]]`: its operators are words of the test. */
  private doubleBracket(): Word[] {
    const words: Word[] = [];
    for (; this.keyword() !== "]]"; this.at++) {
      const token = this.tokens[this.at];
      if (token === undefined) throw this.unexpected("]]");
      const before = words.at(-1);
      if (words.at(-2)?.[0]?.t === "text" && textOf(words.at(-2)) === "=~" && before && token.t !== "redirect" && !(token.t === "op" && /^(?:&&|\|\|)$/.test(token.v))) words[words.length - 1] = [...before, ...(token.t === "word" ? token.word.map((part) => (part.t === "text" ? { ...part, quoted: true } : part)) : [{ t: "text" as const, v: token.v, quoted: true }])];
      else if (textOf(before) === "=~" && token.t !== "redirect") words.push(token.t === "word" ? token.word.map((part) => (part.t === "text" ? { ...part, quoted: true } : part)) : [{ t: "text", v: token.v, quoted: true }]);
      else if (token.t === "word") words.push(token.word);
      else if (token.t === "redirect") words.push([{ t: "text", v: token.op, quoted: true }]);
      else words.push([{ t: "text", v: token.v === "&&" ? "-a" : token.v === "||" ? "-o" : token.v, quoted: true }]);
    }
    this.at++;
    return [...words, [{ t: "text", v: "]]", quoted: true }]];
  }

  /** bash: `name=(a b c)`. */
  private arrayWords(): readonly Word[] {
    const words: Word[] = [];
    for (this.at++; !this.isOp(")"); this.at++) {
      const token = this.tokens[this.at];
      if (token === undefined) throw this.unexpected(")");
      if (token.t === "word") words.push(token.word);
    }
    this.at++;
    return words;
  }

  private simple(): Node {
    const assigns: (readonly [string, Word])[] = [];
    const arrays: (readonly [string, readonly Word[]])[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.redirect();
      if (redirect !== undefined) {
        redirects.push(redirect);
        continue;
      }
      const token = this.tokens[this.at];
      if (token?.t !== "word") break;
      this.at++;
      const assign = words.length === 0 ? /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(token.raw) : null;
      const array = words.length === 0 && this.isOp("(") ? /^([A-Za-z_]\w*)\+?=$/.exec(token.raw) : null;
      if (array) arrays.push([array[1] ?? "", this.arrayWords()]);
      else if (assign) {
        const [head, ...rest] = token.word;
        const first = head?.t === "text" ? { ...head, v: head.v.slice(assign[0].length) } : undefined;
        assigns.push([assign[1] ?? "", first === undefined ? rest : [first, ...rest]]);
      } else words.push(token.word);
      if (words.length === 1 && token.raw === "[[") words.push(...this.doubleBracket());
    }
    if (words.length === 0 && assigns.length === 0 && arrays.length === 0 && redirects.length === 0) throw this.unexpected();
    return { type: "simple", assigns, ...(arrays.length === 0 ? {} : { arrays }), words, redirects };
  }
}

const parsed = new Map<string, List>();
/** Scripts of one run are few; a loop's `sh -c` is read once. */
const KEPT = 200;

/** Parses a script. Simplified: no `(( ))` commands, process substitution or aliases. Throws ShellSyntaxError. */
export function parseShell(text: string): List {
  const known = parsed.get(text);
  if (known) return known;
  const parser = new Parser(new Lexer(text, parseShell).tokenize());
  const list = parser.list();
  if (!parser.done) throw parser.unexpected();
  if (parsed.size >= KEPT) parsed.clear();
  parsed.set(text, list);
  return list;
}
