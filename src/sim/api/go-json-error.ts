// Models the syntax errors of Go's encoding/json scanner (src/encoding/json/scanner.go)

class SyntaxFault {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const quoted = (c: string): string => (c === "'" ? "'\\''" : c === '"' ? "'\"'" : `'${JSON.stringify(c).slice(1, -1).replace('\\"', '"')}'`);

/** Walks one JSON text and throws the first fault as Go words it. */
class Scanner {
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  private fail(where: string): never {
    const c = this.source[this.at];
    throw new SyntaxFault(c === undefined ? "unexpected end of JSON input" : `invalid character ${quoted(c)} ${where}`);
  }

  private peek(): string | undefined {
    while (/^[ \t\r\n]$/.test(this.source[this.at] ?? "")) this.at++;
    return this.source[this.at];
  }

  text(): void {
    this.at++;
    for (let c = this.source[this.at]; c !== '"'; c = this.source[this.at]) {
      if (c === undefined || c < " ") this.fail("in string literal");
      this.at++;
      if (c !== "\\") continue;
      const escaped = this.source[this.at] ?? "";
      if (!/^["\\/bfnrtu]$/.test(escaped)) this.fail("in string escape code");
      this.at++;
      for (let i = 0; escaped === "u" && i < 4; i++, this.at++) if (!/^[0-9a-fA-F]$/.test(this.source[this.at] ?? "")) this.fail("in \\u hexadecimal character escape");
    }
    this.at++;
  }

  private list(close: string, item: () => void, after: string): void {
    this.at++;
    if (this.peek() === close) {
      this.at++;
      return;
    }
    for (;;) {
      item();
      const c = this.peek();
      if (c !== "," && c !== close) this.fail(after);
      this.at++;
      if (c === close) return;
    }
  }

  private pair(): void {
    if (this.peek() !== '"') this.fail("looking for beginning of object key string");
    this.text();
    if (this.peek() !== ":") this.fail("after object key");
    this.at++;
    this.value();
  }

  private literal(word: string): void {
    for (const [i, c] of [...word].entries()) {
      if (this.source[this.at] !== c) this.fail(`in literal ${word} (expecting '${word[i] ?? ""}')`);
      this.at++;
    }
  }

  private digits(where: string): void {
    if (!/^\d$/.test(this.source[this.at] ?? "")) this.fail(where);
    while (/^\d$/.test(this.source[this.at] ?? "")) this.at++;
  }

  private numeral(): void {
    if (this.source[this.at] === "-") this.at++;
    if (this.source[this.at] === "0") this.at++;
    else this.digits("in numeric literal");
    if (this.source[this.at] === ".") {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if (!/^[eE]$/.test(this.source[this.at] ?? "")) return;
    this.at++;
    if (/^[+-]$/.test(this.source[this.at] ?? "")) this.at++;
    this.digits("in exponent of numeric literal");
  }

  value(): void {
    const c = this.peek() ?? "";
    if (c === "{") this.list("}", () => this.pair(), "after object key:value pair");
    else if (c === "[") this.list("]", () => this.value(), "after array element");
    else if (c === '"') this.text();
    else if (c === "t") this.literal("true");
    else if (c === "f") this.literal("false");
    else if (c === "n") this.literal("null");
    else if (/^[-\d]$/.test(c)) this.numeral();
    else this.fail("looking for beginning of value");
  }

  end(): void {
    if (this.peek() !== undefined) this.fail("after top-level value");
  }
}

/** The text of json.Unmarshal's syntax error, undefined when the text is JSON. */
export function goJsonError(source: string): string | undefined {
  const scanner = new Scanner(source);
  try {
    scanner.value();
    scanner.end();
  } catch (fault) {
    if (fault instanceof SyntaxFault) return fault.text;
    throw fault;
  }
  return undefined;
}
