// Models Go's encoding/base64.StdEncoding over UTF-8 text (Secret data)

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

export const base64Encode = (text: string): string => base64EncodeBytes(utf8(text));

export function base64EncodeBytes(bytes: readonly number[]): string {
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = bytes.slice(i, i + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out += (ALPHABET[bits >> 18] ?? "") + (ALPHABET[(bits >> 12) & 63] ?? "") + (b === undefined ? "=" : (ALPHABET[(bits >> 6) & 63] ?? "")) + (c === undefined ? "=" : (ALPHABET[bits & 63] ?? ""));
  }
  return out;
}

/** Decodes to text; bytes that are not UTF-8 come out as replacement characters. */
export const base64Decode = (encoded: string): string => utf8Decode(base64DecodeBytes(encoded));

/** Decodes to bytes; what is not of the alphabet is passed over. */
export function base64DecodeBytes(encoded: string): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of encoded) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 255);
    }
  }
  return bytes;
}

/** What Go makes of bytes as text: each one that is not UTF-8 is a replacement character. */
export function utf8Decode(bytes: readonly number[]): string {
  let out = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf8 || first < 0xc2 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    let code = length === 1 ? first : first & (0xff >> (length + 1));
    for (let j = 1; j < length; j++) {
      const next = bytes[i + j] ?? 0;
      code = (next & 0xc0) === 0x80 ? (code << 6) | (next & 63) : -1;
      if (code < 0) break;
    }
    const shortest = length === 4 ? 0x10000 : length === 3 ? 0x800 : 0;
    const valid = length > 0 && code >= shortest && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    out += valid ? String.fromCodePoint(code) : "\ufffd";
    i += valid ? length : 1;
  }
  return out;
}

/** Where Go's decoder stops: the offset of a CorruptInputError, undefined when the text is base64. Line ends are skipped. */
export function base64Error(text: string): number | undefined {
  let at = 0;
  const skipLineEnds = (): void => {
    while (text[at] === "\n" || text[at] === "\r") at++;
  };
  while (at < text.length) {
    for (let j = 0; j < 4; j++) {
      skipLineEnds();
      const character = text[at];
      if (character === undefined) return j === 0 ? undefined : at - j;
      at++;
      if (ALPHABET.includes(character)) continue;
      if (character !== "=" || j < 2) return at - 1;
      skipLineEnds();
      if (j === 2) {
        if (at === text.length) return text.length;
        if (text[at] !== "=") return at - 1;
        at++;
        skipLineEnds();
      }
      return at < text.length ? at : undefined;
    }
  }
  return undefined;
}
