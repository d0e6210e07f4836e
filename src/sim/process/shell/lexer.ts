import type { List, Part, Redirect, Word } from "./ast.ts";

/** A syntax error of the shell language, as sh prints it. */
export class ShellSyntaxError extends Error {}

export type Token =
  | { readonly t: "word"; readonly word: Word; readonly raw: string }
  | { readonly t: "op"; readonly v: string }
  | { readonly t: "redirect"; readonly op: Redirect["op"]; readonly fd: number; readonly here?: Word };

/** Parses what stands in `$( )`. */
export type ParseList = (text: string) => List;

const OPERATORS = ["&&", "||", ";;", ";", "&", "|", "(", ")", "\n"];
const isSpace = (c: string | undefined): boolean => c === " " || c === "\t";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const SPECIAL = /^[0-9?$#@*!-]/;

/** Reads a command line character by character. */
export class Lexer {
  private readonly text: string;
  private readonly parse: ParseList;
  private at = 0;
  /** Here-documents whose bodies begin after the next newline. */
  private pending: { readonly at: number; readonly end: string; readonly strip: boolean; readonly literal: boolean }[] = [];
  private readonly tokens: Token[] = [];

  constructor(text: string, parse: ParseList) {
    this.text = text;
    this.parse = parse;
  }

  /** All tokens of the text. Throws ShellSyntaxError. */
  tokenize(): readonly Token[] {
    while (this.at < this.text.length) this.next();
    if (this.pending.length > 0) this.hereBodies();
    return this.tokens;
  }

  private next(): void {
    const { text } = this;
    const ch = text[this.at];
    if (isSpace(ch) || (ch === "\\" && text[this.at + 1] === "\n")) {
      this.at += ch === "\\" ? 2 : 1;
      return;
    }
    if (ch === "#") {
      while (this.at < text.length && text[this.at] !== "\n") this.at++;
      return;
    }
    if (this.redirect()) return;
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, this.at));
    if (operator === undefined) {
      this.tokens.push(this.word());
      return;
    }
    this.at += operator.length;
    this.tokens.push({ t: "op", v: operator });
    if (operator === "\n" && this.pending.length > 0) this.hereBodies();
  }

  private redirect(): boolean {
    const m = /^(?:&>>?|(\d?)(<<<|<<-?|>>|>&|<&|>\||>|<))/.exec(this.text.slice(this.at));
    if (!m || (m[2] === "<" && this.text[this.at + m[0].length] === "(")) return false;
    this.at += m[0].length;
    const sign = m[2] ?? "";
    const fd = m[1] ? Number(m[1]) : sign.startsWith("<") ? 0 : 1;
    if (sign === "<<" || sign === "<<-") {
      while (isSpace(this.text[this.at])) this.at++;
      const word = this.word();
      const literal = word.t === "word" && word.word.some((part) => part.t === "text" && part.quoted);
      const end = word.t === "word" ? word.word.map((part) => (part.t === "text" ? part.v : "")).join("") : "";
      this.pending.push({ at: this.tokens.length, end, strip: sign === "<<-", literal });
      this.tokens.push({ t: "redirect", op: "here", fd, here: [] });
      return true;
    }
    if (sign === "<<<") {
      while (isSpace(this.text[this.at])) this.at++;
      const word = this.word();
      this.tokens.push({ t: "redirect", op: "here", fd, here: word.t === "word" ? [...word.word.map((part) => (part.t === "math" ? part : { ...part, quoted: true })), { t: "text", v: "\n", quoted: true }] : [] });
      return true;
    }
    this.tokens.push({ t: "redirect", op: m[0].startsWith("&") ? "both" : sign.endsWith("&") ? "dup" : sign === ">|" ? ">" : (sign as Redirect["op"]), fd });
    return true;
  }

  private hereBodies(): void {
    for (const { at, end, strip, literal } of this.pending) {
      const lines: string[] = [];
      while (this.at < this.text.length) {
        const stop = this.text.indexOf("\n", this.at);
        const line = this.text.slice(this.at, stop < 0 ? undefined : stop);
        this.at = stop < 0 ? this.text.length : stop + 1;
        const shown = strip ? line.replace(/^\t+/, "") : line;
        if (shown === end) break;
        lines.push(shown);
      }
      const body = lines.map((line) => `${line}\n`).join("");
      this.tokens[at] = { t: "redirect", op: "here", fd: 0, here: literal ? [{ t: "text", v: body, quoted: true }] : new Lexer(body, this.parse).quotedText() };
    }
    this.pending = [];
  }

  /** The text as it would stand between double quotes, to its end. */
  quotedText(): Word {
    const parts: Part[] = [];
    this.quoted(parts, undefined);
    return parts;
  }

  private word(): Token {
    const start = this.at;
    const parts: Part[] = [];
    let text = "";
    const flush = (): void => {
      if (text !== "") parts.push({ t: "text", v: text, quoted: false });
      text = "";
    };
    for (;;) {
      const ch = this.text[this.at];
      if (ch === undefined || isSpace(ch) || /[;&|()<>\n]/.test(ch)) break;
      if (ch === "'") {
        flush();
        parts.push({ t: "text", v: this.singleQuoted(), quoted: true });
      } else if (ch === '"') {
        flush();
        this.at++;
        this.quoted(parts, '"');
      } else if (ch === "\\") {
        if (this.text[this.at + 1] !== "\n") {
          flush();
          parts.push({ t: "text", v: this.text[this.at + 1] ?? "", quoted: true });
        }
        this.at += 2;
      } else if (ch === "$" || ch === "`") {
        flush();
        parts.push(ch === "$" ? this.dollar(false) : this.backquoted(false));
      } else {
        text += ch;
        this.at++;
      }
    }
    flush();
    return { t: "word", word: parts, raw: this.text.slice(start, this.at) };
  }

  private singleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) throw new ShellSyntaxError("syntax error: unterminated quoted string");
    const value = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return value;
  }

  /** Up to an unescaped `close`, or to the end of the text. */
  private quoted(parts: Part[], close: string | undefined): void {
    let text = "";
    for (;;) {
      const ch = this.text[this.at];
      if (ch === undefined && close !== undefined) throw new ShellSyntaxError("syntax error: unterminated quoted string");
      if (ch === undefined || ch === close) break;
      if (ch === "\\" && /["\\$`\n]/.test(this.text[this.at + 1] ?? "")) {
        const escaped = this.text[this.at + 1] ?? "";
        text += escaped === "\n" ? "" : escaped === '"' && close === undefined ? '\\"' : escaped;
        this.at += 2;
      } else if (ch === "$" || ch === "`") {
        parts.push({ t: "text", v: text, quoted: true });
        text = "";
        parts.push(ch === "$" ? this.dollar(true) : this.backquoted(true));
      } else {
        text += ch;
        this.at++;
      }
    }
    parts.push({ t: "text", v: text, quoted: true });
    this.at++;
  }

  private backquoted(quoted: boolean): Part {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== "`") end += this.text[end] === "\\" ? 2 : 1;
    if (end >= this.text.length) throw new ShellSyntaxError("syntax error: EOF in backquote substitution");
    const body = this.parse(this.text.slice(this.at + 1, end).replace(/\\([`\\$])/g, "$1"));
    this.at = end + 1;
    return { t: "cmd", body, quoted };
  }

  private dollar(quoted: boolean): Part {
    const rest = this.text.slice(this.at + 1);
    if (rest.startsWith("((")) {
      this.at += 3;
      const inner = this.closing("(", ")");
      if (this.text[this.at] !== ")") throw new ShellSyntaxError("syntax error: missing '))'");
      this.at++;
      return { t: "math", text: new Lexer(inner, this.parse).quotedText() };
    }
    if (rest.startsWith("(")) {
      this.at += 2;
      return { t: "cmd", body: this.parse(this.closing("(", ")")), quoted };
    }
    if (rest.startsWith("{")) {
      this.at += 2;
      return this.braced(this.closing("{", "}"), quoted);
    }
    if (rest.startsWith("'") && !quoted) {
      this.at++;
      return { t: "text", v: this.singleQuoted().replace(/\\([ntr\\'])/g, (_, c: string) => ({ n: "\n", t: "\t", r: "\r" })[c] ?? c), quoted: true };
    }
    const name = NAME.exec(rest)?.[0] ?? SPECIAL.exec(rest)?.[0] ?? "";
    this.at += 1 + name.length;
    return name === "" ? { t: "text", v: "$", quoted } : { t: "var", name, quoted };
  }

  private braced(inner: string, quoted: boolean): Part {
    const length = /^#([A-Za-z_]\w*|[0-9@*])(?:\[([^\]]*)\])?$/.exec(inner);
    if (length) return { t: "var", name: length[1] ?? "", quoted, op: "len", ...this.index(length[2]) };
    const m = /^([A-Za-z_]\w*|\d+|[?$#@*!-])(?:\[([^\]]*)\])?(?:(:?[-=?+]|%%?|##?|\/\/?|:|\^\^?|,,?)([\s\S]*))?$/.exec(inner);
    if (!m) throw new ShellSyntaxError("syntax error: bad substitution");
    const at = this.index(m[2]);
    if (m[3] === undefined) return { t: "var", name: m[1] ?? "", quoted, ...at };
    const text = m[4] ?? "";
    const word = /^[-=?+:/^,]/.test(m[3]) && quoted ? new Lexer(text, this.parse).quotedText() : new Lexer(text, this.parse).plainText();
    return { t: "var", name: m[1] ?? "", quoted, op: m[3], word, ...at };
  }

  private index(text: string | undefined): { readonly index?: Word } {
    return text === undefined ? {} : { index: new Lexer(text, this.parse).quotedText() };
  }

  /** The text as one word whose blanks do not end it. */
  plainText(): Word {
    const parts: Part[] = [];
    while (this.at < this.text.length) {
      const token = this.word();
      if (token.t === "word") parts.push(...token.word);
      if (this.at < this.text.length) parts.push({ t: "text", v: this.text[this.at++] ?? "", quoted: false });
    }
    return parts;
  }

  private closing(open: string, close: string): string {
    const start = this.at;
    for (let depth = 1; this.at < this.text.length; this.at++) {
      const ch = this.text[this.at];
      if (ch === "\\") this.at++;
      else if (ch === "'" && open === "(") {
        const end = this.text.indexOf("'", this.at + 1);
        if (end > 0) this.at = end;
      } else if (ch === '"') this.skipQuoted();
      else if (ch === open) depth++;
      else if (ch === close && --depth === 0) return this.text.slice(start, this.at++);
    }
    throw new ShellSyntaxError(`syntax error: unterminated ${open}`);
  }

  private skipQuoted(): void {
    for (this.at++; this.at < this.text.length && this.text[this.at] !== '"'; this.at++) if (this.text[this.at] === "\\") this.at++;
  }
}
