// Models sigs.k8s.io/yaml (goyaml.v2/{encode,emitterc}.go): objects as kubectl get -o yaml prints them

/** Managed fields are hidden unless asked for. */
export function stripManaged(object: unknown): unknown {
  if (typeof object !== "object" || object === null) return object;
  const { metadata, ...rest } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (metadata === undefined) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** Texts that YAML 1.1 would read as something else: booleans, null, numbers, dates, merge keys. */
const OTHER_TYPE = /^(?:~|null|Null|NULL|<<|y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[0-9][0-9_]*)|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|\s+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?\s*(?:Z|[-+]\d{1,2}(?::?\d{2})?)?)?)$/;
const FIRST_INDICATOR = /^[,[\]{}#&*!|>'"%@`]/;
/** Beyond this column a long text is broken at the next space. */
const WIDTH = 80;

const isPlain = (text: string): boolean => !FIRST_INDICATOR.test(text) && !/^[-?:](?:\s|$)/.test(text) && !/:(?:\s|$)/.test(text) && !/\s#/.test(text) && !/^\s|\s$/.test(text) && !text.startsWith("---") && !text.startsWith("...");
// eslint-disable-next-line no-control-regex
const hasControl = (text: string): boolean => /[\u0000-\u0008\u000b-\u001f\u007f\u0085\ufeff]/.test(text);

/** Breaks at a space once the line is longer than 80 characters. */
function fold(text: string, column: number, indent: number): string {
  let out = "";
  let at = column;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === " " && at > WIDTH && text[i + 1] !== " " && text[i - 1] !== " " && i + 1 < text.length) {
      out += `\n${" ".repeat(indent)}`;
      at = indent;
    } else {
      out += char;
      at++;
    }
  }
  return out;
}

function literal(text: string, indent: number): string {
  const chomp = !text.endsWith("\n") ? "-" : text.endsWith("\n\n") || text === "\n" ? "+" : "";
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return `|${hint}${chomp}\n${lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n")}`;
}

/** A scalar that begins at `column` on its line; continuation lines begin at `indent`. */
function scalar(value: unknown, column: number, indent: number): string {
  if (value === null || value === undefined) return "null";
  if (typeof value !== "string") return String(value);
  if (value === "" || OTHER_TYPE.test(value)) return JSON.stringify(value);
  if (hasControl(value)) return JSON.stringify(value);
  if (value.includes("\n")) return /[ \t]\n|\t/.test(value) && / \n/.test(value) ? JSON.stringify(value) : literal(value, indent);
  if (isPlain(value)) return fold(value, column, indent);
  return `'${fold(value.replaceAll("'", "''"), column + 1, indent)}'`;
}

const isEmpty = (value: object): boolean => (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0);

function key(name: string): string {
  if (name === "" || OTHER_TYPE.test(name)) return JSON.stringify(name);
  return isPlain(name) && !name.includes("\n") ? name : `'${name.replaceAll("'", "''")}'`;
}

/** Lines of a mapping or list whose entries begin at `indent`; the first line has no indentation of its own. */
function block(value: object, indent: number): string {
  const pad = " ".repeat(indent);
  if (Array.isArray(value)) return value.map((item: unknown) => `- ${inline(item, indent + 2, indent + 2)}`).join(`\n${pad}`);
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]: [string, unknown]) => {
      const head = `${key(name)}:`;
      if (typeof item === "object" && item !== null && !isEmpty(item)) return Array.isArray(item) ? `${head}\n${pad}${block(item, indent)}` : `${head}\n${pad}  ${block(item, indent + 2)}`;
      return `${head} ${inline(item, indent + head.length + 1, indent + 2)}`;
    })
    .join(`\n${pad}`);
}

function inline(value: unknown, column: number, indent: number): string {
  if (typeof value !== "object" || value === null) return scalar(value, column, indent);
  if (isEmpty(value)) return Array.isArray(value) ? "[]" : "{}";
  return block(value, indent);
}

/** Keys sorted, lists not indented, texts that would read as another type quoted. Newline-terminated. */
export function printYaml(value: unknown): string {
  return `${inline(value, 0, 0)}\n`;
}
