import type { List, Node, Part, Redirect, Word } from "./ast.ts";

/** A syntax error of the shell language, as sh prints it. */
export class ShellSyntaxError extends Error {}

type Token = { readonly t: "word"; readonly word: Word; readonly raw: string } | { readonly t: "op"; readonly v: string } | { readonly t: "redirect"; readonly op: Redirect["op"]; readonly fd: number };

const OPERATORS = ["&&", "||", ";;", ";", "&", "|", "(", ")", "\n"];
const isSpace = (c: string | undefined): boolean => c === " " || c === "\t";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

interface Cursor {
  readonly text: string;
  at: number;
}

function closing(c: Cursor, open: string, close: string): string {
  const start = c.at;
  for (let depth = 1; c.at < c.text.length; c.at++) {
    const ch = c.text[c.at];
    if (ch === "'" && open === "(") {
      const end = c.text.indexOf("'", c.at + 1);
      if (end > 0) c.at = end;
    } else if (ch === open) depth++;
    else if (ch === close && --depth === 0) return c.text.slice(start, c.at++);
  }
  throw new ShellSyntaxError(`syntax error: unterminated ${open}`);
}

function dollar(c: Cursor, quoted: boolean): Part {
  const rest = c.text.slice(c.at + 1);
  if (rest.startsWith("((")) {
    c.at += 3;
    const end = c.text.indexOf("))", c.at);
    if (end < 0) throw new ShellSyntaxError("syntax error: missing '))'");
    const text = c.text.slice(c.at, end);
    c.at = end + 2;
    return { t: "math", text };
  }
  if (rest.startsWith("(")) {
    c.at += 2;
    return { t: "cmd", body: parseShell(closing(c, "(", ")")), quoted };
  }
  if (rest.startsWith("{")) {
    c.at += 2;
    const inner = closing(c, "{", "}");
    const m = /^([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*])(?::?-(.*))?$/s.exec(inner);
    if (!m) throw new ShellSyntaxError("syntax error: bad substitution");
    return { t: "var", name: m[1] ?? "", quoted, ...(m[2] === undefined ? {} : { fallback: m[2] }) };
  }
  const name = NAME.exec(rest)?.[0] ?? (/^[0-9?$#@*!]/.test(rest) ? (rest[0] ?? "") : "");
  c.at += 1 + name.length;
  return name === "" ? { t: "text", v: "$", quoted } : { t: "var", name, quoted };
}

function doubleQuoted(c: Cursor, parts: Part[]): void {
  c.at++;
  let text = "";
  for (;;) {
    const ch = c.text[c.at];
    if (ch === undefined) throw new ShellSyntaxError("syntax error: unterminated quoted string");
    if (ch === '"') break;
    if (ch === "\\" && /["\\$`\n]/.test(c.text[c.at + 1] ?? "")) {
      text += c.text[c.at + 1] === "\n" ? "" : (c.text[c.at + 1] ?? "");
      c.at += 2;
    } else if (ch === "$" || ch === "`") {
      parts.push({ t: "text", v: text, quoted: true });
      text = "";
      parts.push(ch === "$" ? dollar(c, true) : backquoted(c, true));
    } else {
      text += ch;
      c.at++;
    }
  }
  parts.push({ t: "text", v: text, quoted: true });
  c.at++;
}

function backquoted(c: Cursor, quoted: boolean): Part {
  const end = c.text.indexOf("`", c.at + 1);
  if (end < 0) throw new ShellSyntaxError("syntax error: EOF in backquote substitution");
  const body = parseShell(c.text.slice(c.at + 1, end));
  c.at = end + 1;
  return { t: "cmd", body, quoted };
}

function word(c: Cursor): Token {
  const start = c.at;
  const parts: Part[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") parts.push({ t: "text", v: text, quoted: false });
    text = "";
  };
  for (;;) {
    const ch = c.text[c.at];
    if (ch === undefined || isSpace(ch) || /[;&|()<>\n]/.test(ch)) break;
    if (ch === "'") {
      const end = c.text.indexOf("'", c.at + 1);
      if (end < 0) throw new ShellSyntaxError("syntax error: unterminated quoted string");
      flush();
      parts.push({ t: "text", v: c.text.slice(c.at + 1, end), quoted: true });
      c.at = end + 1;
    } else if (ch === '"') {
      flush();
      doubleQuoted(c, parts);
    } else if (ch === "\\") {
      if (c.text[c.at + 1] !== "\n") {
        flush();
        parts.push({ t: "text", v: c.text[c.at + 1] ?? "", quoted: true });
      }
      c.at += 2;
    } else if (ch === "$") {
      flush();
      parts.push(dollar(c, false));
    } else if (ch === "`") {
      flush();
      parts.push(backquoted(c, false));
    } else {
      text += ch;
      c.at++;
    }
  }
  flush();
  return { t: "word", word: parts, raw: c.text.slice(start, c.at) };
}

function tokenize(text: string): Token[] {
  const c: Cursor = { text, at: 0 };
  const tokens: Token[] = [];
  while (c.at < text.length) {
    const ch = text[c.at];
    if (isSpace(ch) || (ch === "\\" && text[c.at + 1] === "\n")) {
      c.at += ch === "\\" ? 2 : 1;
      continue;
    }
    if (ch === "#") {
      while (c.at < text.length && text[c.at] !== "\n") c.at++;
      continue;
    }
    const redirect = /^(\d?)(>>|>&|>|<)/.exec(text.slice(c.at));
    if (redirect) {
      c.at += redirect[0].length;
      const op = redirect[2] === ">&" ? "dup" : (redirect[2] as Redirect["op"]);
      tokens.push({ t: "redirect", op, fd: redirect[1] ? Number(redirect[1]) : op === "<" ? 0 : 1 });
      continue;
    }
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, c.at));
    if (operator !== undefined) {
      c.at += operator.length;
      tokens.push({ t: "op", v: operator });
      continue;
    }
    tokens.push(word(c));
  }
  return tokens;
}

const CLOSERS = new Set(["then", "else", "elif", "fi", "do", "done", "}"]);

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  private keyword(): string {
    const token = this.tokens[this.at];
    return token?.t === "word" ? token.raw : "";
  }

  private isOp(v: string): boolean {
    const token = this.tokens[this.at];
    return token?.t === "op" && token.v === v;
  }

  private expect(keyword: string): void {
    this.newlines();
    if (this.keyword() !== keyword) {
      const token = this.tokens[this.at];
      throw new ShellSyntaxError(`syntax error: unexpected ${token === undefined ? "end of file" : token.t === "word" ? `"${token.raw}"` : token.t === "op" ? (token.v === "\n" ? "newline" : `"${token.v}"`) : "redirection"} (expecting "${keyword}")`);
    }
    this.at++;
  }

  private newlines(): void {
    while (this.isOp("\n")) this.at++;
  }

  list(): List {
    const items: List["items"][number][] = [];
    for (;;) {
      while (this.isOp("\n") || (this.isOp(";") && items.length > 0)) this.at++;
      const token = this.tokens[this.at];
      if (token === undefined || CLOSERS.has(this.keyword()) || this.isOp(")")) break;
      const node = this.pipeline();
      const next = this.tokens[this.at];
      const op = next?.t === "op" && (next.v === "&&" || next.v === "||" || next.v === "&") ? next.v : ";";
      if (next?.t === "op" && next.v !== ")") this.at++;
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
    const compound = this.compound();
    if (compound === undefined) return this.simple();
    const redirects: Redirect[] = [];
    for (let token = this.tokens[this.at]; token?.t === "redirect"; token = this.tokens[this.at]) {
      const target = this.tokens[this.at + 1];
      if (target?.t !== "word") throw new ShellSyntaxError("syntax error: unexpected newline");
      redirects.push({ op: token.op, fd: token.fd, target: target.word });
      this.at += 2;
    }
    return redirects.length === 0 ? compound : { type: "redirected", body: compound, redirects };
  }

  private compound(): Node | undefined {
    switch (this.keyword()) {
      case "if": {
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
      case "{": {
        this.at++;
        const body = this.list();
        this.expect("}");
        return { type: "group", body, subshell: false };
      }
      default:
        if (!this.isOp("(")) return undefined;
        this.at++;
        return this.subshell();
    }
  }

  private subshell(): Node {
    const body = this.list();
    if (!this.isOp(")")) throw new ShellSyntaxError('syntax error: unexpected end of file (expecting ")")');
    this.at++;
    return { type: "group", body, subshell: true };
  }

  private forLoop(): Node {
    this.at++;
    const name = this.keyword();
    this.at++;
    const words: Word[] = [];
    if (this.keyword() === "in") {
      this.at++;
      for (let token = this.tokens[this.at]; token?.t === "word"; token = this.tokens[this.at]) {
        words.push(token.word);
        this.at++;
      }
    }
    if (this.isOp(";")) this.at++;
    this.expect("do");
    const body = this.list();
    this.expect("done");
    return { type: "for", name, words, body };
  }

  private simple(): Node {
    const assigns: (readonly [string, Word])[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const token = this.tokens[this.at];
      if (token?.t === "redirect") {
        const target = this.tokens[this.at + 1];
        if (target?.t !== "word") throw new ShellSyntaxError("syntax error: unexpected newline");
        redirects.push({ op: token.op, fd: token.fd, target: target.word });
        this.at += 2;
        continue;
      }
      if (token?.t !== "word") break;
      const assign = words.length === 0 ? /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(token.raw) : null;
      if (assign) {
        const [head, ...rest] = token.word;
        const first = head?.t === "text" ? { ...head, v: head.v.slice(assign[0].length) } : undefined;
        assigns.push([assign[1] ?? "", first === undefined ? rest : [first, ...rest]]);
      } else words.push(token.word);
      this.at++;
    }
    if (words.length === 0 && assigns.length === 0 && redirects.length === 0) {
      const token = this.tokens[this.at];
      throw new ShellSyntaxError(`syntax error: unexpected ${token?.t === "op" ? `"${token.v}"` : "end of file"}`);
    }
    return { type: "simple", assigns, words, redirects };
  }
}

/** Parses a command line of `sh -c`. Simplified: no functions, case, here-documents, arrays or globbing. Throws ShellSyntaxError. */
export function parseShell(text: string): List {
  const parser = new Parser(tokenize(text));
  const list = parser.list();
  if (!parser.done) throw new ShellSyntaxError("syntax error: unexpected token");
  return list;
}
