// Models Go's encoding/asn1: the distinguished encoding, as far as requests and certificates need it

export type Bytes = readonly number[];

/** One value with its tag; `raw` is all of it, `content` what is inside. */
export interface Der {
  readonly tag: number;
  readonly content: Bytes;
  readonly raw: Bytes;
}

export const SEQUENCE = 0x30;
export const SET = 0x31;

/** The values that stand one after the other; undefined if the bytes are not DER. */
export function readDer(bytes: Bytes): readonly Der[] | undefined {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1];
    if (first === undefined) return undefined;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 3) return undefined;
    const length = more === 0 ? first : bytes.slice(at + 2, at + 2 + more).reduce((sum, byte) => sum * 256 + byte, 0);
    const start = at + 2 + more;
    if (start + length > bytes.length) return undefined;
    found.push({ tag, content: bytes.slice(start, start + length), raw: bytes.slice(at, start + length) });
    at = start + length;
  }
  return found;
}

/** The values inside a value; none if it holds no values. */
export const inside = (der: Der | undefined): readonly Der[] => (der === undefined ? [] : (readDer(der.content) ?? []));

/** A value of this tag around these bytes. */
export function writeDer(tag: number, ...parts: readonly Bytes[]): Bytes {
  const content = parts.flat();
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return [tag, ...size, ...content];
}

export const asciiBytes = (text: string): Bytes => [...text].map((character) => (character.codePointAt(0) ?? 0) & 127);
export const hexBytes = (hex: string): Bytes => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
export const toHex = (bytes: Bytes): string => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
