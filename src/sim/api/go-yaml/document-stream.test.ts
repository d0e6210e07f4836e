// Facts: what kubectl answers to these texts (kubectl annotate --local -f FILE); some are upstream's decoder_test.go.
import { expect, test } from "vitest";
import { nodesOf, readStream, toJson } from "./document-stream.ts";

/** The documents that are not empty, and what ends the reading. */
function read(text: string): readonly (readonly string[] | string)[] {
  const { documents, error } = readStream(text);
  return [documents.filter(({ value }) => value !== null).map(({ value }) => JSON.stringify(value)), error?.message ?? ""];
}

test.each<readonly [string, readonly string[], string]>([
  ["%FOO\n---\na: b\n", [], "error converting YAML to JSON: yaml: found unknown directive name"],
  ["%YAML 1.1\n---\na: b\n", [], "error converting YAML to JSON: yaml: line 1: did not find expected <document start>"],
  ["%YAML 1.2\n---\na: b\n", [], "error converting YAML to JSON: yaml: found incompatible YAML document"],
  ["%YAML 1.1\n%YAML 1.1\n---\na: b\n", [], "error converting YAML to JSON: yaml: line 1: found duplicate %YAML directive"],
  ["%TAG ! !foo\n%TAG ! !bar\n---\na: b\n", [], "error converting YAML to JSON: yaml: line 1: found duplicate %TAG directive"],
  ["a: \"x\n--- y\"\n", [], "invalid Yaml document separator: y\""],
  ["a: 'x\n---\n'\n", [], "error converting YAML to JSON: yaml: line 2: found unexpected end of stream"],
  ["--- |\n x\n", [], "invalid Yaml document separator: |"],
  ["--- a\n", [], "invalid Yaml document separator: a"],
  ["---\n...\n---\n", [], ""],
  ["---\n---\n", [], ""],
  ["--- # c\na: b\n--- #d\n", ["{\"a\":\"b\"}"], ""],
  ["---a\n", [], "invalid Yaml document separator: a"],
  ["----\n", [], "invalid Yaml document separator: -"],
  ["a: b\n----\n", [], "invalid Yaml document separator: -"],
  ["a: b\n--- x\n", [], "invalid Yaml document separator: x"],
  ["x\n---\ny\n", ["\"x\"", "true"], ""],
  ["{a: b}\nc: d\n", ["{\"a\":\"b\"}"], ""],
  ["{", [], "unexpected EOF"],
  ["{{ x }}: y\n", [], "json: offset 2: invalid character '{' looking for beginning of object key string"],
  ["a: b\n---\n\ufeffc: d\n", ["{\"a\":\"b\"}", "{\"c\":\"d\"}"], ""],
  ["\ufeff---\na: b\n", ["{\"a\":\"b\"}"], ""],
  ["# a\n---\n# b\n---\na: b\n", ["{\"a\":\"b\"}"], ""],
  ["{\"a\":1}", ["{\"a\":1}"], ""],
  ["{\"a\":1}{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"], ""],
  ["{\"a\":1}\n{\"b\":2}\n---\nc: d\n", ["{\"a\":1}", "{\"b\":2}"], "invalid character '-' in numeric literal"],
  ["{\"a\":1}\n---\nc: d\n", ["{\"a\":1}", "{\"c\":\"d\"}"], ""],
  ["{\"a\":1} x", ["{\"a\":1}"], "json: offset 9: invalid character 'x' looking for beginning of value"],
  ["{\"a\":1}\nxyz: y\n", ["{\"a\":1}", "{\"xyz\":true}"], ""],
  ["{\"a\":1}\nx", ["{\"a\":1}"], "json: offset 9: invalid character 'x' looking for beginning of value"],
  ["{\"a\":1,}\n", ["{\"a\":1}"], ""],
  ["{\"a\" 1}", [], "json: offset 6: invalid character '1' after object key"],
  ["{\"a\":}", ["{\"a\":null}"], ""],
  ["{\"a\":tru}", ["{\"a\":\"tru\"}"], ""],
  ["{\"a\":nul1}", ["{\"a\":\"nul1\"}"], ""],
  ["{\"a\":01}", ["{\"a\":1}"], ""],
  ["{\"a\":-}", ["{\"a\":\"-\"}"], ""],
  ["{\"a\":1.}", ["{\"a\":1}"], ""],
  ["{\"a\":1e}", ["{\"a\":\"1e\"}"], ""],
  ["{\"a\":\"\\x\"}", [], "json: offset 8: invalid character 'x' in string escape code"],
  ["{\"a\":\"\\u12g4\"}", [], "json: offset 11: invalid character 'g' in \\u hexadecimal character escape"],
  ["{\"a\":\"\t\"}", ["{\"a\":\"\\t\"}"], ""],
  ["{\"a\":\"b\n\"}", ["{\"a\":\"b \"}"], ""],
  ["{\"a\":[1 2]}", ["{\"a\":[\"1 2\"]}"], ""],
  ["{\"a\":[1,]}", ["{\"a\":[1]}"], ""],
  ["{\"a\":1 \"b\":2}", ["{\"a\":\"1 \\\"b\\\":2\"}"], ""],
  ["{\"a", [], "unexpected EOF"],
  ["{\"a\":", [], "unexpected EOF"],
  ["{\"a\":[", [], "unexpected EOF"],
  ["{a: b}", ["{\"a\":\"b\"}"], ""],
  ["{a: b", [], "json: offset 2: invalid character 'a' looking for beginning of object key string"],
  ["{\"é\": @}", [], "json: offset 8: invalid character '@' looking for beginning of value"],
  ["{\"a\":é\"}", ["{\"a\":\"é\\\"\"}"], ""],
  ["{\"a\":@'\"}", [], "json: offset 6: invalid character '@' looking for beginning of value"],
  ["{'a': \"}", [], "json: offset 2: invalid character '\\'' looking for beginning of object key string"],
  ["{\"a\":1}{\"b\":2}{\"c\"", ["{\"a\":1}", "{\"b\":2}"], "unexpected EOF"],
  ["{\"a\":1}{\"b\":2} x", ["{\"a\":1}", "{\"b\":2}"], "invalid character 'x' looking for beginning of value"],
  ["{\"a\":1}{\"b\":2}\n[1]", ["{\"a\":1}", "{\"b\":2}", "[1]"], ""],
  ["{\"a\":1} 5 ", ["{\"a\":1}", "5"], ""],
  ["{\"a\":1}null{\"b\":2}", ["{\"a\":1}", "{\"b\":2}"], ""],
  ["{\"a\":\u0001}", [], "json: offset 6: invalid character '\\x01' looking for beginning of value"],
  ["{\"a\":\"\u007f\"}", ["{\"a\":\"\u007f\"}"], ""],
  ["{\"a\":1}\n  \n  x: y: z\n", ["{\"a\":1}"], "json: offset 14: invalid character 'x' looking for beginning of value"],
  ["{\"a\":1}\n---\n x: y: z\n", ["{\"a\":1}"], "json: offset 10: invalid character '-' in numeric literal"],
  ["{\"a\":1}\n---\nx: y\n---\n x: y: z\n", ["{\"a\":1}", "{\"x\":true}"], "error converting YAML to JSON: yaml: mapping values are not allowed in this context"],
  ["{\"a\":1}--- x\n", ["{\"a\":1}"], "json: offset 9: invalid character '-' in numeric literal"],
  ["{\"a\":1}\n--- x\n", ["{\"a\":1}"], "json: offset 10: invalid character '-' in numeric literal"],
  ["{\"a\":1}\n\n\n--- x\n", ["{\"a\":1}"], "json: offset 12: invalid character '-' in numeric literal"],
  ["\ufeff{\"a\":1}", ["{\"a\":1}"], ""],
  ["\ufeff{\"a\":@ `}", [], "json: offset 6: invalid character '@' looking for beginning of value"],
  ["{\"a\":{\"b\":{\"c\":@ `}}}", [], "json: offset 16: invalid character '@' looking for beginning of value"],
  ["{\"a\":1}\ufffd\ufffd\ufffd", ["{\"a\":1}"], "json: offset 8: invalid character 'ï' looking for beginning of value"],
  ["{\"a\":1}😀: x\n", ["{\"a\":1}", "{\"😀\":\"x\"}"], ""],
  ["{\"a\":\"<>&\\u2028\"}", ["{\"a\":\"<>&\u2028\"}"], ""],
  ["{\"a\":\"\\/\"}\n---\n{\"a\": \"\\/\"}\n", ["{\"a\":\"/\"}"], "json: offset 13: invalid character '-' in numeric literal"],
  ["{\n\t\"foo\": {\n\t\t\"stuff\": 1\n\t\t\"otherStuff\": 2\n\t}\n}\n  ", [], "json: offset 28: invalid character '\"' after object key:value pair"],
  // decoder_test.go
  [" {\"1\":2}{\"3\":4}", ["{\"1\":2}", "{\"3\":4}"], ""],
  [" \na: b", ["{\"a\":\"b\"}"], ""],
  ["foo: bar\n---\nbaz: biz", ["{\"foo\":\"bar\"}", "{\"baz\":\"biz\"}"], ""],
  ["foo: bar\n---", ["{\"foo\":\"bar\"}"], ""],
  ["{\"foo\": \"bar\"}    \n---\n{baz: biz}", ["{\"foo\":\"bar\"}", "{\"baz\":\"biz\"}"], ""],
  ["{foo: bar}\n---\n{\"baz\": \"biz\"}", ["{\"foo\":\"bar\"}", "{\"baz\":\"biz\"}"], ""],
  ["{\n\t\"foo\": \"bar\"\n}\n---\n{\n\tbaz: biz\n}", ["{\"foo\":\"bar\"}", "{\"baz\":\"biz\"}"], ""],
  ["{\"foo\": \"bar\"}\n{\"baz\": \"biz\"}\n---\n{qux: zrb}", ["{\"foo\":\"bar\"}", "{\"baz\":\"biz\"}"], "invalid character '-' in numeric literal"],
  ["---\nstuff: 1\n\t\ttest-foo: 1\n\n---\n  ", [], "error converting YAML to JSON: yaml: line 3: found a tab character that violates indentation"],
  ["---\nstuff: 1\n---    # c\nstuff: 2\n---\nstuff: 3\n--- Make sure\n\n ", ["{\"stuff\":1}", "{\"stuff\":2}"], "invalid Yaml document separator: Make sure"],
])("%j", (text, documents, error) => expect(read(text)).toEqual([documents, error]));

