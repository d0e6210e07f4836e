// Models kubernetes/vendor/go.yaml.in/yaml/v2/scannerc.go: tokens, indentation, simple keys
import { scanBlockScalar, scanPlainScalar, scanQuotedScalar } from "./scan-scalar.ts";
import { scanAnchor, scanDirective, scanTag } from "./scan-tag.ts";
import { isBeforeRefused, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type Source, YamlError } from "./source.ts";

export type TokenType =
  | "stream-end" | "version-directive" | "tag-directive" | "document-start" | "document-end"
  | "block-sequence-start" | "block-mapping-start" | "block-end" | "flow-sequence-start" | "flow-sequence-end" | "flow-mapping-start" | "flow-mapping-end"
  | "block-entry" | "flow-entry" | "key" | "value" | "alias" | "anchor" | "tag" | "scalar";

export interface Token {
  readonly type: TokenType;
  readonly pos: number;
  readonly line: number;
  /** The scalar, the anchor's name, a tag's handle, a directive's first argument. */
  readonly value: string;
  /** A tag's suffix, a directive's second argument; "plain" of a scalar without quotes. */
  readonly extra: string;
}

interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly number: number;
  readonly pos: number;
  readonly line: number;
  readonly column: number;
}

const BYTE_ORDER_MARK = 0xfeff;
const MAX_DEPTH = 10000;
const MAX_SIMPLE_KEY = 1024;
const FLOW: ReadonlyMap<string, TokenType> = new Map([["[", "flow-sequence-start"], ["{", "flow-mapping-start"], ["]", "flow-sequence-end"], ["}", "flow-mapping-end"]]);
const NOT_PLAIN = new Set("-?:,[]{}#&*!|>'\"%@`");

/** Turns a text into tokens, one at a time. Throws YamlError. */
export class Scanner {
  readonly source: Source;
  readonly text: string;
  pos = 0;
  line = 0;
  lineStart = 0;
  flowLevel = 0;
  indent = -1;
  simpleKeyAllowed = true;
  private readonly indents: number[] = [];
  private readonly simpleKeys: SimpleKey[] = [{ possible: false, required: false, number: 0, pos: 0, line: 0, column: 0 }];
  private readonly keyOfToken = new Map<number, SimpleKey>();
  private tokens: Token[] = [];
  private head = 0;
  private parsed = 0;

  constructor(source: Source) {
    this.source = source;
    this.text = source.text;
    if (this.code() === BYTE_ORDER_MARK) this.pos = this.lineStart = 1;
  }

  get column(): number {
    return this.pos - this.lineStart;
  }

  code(ahead = 0): number {
    return this.text.charCodeAt(this.pos + ahead);
  }

  fail(problem: string): never {
    if (!isBeforeRefused(this.source, this.pos)) this.refuse();
    throw new YamlError(this.line === 0 ? problem : `line ${this.line + 1}: ${problem}`, this.pos);
  }

  private refuse(): never {
    throw new YamlError("control characters are not allowed", this.source.refused ?? 0);
  }

  /** The next token, which stays. */
  peek(): Token {
    for (;;) {
      const token = this.tokens[this.head];
      const key = this.keyOfToken.get(this.parsed);
      if (token !== undefined && (key === undefined || !this.isValid(key))) return token;
      this.scanMore();
    }
  }

  /** Takes the token that was peeked. */
  next(): void {
    this.parsed += 1;
    this.head += 1;
    if (this.head < this.tokens.length) return;
    this.tokens = [];
    this.head = 0;
  }

  /** Goes over a line break and gives what it stands for. */
  readBreak(): string {
    const c = this.code();
    this.pos += c === 13 && this.code(1) === 10 ? 2 : 1;
    this.line += 1;
    this.lineStart = this.pos;
    return c === 0x2028 || c === 0x2029 ? String.fromCharCode(c) : "\n";
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.pos += 1;
  }

  skipComment(): void {
    if (this.code() !== 35) return;
    while (!isBreakOrEnd(this.code())) this.pos += 1;
  }

