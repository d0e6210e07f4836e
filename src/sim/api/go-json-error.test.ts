import { expect, test } from "vitest";
import { goJsonError } from "./go-json-error.ts";

test.each([
  ['{"a": [1, -2.5e+3, true, null, "\\u00e4\\n"]}', undefined], ["", "unexpected end of JSON input"], ["{", "unexpected end of JSON input"], ["abc", "invalid character 'a' looking for beginning of value"],
  ["{a", "invalid character 'a' looking for beginning of object key string"], ['{"a" 1}', "invalid character '1' after object key"], ['{"a":1 "b"', "invalid character '\"' after object key:value pair"], ["[1 2]", "invalid character '2' after array element"],
  ["{} x", "invalid character 'x' after top-level value"], ["trve", "invalid character 'v' in literal true (expecting 'u')"], ["1.x", "invalid character 'x' after decimal point in numeric literal"], ['"\\q"', "invalid character 'q' in string escape code"],
])("%s", (source, error) => expect(goJsonError(source)).toBe(error));
