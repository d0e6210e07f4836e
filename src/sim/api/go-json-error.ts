// Models the syntax errors of Go's json.Unmarshal (src/encoding/json/scanner.go)
import { quotedByte, scanJson } from "./go-yaml/json-scanner.ts";

/** The text of json.Unmarshal's syntax error, undefined when the text is JSON. */
export function goJsonError(source: string): string | undefined {
  const scan = scanJson(source, 0);
  if (scan.error !== undefined) return scan.pos >= source.length ? "unexpected end of JSON input" : scan.error;
  const rest = source.slice(scan.end).search(/[^ \t\r\n]/);
  return rest < 0 ? undefined : `invalid character ${quotedByte(source, scan.end + rest)} after top-level value`;
}