  isDocumentIndicator(): boolean {
    if (this.pos !== this.lineStart) return false;
    const c = this.code();
    return (c === 45 || c === 46) && this.code(1) === c && this.code(2) === c && isBlankOrEnd(this.code(3));
  }

  private push(type: TokenType, { pos, line }: { readonly pos: number; readonly line: number }, value = "", extra = ""): void {
    this.tokens.push({ type, pos, line, value, extra });
  }

  private scanMore(): void {
    this.skipToNextToken();
    this.unroll(this.column);
    const start = { pos: this.pos, line: this.line };
    this.scanToken(start, this.text.charAt(this.pos));
    // What stands before the refused character is not handed on once it had to be read.
    if (this.source.refused !== undefined && this.pos >= this.text.length) this.refuse();
  }

  private scanToken(start: { readonly pos: number; readonly line: number }, c: string): void {
    const block = this.flowLevel === 0;
    const spaced = isBlankOrEnd(this.code(1));
    const flow = FLOW.get(c);
    if (c === "") return this.produceStreamEnd();
    if (c === "%" && this.column === 0) return this.produceDirective(start);
    if (this.isDocumentIndicator()) return this.produceDocumentIndicator(start, c);
    if (flow !== undefined) return c === "[" || c === "{" ? this.produceFlowStart(flow, start) : this.produceFlowEnd(flow, start);
    if (c === ",") return this.produceFlowEntry(start);
    if (c === "-" && spaced) return this.produceBlockEntry(start);
    if (c === "?" && (!block || spaced)) return this.produceKey(start);
    if (c === ":" && (!block || spaced)) return this.produceValue(start);
    if (c === "*" || c === "&") return this.produceWithKey(() => this.push(c === "*" ? "alias" : "anchor", start, scanAnchor(this)));
    if (c === "!") {
      return this.produceWithKey(() => {
        const [handle, suffix] = scanTag(this);
        this.push("tag", start, handle, suffix);
      });
    }
    if ((c === "|" || c === ">") && block) {
      this.removeSimpleKey();
      this.simpleKeyAllowed = true;
      return this.push("scalar", start, scanBlockScalar(this, c === "|"));
    }
    if (c === "'" || c === '"') return this.produceWithKey(() => this.push("scalar", start, scanQuotedScalar(this, c === "'")));
    const plain = (!NOT_PLAIN.has(c) && !isBlankOrEnd(this.code())) || (c === "-" && !isBlank(this.code(1))) || (block && (c === "?" || c === ":") && !spaced);
    if (!plain) this.fail("found character that cannot start any token");
    this.produceWithKey(() => this.push("scalar", start, scanPlainScalar(this), "plain"));
  }

  private skipToNextToken(): void {
    for (;;) {
      while (this.code() === 32 || (this.code() === 9 && (this.flowLevel > 0 || !this.simpleKeyAllowed))) this.pos += 1;
      this.skipComment();
      if (!isBreak(this.code())) return;
      this.readBreak();
      if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    }
  }

