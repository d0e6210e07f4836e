// Models kubernetes/vendor/go.yaml.in/yaml/v2/readerc.go and yamlprivateh.go

/** What makes a text no YAML, as go-yaml says it: without "yaml: ". */
export class YamlError extends Error {
  /** "line 3: did not find expected key" */
  readonly text: string;
  /** Where in the text, as an offset. */
  readonly pos: number;
  constructor(text: string, pos: number) {
    super(text);
    this.text = text;
    this.pos = pos;
  }
}

/** A character that go-yaml's reader refuses wherever it stands. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const RAW_BUFFER = 512;
const WIDEST_LOOK = 4;

export interface Source {
  /** The text up to what the reader refuses. */
  readonly text: string;
  /** Offset of the refused character, if there is one. */
  readonly refused: number | undefined;
}

const width = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** The reader decodes 512 bytes at a time and looks at all of them before it hands out the first. */
export function sourceOf(given: string): Source {
  const refused = given.search(FORBIDDEN);
  if (refused < 0) return { text: given, refused: undefined };
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < refused; ) {
    const code = given.codePointAt(i) ?? 0;
    if (bytes + width(code) > RAW_BUFFER) {
      start = i;
      bytes = 0;
    }
    bytes += width(code);
    i += code > 0xffff ? 2 : 1;
  }
  if (bytes + width(given.codePointAt(refused) ?? 0) > RAW_BUFFER) start = refused;
  return { text: given.slice(0, start), refused };
}

/** Whether a mistake at an offset would have been met before the reader had to read on. */
export const isBeforeRefused = ({ text, refused }: Source, pos: number): boolean => refused === undefined || pos + WIDEST_LOOK <= text.length;

/** Of a character code; NaN is the end of the text. */
export const isBreak = (c: number): boolean => c === 10 || c === 13 || c === 0x85 || c === 0x2028 || c === 0x2029;
export const isBlank = (c: number): boolean => c === 32 || c === 9;
export const isEnd = (c: number): boolean => Number.isNaN(c);
export const isBreakOrEnd = (c: number): boolean => isBreak(c) || isEnd(c);
export const isBlankOrEnd = (c: number): boolean => isBlank(c) || isBreak(c) || isEnd(c);
export const isDigit = (c: number): boolean => c >= 48 && c <= 57;
export const isAlpha = (c: number): boolean => isDigit(c) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45;
