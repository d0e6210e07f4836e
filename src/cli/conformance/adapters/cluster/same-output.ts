const UNITS: Readonly<Record<string, number>> = { y: 365 * 86_400, d: 86_400, h: 3_600, m: 60, s: 1 };
const AGE = /(?<![\w.-])(?:\d+[ydhms])+(?![\w.-])/g;

/** Masks for what a recording says varies from run to run. */
const MASKS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  uid: [[/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"]],
  resourceVersion: [[/(resourceVersion"?: "?)\d+/g, "$1<rv>"], [/(resource version to be \d+, was )\d+/g, "$1<rv>"]],
  creationTimestamp: [[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"]],
  randomSuffix: [[/-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "-<suffix>"]],
  allocatedIPorPort: [[/\b10\.96\.\d+\.\d+\b/g, "<ip>"], [/\b3\d{4}\b/g, "<port>"]],
  klogPrefix: [[/^[WEI]\d{4} [\d:.]+ +\d+ /gm, "<KLOG> "]],
  tempPath: [[/\/tmp\/[\w./-]+/g, "<temp>"]],
  home: [[/\/(root|home\/\w+)\b/g, "<HOME>"]],
};

const inSeconds = (age: string): number => [...age.matchAll(/(\d+)([ydhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);

function masked(text: string, volatile: readonly string[]): string {
  const masks = volatile.flatMap((tag) => MASKS[tag] ?? []);
  const result = masks.reduce((value, [pattern, by]) => value.replaceAll(pattern, by), text);
  return volatile.includes("order") ? result.split("\n").sort().join("\n") : result;
}

/** From and until, in seconds since the Unix epoch. */
export type Span = readonly [from: number, until: number];

const RFC3339 = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z)/g;
const secondOf = (time: string): number => Date.parse(`${time}Z`) / 1_000;

/** The actual text with the expected one's times, where those are the server's clock within a span and ours is at most a second off. */
export function atMoment(expected: string, actual: string, [from, until]: Span): string {
  const theirs = expected.match(RFC3339) ?? [];
  let i = 0;
  return actual.replaceAll(RFC3339, (ours) => {
    const their = theirs[i++];
    if (their === undefined) return ours;
    const second = secondOf(their);
    return second >= from && second <= until && Math.abs(second - secondOf(ours)) <= 1 ? their : ours;
  });
}

/** True if two outputs say the same; ages may differ by the second that a command takes, and columns with them. */
export function sameOutput(expected: string, actual: string, volatile: readonly string[]): boolean {
  const [want, got] = [masked(expected, volatile), masked(actual, volatile)];
  if (want === got) return true;
  const ages = (text: string): readonly number[] => (text.match(AGE) ?? []).map(inSeconds);
  const rest = (text: string): string => text.replaceAll(AGE, "<age>").replaceAll(/ +/g, " ");
  const [wantAges, gotAges] = [ages(want), ages(got)];
  return rest(want) === rest(got) && wantAges.length === gotAges.length && wantAges.every((age, i) => Math.abs(age - (gotAges[i] ?? 0)) <= 1);
}

/** The first line that differs, with both versions. */
export function firstDifferentLine(expected: string, actual: string): string {
  const [want, got] = [expected.split("\n"), actual.split("\n")];
  const at = want.findIndex((line, i) => line.replaceAll(AGE, "").replaceAll(/ +/g, " ") !== (got[i] ?? "").replaceAll(AGE, "").replaceAll(/ +/g, " "));
  const i = at < 0 ? Math.min(want.length, got.length) - 1 : at;
  return `line ${i + 1}: expected ${JSON.stringify(want[i] ?? "")}, got ${JSON.stringify(got[i] ?? "")}`;
}

/**
 * True if a command prints in an order that Go does not promise: jsonpath takes the values of a map, for ".." and ".*", as Go ranges over
 * it, which is at random. (Go templates range over sorted keys.)
 */
export const inRandomOrder = (argv: readonly string[]): boolean => argv.some((word) => /^(-o=?|--output=)?jsonpath(-as-json)?=.*\.(\.|\*)/s.test(word));

/** The words of a text, for outputs in random order. */
export const wordsOf = (text: string): string => text.split(/\s+/).sort().join("\n");

/** The revision of the whole store in a list as the server sent it: the dump of the recorded objects does not tell it. */
export const withoutListVersion = (text: string, argv: readonly string[]): string => (argv.includes("--raw") ? text.replace(/^(\{"kind":"\w+List","apiVersion":"[^"]+","metadata":\{"resourceVersion":")\d+/, "$1<rv>") : text);