  /** Whether a key may still start where this one was seen: on one line, within 1024 characters. */
  private isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line >= this.line && key.pos + MAX_SIMPLE_KEY >= this.pos) return true;
    if (key.required) this.fail("could not find expected ':'");
    this.drop(key);
    return false;
  }

  private drop(key: SimpleKey): void {
    key.possible = false;
    if (this.keyOfToken.get(key.number) === key) this.keyOfToken.delete(key.number);
  }

  private nextNumber(): number {
    return this.parsed + this.tokens.length - this.head;
  }

  private saveSimpleKey(): void {
    if (!this.simpleKeyAllowed) return;
    const required = this.flowLevel === 0 && this.indent === this.column;
    const key = { possible: true, required, number: this.nextNumber(), pos: this.pos, line: this.line, column: this.column };
    this.removeSimpleKey();
    this.simpleKeys[this.simpleKeys.length - 1] = key;
    this.keyOfToken.set(key.number, key);
  }

  private removeSimpleKey(): void {
    const key = this.simpleKeys.at(-1);
    if (key?.possible !== true) return;
    if (key.required) this.fail("could not find expected ':'");
    this.drop(key);
  }

  /** A deeper column opens a collection: its token goes in front of the token with that number, or to the end. */
  private roll(column: number, type: TokenType, mark: { readonly pos: number; readonly line: number }, number?: number): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    if (this.indents.length > MAX_DEPTH) this.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.insert({ type, pos: mark.pos, line: mark.line, value: "", extra: "" }, number);
  }

  private insert(token: Token, number?: number): void {
    // A token that is parsed already has nothing in front of it any more: "[]: x".
    if (number === undefined || number < this.parsed) this.tokens.push(token);
    else this.tokens.splice(this.head + number - this.parsed, 0, token);
  }

  private unroll(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.push("block-end", this);
      this.indent = this.indents.pop() ?? -1;
    }
  }

  private produceStreamEnd(): void {
    if (this.source.refused !== undefined) this.refuse();
    if (this.column !== 0) {
      this.line += 1;
      this.lineStart = this.pos;
    }
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.push("stream-end", this);
  }

  private produceDirective(start: { readonly pos: number; readonly line: number }): void {
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    const [type, value, extra] = scanDirective(this);
    this.push(type, start, value, extra);
  }

  private produceDocumentIndicator(start: { readonly pos: number; readonly line: number }, c: string): void {
    this.unroll(-1);
    this.removeSimpleKey();
    this.simpleKeyAllowed = false;
    this.pos += 3;
    this.push(c === "-" ? "document-start" : "document-end", start);
  }

  private produceFlowStart(type: TokenType, start: { readonly pos: number; readonly line: number }): void {
    this.saveSimpleKey();
    this.simpleKeys.push({ possible: false, required: false, number: this.nextNumber(), pos: this.pos, line: this.line, column: this.column });
    this.flowLevel += 1;
    if (this.flowLevel > MAX_DEPTH) this.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.simpleKeyAllowed = true;
    this.pos += 1;
    this.push(type, start);
  }

  private produceFlowEnd(type: TokenType, start: { readonly pos: number; readonly line: number }): void {
    this.removeSimpleKey();
    if (this.flowLevel > 0) {
      this.flowLevel -= 1;
      // An empty collection has the number of its first token here, and so is no key in front of ":" for the parser.
      this.keyOfToken.delete(this.simpleKeys.pop()?.number ?? -1);
    }
    this.simpleKeyAllowed = false;
    this.pos += 1;
    this.push(type, start);
  }

  private produceFlowEntry(start: { readonly pos: number; readonly line: number }): void {
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.pos += 1;
    this.push("flow-entry", start);
  }

  private produceBlockEntry(start: { readonly pos: number; readonly line: number }): void {
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) this.fail("block sequence entries are not allowed in this context");
      this.roll(this.column, "block-sequence-start", start);
    }
    this.removeSimpleKey();
    this.simpleKeyAllowed = true;
    this.pos += 1;
    this.push("block-entry", start);
  }

  private produceKey(start: { readonly pos: number; readonly line: number }): void {
    if (this.flowLevel === 0) {
      if (!this.simpleKeyAllowed) this.fail("mapping keys are not allowed in this context");
      this.roll(this.column, "block-mapping-start", start);
    }
    this.removeSimpleKey();
    this.simpleKeyAllowed = this.flowLevel === 0;
    this.pos += 1;
    this.push("key", start);
  }

  private produceValue(start: { readonly pos: number; readonly line: number }): void {
    const key = this.simpleKeys.at(-1);
    if (key !== undefined && this.isValid(key)) {
      this.insert({ type: "key", pos: key.pos, line: key.line, value: "", extra: "" }, key.number);
      this.roll(key.column, "block-mapping-start", key, key.number);
      this.drop(key);
      this.simpleKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) {
        if (!this.simpleKeyAllowed) this.fail("mapping values are not allowed in this context");
        this.roll(this.column, "block-mapping-start", start);
      }
      this.simpleKeyAllowed = this.flowLevel === 0;
    }
    this.pos += 1;
    this.push("value", start);
  }

  /** What may be a key itself and is not followed by one. */
  private produceWithKey(scan: () => void): void {
    this.saveSimpleKey();
    this.simpleKeyAllowed = false;
    scan();
  }
}
