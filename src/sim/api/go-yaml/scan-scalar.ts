// Models kubernetes/vendor/go.yaml.in/yaml/v2/scannerc.go: plain, quoted and block scalars
import type { Scanner } from "./scanner.ts";
import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, isEnd } from "./source.ts";

const ESCAPES: Readonly<Record<string, string>> = { 0: "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ", '"': '"', "'": "'", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029" };
const CODE_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** What stands between two words of a flow scalar: blanks of one line, or breaks that fold. */
class Gap {
  inNewLine = false;
  private blanks = "";
  private first = "";
  private breaks = "";

  /** Goes over blanks and breaks; `check` sees each blank at the start of a line. */
  read(s: Scanner, check?: (code: number) => void): void {
    for (let c = s.code(); isBlank(c) || isBreak(c); c = s.code()) {
      if (isBreak(c)) {
        if (this.inNewLine) this.breaks += s.readBreak();
        else this.first = s.readBreak();
        this.inNewLine = true;
        this.blanks = "";
        continue;
      }
      if (this.inNewLine) check?.(c);
      else this.blanks += s.text.charAt(s.pos);
      s.pos += 1;
    }
  }

  /** What it folds to. */
  take(): string {
    const folded = this.first === "\n" ? (this.breaks === "" ? " " : this.breaks) : this.first + this.breaks;
    const taken = this.inNewLine ? folded : this.blanks;
    this.inNewLine = false;
    this.blanks = this.first = this.breaks = "";
    return taken;
  }
}

const endsPlain = (s: Scanner, c: number): boolean =>
  (c === 58 && isBlankOrEnd(s.code(1))) || (s.flowLevel > 0 && (c === 44 || c === 63 || c === 91 || c === 93 || c === 123 || c === 125));

export function scanPlainScalar(s: Scanner): string {
  const indent = s.indent + 1;
  const gap = new Gap();
  let value = "";
  for (;;) {
    if (s.isDocumentIndicator() || s.code() === 35) break;
    const start = s.pos;
    for (let c = s.code(); !isBlankOrEnd(c) && !endsPlain(s, c); c = s.code()) s.pos += 1;
    if (s.pos > start) value += gap.take() + s.text.slice(start, s.pos);
    const c = s.code();
    if (!isBlank(c) && !isBreak(c)) break;
    gap.read(s, (blank) => {
      if (blank === 9 && s.column < indent) s.fail("found a tab character that violates indentation");
    });
    if (s.flowLevel === 0 && s.column < indent) break;
  }
  if (gap.inNewLine) s.simpleKeyAllowed = true;
  return value;
}

function scanEscape(s: Scanner): string {
  const name = s.text.charAt(s.pos + 1);
  const length = CODE_LENGTHS[name];
  const simple = ESCAPES[name];
  if (length === undefined && simple === undefined) s.fail("found unknown escape character");
  s.pos += 2;
  if (length === undefined) return simple ?? "";
  const digits = s.text.slice(s.pos, s.pos + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) s.fail("did not find expected hexdecimal number");
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) s.fail("found invalid Unicode character escape code");
  s.pos += length;
  return String.fromCodePoint(code);
}

export function scanQuotedScalar(s: Scanner, single: boolean): string {
  const quote = single ? 39 : 34;
  const gap = new Gap();
  let value = "";
  s.pos += 1;
  for (;;) {
    if (s.isDocumentIndicator()) s.fail("found unexpected document indicator");
    if (isEnd(s.code())) s.fail("found unexpected end of stream");
    let start = s.pos;
    for (let c = s.code(); !isBlankOrEnd(c); c = s.code()) {
      if (c === quote && !(single && s.code(1) === 39)) break;
      const escaped = !single && c === 92;
      if (c !== quote && !escaped) {
        s.pos += 1;
        continue;
      }
      value += s.text.slice(start, s.pos);
      if (!escaped) {
        value += "'";
        s.pos += 2;
      } else if (isBreak(s.code(1))) {
        s.pos += 1;
        s.readBreak();
        gap.inNewLine = true;
        start = s.pos;
        break;
      } else value += scanEscape(s);
      start = s.pos;
    }
    value += s.text.slice(start, s.pos);
    if (s.code() === quote) break;
    gap.read(s);
    value += gap.take();
  }
  s.pos += 1;
  return value;
}

/** The header behind "|" or ">": how the end is chomped (-1, 0, +1), and the indentation it names. */
function scanBlockHeader(s: Scanner): { readonly chomping: number; readonly increment: number } {
  let chomping = 0;
  let increment = 0;
  const chomp = (): void => {
    const c = s.code();
    if (c !== 43 && c !== 45) return;
    chomping = c === 43 ? 1 : -1;
    s.pos += 1;
  };
  s.pos += 1;
  chomp();
  if (isDigit(s.code())) {
    if (s.code() === 48) s.fail("found an indentation indicator equal to 0");
    increment = s.code() - 48;
    s.pos += 1;
    if (chomping === 0) chomp();
  }
  s.skipBlanks();
  s.skipComment();
  if (!isBreakOrEnd(s.code())) s.fail("did not find expected comment or line break");
  if (isBreak(s.code())) s.readBreak();
  return { chomping, increment };
}

/** Goes over indentation and empty lines; finds the indentation if it is 0. */
function scanBlockBreaks(s: Scanner, given: number): { readonly breaks: string; readonly indent: number } {
  let breaks = "";
  let deepest = 0;
  const isIndentation = (): boolean => given === 0 || s.column < given;
  for (;;) {
    while (isIndentation() && s.code() === 32) s.pos += 1;
    if (s.column > deepest) deepest = s.column;
    if (isIndentation() && s.code() === 9) s.fail("found a tab character where an indentation space is expected");
    if (!isBreak(s.code())) break;
    breaks += s.readBreak();
  }
  return { breaks, indent: given === 0 ? Math.max(deepest, s.indent + 1, 1) : given };
}

export function scanBlockScalar(s: Scanner, literal: boolean): string {
  const { chomping, increment } = scanBlockHeader(s);
  const named = increment === 0 ? 0 : Math.max(s.indent, 0) + increment;
  let { breaks, indent } = scanBlockBreaks(s, named);
  let value = "";
  let lastBreak = "";
  let indentedBefore = false;
  while (s.column === indent && !isEnd(s.code())) {
    const indented = isBlank(s.code());
    const folds = !literal && !indentedBefore && !indented && lastBreak === "\n";
    value += (folds ? (breaks === "" ? " " : "") : lastBreak) + breaks;
    indentedBefore = indented;
    const start = s.pos;
    while (!isBreakOrEnd(s.code())) s.pos += 1;
    value += s.text.slice(start, s.pos);
    lastBreak = isEnd(s.code()) ? "" : s.readBreak();
    ({ breaks, indent } = scanBlockBreaks(s, indent));
  }
  return value + (chomping === -1 ? "" : lastBreak) + (chomping === 1 ? breaks : "");
}
