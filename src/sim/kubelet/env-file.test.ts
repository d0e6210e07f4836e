import { expect, test } from "vitest";
import { parseEnvFile } from "./env-file.ts";

const error = (at: string, what: string) => ({ error: `invalid environment variable format ${at}: ${what}` });

test.each([
  { name: "a value in single quotes", text: "A='1'\nB='2'\n", key: "B", expected: { value: "2" } },
  { name: "no such key", text: "A='1'\n", key: "C", expected: { value: "" } },
  { name: "comments, blank lines and blanks before the name", text: "# first\n\n   \t\n  A='1' # one\n", key: "A", expected: { value: "1" } },
  { name: "several lines, kept as they are", text: "A='one\n  two $X\\n'\nB='3'", key: "A", expected: { value: "one\n  two $X\\n" } },
  { name: "a blank after the equals sign sets nothing", text: "A= '1'\n", key: "A", expected: { value: "" } },
  { name: "a blank after another's equals sign is passed over", text: "A= '1'\nB='2'\n", key: "B", expected: { value: "2" } },
  { name: "what comes after the key is not looked at", text: "A='1'\nnonsense\n", key: "A", expected: { value: "1" } },
  { name: "no equals sign", text: "nonsense\nA='1'\n", key: "A", expected: error("at line 1", "missing '='") },
  { name: "no name", text: "='1'\n", key: "A", expected: error("at line 1", "empty variable name") },
  { name: "a blank before the equals sign", text: "A ='1'\n", key: "A", expected: error("at line 1", "whitespace before '=' is not allowed") },
  { name: "no quotes", text: "\nA=1\n", key: "A", expected: error("at line 2", "value must be enclosed in single quotes") },
  { name: "double quotes", text: 'A="1"\n', key: "A", expected: error("at line 1", "value must be enclosed in single quotes") },
  { name: "something after the quote", text: "A='1' 2\n", key: "A", expected: error("at line 1", "unexpected content after closing quote") },
  { name: "a quote that is never closed", text: "B='1'\nA='1\n2\n", key: "A", expected: error("starting at line 2", "unclosed single quote") },
])("an environment file: $name", ({ text, key, expected }) => {
  expect(parseEnvFile(text, key)).toEqual(expected);
});