const deep = (levels: number, open = "[", close = "]"): string => `a: ${open.repeat(levels)}${close.repeat(levels)}\n`;
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefgh".charAt(i)}`).join(",")}]\n`).join("")}`;

test.each([
  ["brackets", deep(10001), "error converting YAML to JSON: yaml: exceeded max depth of 10000"],
  ["brackets that YAML still takes", deep(10000), "error unmarshaling JSON: while decoding JSON: invalid character '[' exceeded max depth"],
  ["braces that YAML still takes", deep(10000, "{a: ", "}"), "error unmarshaling JSON: while decoding JSON: invalid character '{' exceeded max depth"],
  ["all that JSON takes", deep(9999), undefined],
  ["entries", `${"- ".repeat(10001)}a\n`, "error converting YAML to JSON: yaml: exceeded max depth of 10000"],
  ["JSON", `${'{"a":'.repeat(10001)}`, "json: offset 50001: invalid character '{' exceeded max depth"],
  ["aliases of aliases", bomb, "error converting YAML to JSON: yaml: document contains excessive aliasing"],
  ["a control character behind the reader's buffer", `a: b: c\n${"# x\n".repeat(200)}\u0001\n`, "error converting YAML to JSON: yaml: mapping values are not allowed in this context"],
  ["a control character in the reader's buffer", "a: b: c\n\u0001\n", "error converting YAML to JSON: yaml: control characters are not allowed"],
  ["a key of 1025 characters", `${"a".repeat(1025)}: b\n`, "error converting YAML to JSON: yaml: mapping values are not allowed in this context"],
  ["JSON behind 4095 spaces", `${" ".repeat(4095)}{"a" 1}`, "json: offset 4101: invalid character '1' after object key"],
  ["what is YAML behind 4096 spaces", `${" ".repeat(4096)}{"a" 1}`, "error converting YAML to JSON: yaml: did not find expected ',' or '}'"],
])("too much: %s", (_name, text, message) => expect(readStream(text).error?.message).toBe(message));

test.each([
  ["a: b", { value: { a: "b" } }],
  ["[1", { error: "yaml: line 1: did not find expected ',' or ']'" }],
  ["a: b: c", { error: "yaml: mapping values are not allowed in this context" }],
  ['{"a": 1}', { value: { a: 1 } }],
  ["{a: 1}", { value: "{a: 1}" }],
])("toJson(%j)", (text, expected) => expect(toJson(text)).toEqual(expected));

test("mistakes and nodes have their place in the file", () => {
  const text = "a: b\n---\nc: {d: e}\n--- # x\nf: [\n";
  const { documents, error } = readStream(text);
  const second = documents[1];
  expect(error?.pos).toBe(text.length);
  expect(second && second.pos + (nodesOf(second)?.children[1]?.pos ?? 0)).toBe(text.indexOf("{"));
});

test("ten megabytes in seconds", () => {
  const text = `data:\n${'  key: [a, "b", {c: d}] # text\n'.repeat(330_000)}`;
  expect(text.length).toBeGreaterThan(10_000_000);
  expect(readStream(text).error).toBeUndefined();
}, 30_000);
