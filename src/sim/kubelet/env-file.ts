// Models kubernetes/pkg/kubelet/util/env/env_util.go ParseEnv
type Parsed = { readonly value: string } | { readonly error: string };

/**
 * The value that an environment file gives a key, "" for none. Values stand in single quotes and may have several lines;
 * lines up to the key must be well formed, what comes after it is not looked at. The kubelet keeps the error to its own log.
 */
export function parseEnvFile(text: string, key: string): Parsed {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] ?? "").replace(/^[ \t]+/, "");
    if (line === "" || line.startsWith("#")) continue;
    const error = (at: string, what: string): Parsed => ({ error: `invalid environment variable format ${at}: ${what}` });
    const here = `at line ${i + 1}`;
    const equals = line.indexOf("=");
    if (equals < 0) return error(here, "missing '='");
    const name = line.slice(0, equals);
    if (name.trim() === "") return error(here, "empty variable name");
    if (/[ \t]$/.test(name)) return error(here, "whitespace before '=' is not allowed");
    let rest = line.slice(equals + 1);
    if (/^[ \t]/.test(rest)) {
      // As a shell has it: the variable is set to nothing, and the word after the blank is another matter.
      if (name === key) return { value: "" };
      continue;
    }
    if (!rest.startsWith("'")) return error(here, "value must be enclosed in single quotes");
    const first = i + 1;
    let value = "";
    rest = rest.slice(1);
    for (;;) {
      const end = rest.indexOf("'");
      if (end >= 0) {
        value += rest.slice(0, end);
        if (!/^[ \t]*(?:#.*)?$/.test(rest.slice(end + 1))) return error(`at line ${i + 1}`, "unexpected content after closing quote");
        if (name === key) return { value };
        break;
      }
      value += `${rest}\n`;
      i++;
      const next = lines[i];
      if (next === undefined) return error(`starting at line ${first}`, "unclosed single quote");
      rest = next;
    }
  }
  return { value: "" };
}
