// Models sigs.k8s.io/yaml/kyaml: YAML in flow style with quoted texts
const AMBIGUOUS = /^(?:|~|null|Null|NULL|y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|\d+|.*[^A-Za-z0-9_./-].*|[^A-Za-z_].*)$/s;
const key = (name: string): string => (AMBIGUOUS.test(name) ? JSON.stringify(name) : name);
const isEmpty = (value: unknown): boolean => typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** A text of several lines is broken after each, every break escaped. */
function text(value: string, indent: string): string {
  if (!value.includes("\n")) return JSON.stringify(value);
  const lines = (value.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => `${indent}  ${/^[^\S\n]/.test(line) ? "\\" : " "}${JSON.stringify(line).slice(1, -1)}\\\n`);
  return `"\\\n${lines.join("")}${indent}  "`;
}

function node(value: unknown, indent: string): string {
  if (typeof value === "string") return text(value, indent);
  if (typeof value !== "object" || value === null) return String(value);
  if (isEmpty(value)) return Array.isArray(value) ? "[]" : "{}";
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const cuddled = value.every((item) => typeof item === "object" && item !== null);
    if (cuddled) return `[${value.map((item) => node(item, indent)).join(", ")}]`;
    return `[\n${value.map((item) => `${inner}${node(item, inner)},\n`).join("")}${indent}]`;
  }
  const lines = Object.entries(value).filter(([, item]) => item !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => `${inner}${key(name)}: ${node(item, inner)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

/** One document, kind and apiVersion in the order of their names. Newline-terminated. */
export const printKyaml = (value: unknown): string => `---\n${node(value, "")}\n`;
