// What kubectl says in sentences of upstream's is not ours to repeat: of explain and of help, the layout is compared.

/** A heading: at the start of the line, with a colon at its end. */
const HEADING = /^[A-Z][^\t]*:$/;
const FIELD_LINE = /^\s+\S+\t</;
const ENUM_LINE = /^\s+enum: /;

/** Headings, fields with their types and markers, and enums: sentences and the empty lines around them are left out. */
function explainLayout(text: string): string {
  let section = "";
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    if (HEADING.test(line)) section = line;
    if (section === "DESCRIPTION:" && line !== section) continue;
    if (section === "FIELDS:" && line !== section && !FIELD_LINE.test(line) && !ENUM_LINE.test(line)) continue;
    kept.push(line);
  }
  return kept.join("\n");
}

/** Headings, names of commands, flags with their defaults, the line of use: sentences, examples and hints are left out. */
function helpLayout(text: string): string {
  let section = "";
  const kept: string[] = [];
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    if (HEADING.test(line)) section = line;
    // A sentence with a colon at its end is followed by none of a section's indented lines.
    if (section === line && line !== "" && (/^( {2}|\t| {4}|$)/.test(lines[i + 1] ?? "") && line.split(" ").length <= 5)) kept.push(line);
    else if (/Commands( \(\w+\))?:$/.test(section) && /^ {2}\S/.test(line)) kept.push(`  ${line.trim().split(/\s{2,}/)[0] ?? ""}`);
    else if (/^ {4}(-\w, )?--[\w-]+=.*:$/.test(line)) kept.push(line);
    else if (section === "Usage:" && /^ {2}kubectl/.test(line)) kept.push(line);
    else if (line === "Aliases:" || section === "Aliases:") kept.push(line);
    else if (/^Unknown help topic|^error: /.test(line)) kept.push(line);
  }
  return kept.join("\n");
}

const isHelp = (text: string): boolean => /^Usage:\n {2}kubectl/m.test(text) || text.startsWith("The following options can be passed");

/** What of an output is compared: all of it, but for explain and help. */
export function withoutProse(expected: string, actual: string, argv: readonly string[]): readonly [string, string] {
  if (argv[0] === "explain" && /^(?:KIND|GROUP): /.test(expected)) return [explainLayout(expected), explainLayout(actual)];
  return isHelp(expected) ? [helpLayout(expected), helpLayout(actual)] : [expected, actual];
}
