// Models kubernetes/vendor/go.yaml.in/yaml/v2/resolve.go: what a scalar without quotes stands for (YAML 1.1)
import type { YamlNode } from "./parser.ts";
import { YamlError } from "./source.ts";

const PREFIX = "tag:yaml.org,2002:";
const STR = `${PREFIX}str`;
const BOOL = `${PREFIX}bool`;
const INT = `${PREFIX}int`;
const FLOAT = `${PREFIX}float`;
const NULL = `${PREFIX}null`;
const TIMESTAMP = `${PREFIX}timestamp`;
const BINARY = `${PREFIX}binary`;
const MERGE = `${PREFIX}merge`;
const RESOLVABLE: ReadonlySet<string> = new Set([STR, BOOL, INT, FLOAT, NULL, TIMESTAMP]);

/** A scalar's value and its Go type. */
export interface Resolved {
  readonly type: "string" | "bool" | "int" | "uint64" | "float64" | "nil";
  readonly tag: string;
  readonly value: string | boolean | number | null;
  /** All digits of an integer that a number does not hold. */
  readonly digits?: string;
}

/** Which words are booleans: of YAML 1.2 (go-yaml v3) only true and false. */
export type Words = "YAML 1.1" | "YAML 1.2";

const text = (value: string, tag = STR): Resolved => ({ type: "string", tag, value });
const NIL: Resolved = { type: "nil", tag: NULL, value: null };
const float = (value: number): Resolved => ({ type: "float64", tag: FLOAT, value });

const WORDS: ReadonlyMap<string, Resolved> = new Map(
  ([
    ["y Y yes Yes YES true True TRUE on On ON", { type: "bool", tag: BOOL, value: true }],
    ["n N no No NO false False FALSE off Off OFF", { type: "bool", tag: BOOL, value: false }],
    ["~ null Null NULL", NIL],
    [".nan .NaN .NAN", float(Number.NaN)],
    [".inf .Inf .INF +.inf +.Inf +.INF", float(Number.POSITIVE_INFINITY)],
    ["-.inf -.Inf -.INF", float(Number.NEGATIVE_INFINITY)],
  ] satisfies readonly (readonly [string, Resolved])[]).flatMap(([words, resolved]) => words.split(" ").map((word): readonly [string, Resolved] => [word, resolved])),
);

const MAY_BE_WORD = /^[yYnNtTfFoO~.+-]/;
const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)|0([0-7]*)|([1-9][0-9]*))$/;
const YAML_FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** strconv.ParseFloat of what starts with a point; underscores between digits. */
const POINT_FLOAT = /^\.[0-9](_?[0-9])*([eE][-+]?[0-9](_?[0-9])*)?$/;
const SAFE_DIGITS = 15;
const TWO_63 = 2n ** 63n;

/** strconv.ParseInt and ParseUint with base 0: 64 bits. */
function integer(plain: string): Resolved | undefined {
  const match = INTEGER.exec(plain);
  if (match === null) return undefined;
  const [, sign = "", prefixed, octal, decimal] = match;
  const digits = prefixed ?? decimal ?? (octal === undefined || octal === "" ? "0" : `0o${octal}`);
  const value = sign === "-" ? -Number(digits) : Number(digits);
  if (digits.length > SAFE_DIGITS) {
    const exact = sign === "-" ? -BigInt(digits) : BigInt(digits);
    if (exact < -TWO_63 || exact >= (sign === "" ? 2n * TWO_63 : TWO_63)) return undefined;
    // Simplified: kubectl keeps 64 bits; numbers beyond 2^53 are rounded here.
    return { type: exact >= TWO_63 ? "uint64" : "int", tag: INT, value, digits: String(exact) };
  }
  return { type: "int", tag: INT, value: value === 0 ? 0 : value };
}

/** A float, unless it is too large for one. */
function finite(plain: string): Resolved | undefined {
  const value = Number(plain);
  return Number.isFinite(value) ? float(value) : undefined;
}

function guess(given: string, words: Words): Resolved {
  const c = given.charCodeAt(0);
  if (given === "") return NIL;
  const word = MAY_BE_WORD.test(given) ? WORDS.get(given) : undefined;
  if (word !== undefined) return words === "YAML 1.2" && word.type === "bool" && !/^(?:true|false)$/i.test(given) ? text(given) : word;
  if (c === 46) return (POINT_FLOAT.test(given) ? finite(given.replaceAll("_", "")) : undefined) ?? text(given);
  if ((c < 48 || c > 57) && c !== 43 && c !== 45) return text(given);
  const plain = given.replaceAll("_", "");
  return integer(plain) ?? (YAML_FLOAT.test(plain) ? finite(plain) : undefined) ?? text(given);
}

const TIME = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

function isTimestamp(given: string): boolean {
  const match = TIME.exec(given);
  if (match === null) return false;
  const at = (i: number): number => Number(match[i] ?? 0);
  const [year, month, day] = [at(1), at(2), at(3)];
  const days = month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days && Math.max(at(4), at(9)) < 24 && Math.max(at(5), at(6), at(10), at(11)) < 60 && at(7) <= 24 && at(8) < 60;
}

const shortTag = (tag: string): string => (tag.startsWith(PREFIX) ? `!!${tag.slice(PREFIX.length)}` : tag);

/** What a scalar is. Throws YamlError when it does not fit its tag. */
export function resolve({ tag, value, plain, pos }: YamlNode, words: Words = "YAML 1.1"): Resolved {
  if (tag === "") return plain ? guess(value, words) : text(value);
  if (!RESOLVABLE.has(tag)) return text(value, tag);
  if (tag === STR) return text(value);
  const found = tag === TIMESTAMP && isTimestamp(value) ? text(value, TIMESTAMP) : guess(value, words);
  if (found.tag === tag) return found;
  if (tag === FLOAT && found.type === "int") return { ...found, type: "float64", tag };
  throw new YamlError(`cannot decode ${shortTag(found.tag)} \`${value}\` as a ${shortTag(tag)}`, pos);
}

export const isBinary = ({ tag }: Resolved): boolean => tag === BINARY;

/** The key "<<" of what is merged. */
export const isMergeKey = ({ kind, value, plain, tag }: YamlNode): boolean => kind === "scalar" && value === "<<" && (plain || tag === MERGE);
