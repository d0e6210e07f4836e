// Models Go's encoding/json (scanner.go, stream.go): where a value of a stream ends, or what is wrong with it
import { goQuote } from "./go-syntax.ts";

/** The end of a value; or what Go says about the character at `pos`. At the end of the text there is no character. */
export type JsonScan = { readonly end: number; readonly error?: undefined } | { readonly error: string; readonly pos: number };

const MAX_DEPTH = 10000;
const SPACE = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- JSON strings end at these
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const DIGITS = /[0-9]*/y;
const isDigit = (c: string): boolean => c >= "0" && c <= "9" && c !== "";

/** The first byte of a character, as Go quotes it. */
export function quotedByte(text: string, pos: number): string {
  const code = text.codePointAt(pos) ?? 0;
  const byte = code < 0x80 ? code : code < 0x800 ? 0xc0 | (code >> 6) : code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
  return byte === 34 ? `'"'` : goQuote(String.fromCharCode(byte), "'");
}

class Mistake {
  readonly error: string;
  readonly pos: number;
  constructor(error: string, pos: number) {
    this.error = error;
    this.pos = pos;
  }
}

class JsonScanner {
  pos: number;
  private readonly text: string;

  constructor(text: string, pos: number) {
    this.text = text;
    this.pos = pos;
  }

  char(): string {
    return this.text.charAt(this.pos);
  }

  skipAll(pattern: RegExp): void {
    pattern.lastIndex = this.pos;
    this.pos += pattern.exec(this.text)?.[0].length ?? 0;
  }

  fail(context: string): never {
    throw this.char() === "" ? new Mistake("unexpected EOF", this.pos) : new Mistake(`invalid character ${quotedByte(this.text, this.pos)} ${context}`, this.pos);
  }

  string(): void {
    this.pos += 1;
    for (;;) {
      this.skipAll(STRING_PART);
      if (this.char() === '"') break;
      if (this.char() !== "\\") this.fail("in string literal");
      this.pos += 1;
      if (this.char() === "" || !'"\\/bfnrtu'.includes(this.char())) this.fail("in string escape code");
      const digits = this.char() === "u" ? 4 : 0;
      this.pos += 1;
      for (let i = 0; i < digits; i++, this.pos++) if (!/[0-9a-fA-F]/.test(this.char())) this.fail("in \\u hexadecimal character escape");
    }
    this.pos += 1;
  }

  number(): void {
    if (this.char() === "-") this.pos += 1;
    if (!isDigit(this.char())) this.fail("in numeric literal");
    if (this.char() === "0") this.pos += 1;
    else this.skipAll(DIGITS);
    if (this.char() === ".") {
      this.pos += 1;
      if (!isDigit(this.char())) this.fail("after decimal point in numeric literal");
      this.skipAll(DIGITS);
    }
    if (this.char() !== "e" && this.char() !== "E") return;
    this.pos += 1;
    if (this.char() === "+" || this.char() === "-") this.pos += 1;
    if (!isDigit(this.char())) this.fail("in exponent of numeric literal");
    this.skipAll(DIGITS);
  }

  literal(word: string): void {
    for (const letter of word) {
      if (this.char() !== letter) this.fail(`in literal ${word} (expecting '${letter}')`);
      this.pos += 1;
    }
  }

  scalar(): void {
    const c = this.char();
    if (c === '"') this.string();
    else if (c === "-" || isDigit(c)) this.number();
    else if (c === "t") this.literal("true");
    else if (c === "f") this.literal("false");
    else if (c === "n") this.literal("null");
    else this.fail("looking for beginning of value");
  }

  /** A whole value with what it holds. */
  value(): void {
    const open: string[] = [];
    do {
      while (this.opens(open));
    } while (this.next(open));
  }

  /** Goes to the next value: true if it is a list or object that holds one. The stack has what closes the open ones. */
  private opens(open: string[]): boolean {
    this.skipAll(SPACE);
    const c = this.char();
    if (c !== "{" && c !== "[") {
      this.scalar();
      return false;
    }
    const close = c === "{" ? "}" : "]";
    if (open.length === MAX_DEPTH) this.fail("exceeded max depth");
    this.pos += 1;
    this.skipAll(SPACE);
    if (this.char() === close) {
      this.pos += 1;
      return false;
    }
    open.push(close);
    if (c === "{") this.key("looking for beginning of object key string");
    return true;
  }

  private key(context: string): void {
    this.skipAll(SPACE);
    if (this.char() !== '"') this.fail(context);
    this.string();
    this.skipAll(SPACE);
    if (this.char() !== ":") this.fail("after object key");
    this.pos += 1;
  }

  /** Closes what ends behind a value; true if another value follows. */
  private next(open: string[]): boolean {
    for (let close = open.at(-1); close !== undefined; close = open.at(-1)) {
      this.skipAll(SPACE);
      if (this.char() === ",") {
        this.pos += 1;
        if (close === "}") this.key("looking for beginning of object key string");
        return true;
      }
      if (this.char() !== close) this.fail(close === "}" ? "after object key:value pair" : "after array element");
      this.pos += 1;
      open.pop();
    }
    return false;
  }
}

/** The value of a stream of JSON values that begins at or after `start`, where there is one. */
export function scanJson(text: string, start: number): JsonScan {
  const scanner = new JsonScanner(text, start);
  try {
    scanner.value();
    return { end: scanner.pos };
  } catch (error) {
    if (error instanceof Mistake) return error;
    throw error;
  }
}
