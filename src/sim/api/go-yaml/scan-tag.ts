// Models kubernetes/vendor/go.yaml.in/yaml/v2/scannerc.go: directives, tags, anchors
import { utf8Decode } from "../base64.ts";
import type { Scanner } from "./scanner.ts";
import { isAlpha, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit } from "./source.ts";

function scanWord(s: Scanner): string {
  const start = s.pos;
  while (isAlpha(s.code())) s.pos += 1;
  return s.text.slice(start, s.pos);
}

/** The name behind "&" or "*". */
export function scanAnchor(s: Scanner): string {
  s.pos += 1;
  const name = scanWord(s);
  if (name === "" || !(isBlankOrEnd(s.code()) || "?:,]}%@`".includes(s.text.charAt(s.pos)))) s.fail("did not find expected alphabetic or numeric character");
  return name;
}

function scanHandle(s: Scanner, directive: boolean): string {
  if (s.code() !== 33) s.fail("did not find expected '!'");
  s.pos += 1;
  const handle = `!${scanWord(s)}`;
  if (s.code() === 33) {
    s.pos += 1;
    return `${handle}!`;
  }
  if (directive && handle !== "!") s.fail("did not find expected '!'");
  return handle;
}

const inUri = (c: number): boolean => isAlpha(c) || (c < 128 && ";/?:@&=+$,.!~*'()[]%".includes(String.fromCharCode(c)));
const leadWidth = (octet: number): number => (octet < 0x80 ? 1 : octet < 0xc0 ? 0 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : octet < 0xf8 ? 4 : 0);

/** The octets of one escaped character. */
function scanUriEscapes(s: Scanner, octets: number[]): void {
  for (let left = 1, first = true; left > 0; left--, first = false) {
    const [escape] = /^%[0-9a-fA-F]{2}/.exec(s.text.slice(s.pos, s.pos + 3)) ?? s.fail("did not find URI escaped octet");
    const octet = Number.parseInt(escape.slice(1), 16);
    if (first) left = leadWidth(octet);
    if (left === 0) s.fail("found an incorrect leading UTF-8 octet");
    if (!first && (octet & 0xc0) !== 0x80) s.fail("found an incorrect trailing UTF-8 octet");
    octets.push(octet);
    s.pos += 3;
  }
}

function scanUri(s: Scanner, head: string): string {
  let uri = head.slice(1);
  let found = head !== "";
  for (; inUri(s.code()); found = true) {
    if (s.code() === 37) {
      const octets: number[] = [];
      scanUriEscapes(s, octets);
      uri += utf8Decode(octets);
    } else {
      uri += s.text.charAt(s.pos);
      s.pos += 1;
    }
  }
  if (!found) s.fail("did not find expected tag URI");
  return uri;
}

/** Handle and suffix of a tag. */
export function scanTag(s: Scanner): readonly [handle: string, suffix: string] {
  let handle = "";
  let suffix = "";
  if (s.code(1) === 60) {
    s.pos += 2;
    suffix = scanUri(s, "");
    if (s.code() !== 62) s.fail("did not find the expected '>'");
    s.pos += 1;
  } else {
    handle = scanHandle(s, false);
    if (handle.length > 1 && handle.endsWith("!")) suffix = scanUri(s, "");
    else {
      suffix = scanUri(s, handle);
      handle = suffix === "" ? "" : "!";
      if (suffix === "") suffix = "!";
    }
  }
  if (!isBlankOrEnd(s.code())) s.fail("did not find expected whitespace or line break");
  return [handle, suffix];
}

function scanVersionNumber(s: Scanner): string {
  const start = s.pos;
  while (isDigit(s.code())) {
    if (s.pos - start === 2) s.fail("found extremely long version number");
    s.pos += 1;
  }
  if (s.pos === start) s.fail("did not find expected version number");
  return String(Number(s.text.slice(start, s.pos)));
}

function scanVersion(s: Scanner): readonly [major: string, minor: string] {
  s.skipBlanks();
  const major = scanVersionNumber(s);
  if (s.code() !== 46) s.fail("did not find expected digit or '.' character");
  s.pos += 1;
  return [major, scanVersionNumber(s)];
}

function scanTagDirective(s: Scanner): readonly [handle: string, prefix: string] {
  s.skipBlanks();
  const handle = scanHandle(s, true);
  if (!isBlank(s.code())) s.fail("did not find expected whitespace");
  s.skipBlanks();
  const prefix = scanUri(s, "");
  if (!isBlankOrEnd(s.code())) s.fail("did not find expected whitespace or line break");
  return [handle, prefix];
}

/** A line with "%YAML" or "%TAG" and its two arguments. */
export function scanDirective(s: Scanner): readonly [type: "version-directive" | "tag-directive", first: string, second: string] {
  s.pos += 1;
  const name = scanWord(s);
  if (name === "") s.fail("could not find expected directive name");
  if (!isBlankOrEnd(s.code())) s.fail("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") s.fail("found unknown directive name");
  const values = name === "YAML" ? scanVersion(s) : scanTagDirective(s);
  s.skipBlanks();
  s.skipComment();
  if (!isBreakOrEnd(s.code())) s.fail("did not find expected comment or line break");
  if (isBreak(s.code())) s.readBreak();
  return [name === "YAML" ? "version-directive" : "tag-directive", ...values];
}
