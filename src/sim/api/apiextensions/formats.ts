// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and kube-openapi/pkg/validation/strfmt
import { parseGoDuration } from "../duration.ts";
import { netIPFamily, isNetCIDR } from "../ip.ts";
import { isDNS1123Label, isDNS1123Subdomain } from "../names.ts";
import { parseRfc3339 } from "../time.ts";

type Check = (text: string) => boolean;

const matching = (pattern: RegExp): Check => (text) => pattern.test(text);
const uuid = (version: string, variant: string): RegExp => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i");

/** ISBN-10 and ISBN-13 by their check digits. */
function isIsbn(text: string, digits: 10 | 13): boolean {
  const bare = text.replaceAll(/[-\s]/g, "");
  if (!(digits === 10 ? /^\d{9}[\dX]$/ : /^97[89]\d{10}$/).test(bare)) return false;
  const sum = [...bare].reduce((total, c, i) => total + (c === "X" ? 10 : Number(c)) * (digits === 10 ? 10 - i : i % 2 === 0 ? 1 : 3), 0);
  return sum % (digits === 10 ? 11 : 10) === 0;
}

const CARD = /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const HOSTNAME = /^[a-zA-Z0-9\u00a1-\uffff]((-?[a-zA-Z0-9\u00a1-\uffff]{0,62})?[a-zA-Z0-9\u00a1-\uffff])*(\.([a-zA-Z0-9\u00a1-\uffff]{1,63}-?)*[a-zA-Z0-9\u00a1-\uffff]{1,63})*$/;
/** Simplified: upstream parses addresses by net/mail, URLs by net/url and durations with every unit's name; here the common forms. */
const CHECKS: Readonly<Record<string, Check>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: matching(/^([a-zA-Z][a-zA-Z0-9+.-]*:\S*|\/\S*)$/),
  email: matching(/^([^@<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/),
  hostname: (text) => text.length <= 255 && HOSTNAME.test(text),
  ipv4: (text) => netIPFamily(text) === 4,
  ipv6: (text) => netIPFamily(text) === 6,
  cidr: (text) => isNetCIDR(text),
  mac: matching(/^([0-9a-fA-F]{2}([:-]))(?:[0-9a-fA-F]{2}\2){4}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/),
  uuid: matching(uuid("[0-9a-f]", "[0-9a-f]")),
  uuid3: matching(uuid("3", "[0-9a-f]")),
  uuid4: matching(uuid("4", "[89ab]")),
  uuid5: matching(uuid("5", "[89ab]")),
  isbn: (text) => isIsbn(text, 10) || isIsbn(text, 13),
  isbn10: (text) => isIsbn(text, 10),
  isbn13: (text) => isIsbn(text, 13),
  creditcard: (text) => CARD.test(text.replaceAll(/\D/g, "")),
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(/^rgb\(\s*(?:(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-5])\s*(?:,\s*|\))){3}$/),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(parseRfc3339(`${text}T00:00:00Z`)),
  duration: (text) => /^(\d+(\.\d+)?\s*(ns|us|µs|ms|s|m|h|d|w))+$/.test(text) || !Number.isNaN(parseGoDuration(text)),
  datetime: (text) => !Number.isNaN(parseRfc3339(text)),
  k8sshortname: (text) => isDNS1123Label(text).length === 0,
  k8slongname: (text) => isDNS1123Subdomain(text).length === 0,
};

const normalized = (format: string): string => format.replaceAll("-", "");
const NUMBERS: Readonly<Record<string, readonly string[]>> = { integer: ["int32", "int64"], number: ["float", "double"] };

/** Whether schemas of this type may have the format; others are ignored, with a warning when the definition is written. */
export const isKnownFormat = (type: string, format: string): boolean => (type === "" || type === "string" ? Object.hasOwn(CHECKS, normalized(format)) : NUMBERS[type]?.includes(format) === true);

/** Whether a text has the form; unknown forms always fit. */
export const hasFormat = (format: string, text: string): boolean => CHECKS[normalized(format)]?.(text) ?? true;
