// Models Go's fmt verb %#v and strconv, for the values that YAML has
import type { YamlNode } from "./parser.ts";
import { resolve } from "./resolve.ts";

/** Deeper than this a value is shortened. */
const MAX_DEPTH = 100;
/** From this exponent on strconv writes one. */
const MAX_FIXED = 6;

/** strconv.FormatFloat(value, 'g', -1, bits) */
export function formatFloat(value: number, bits: 32 | 64): string {
  const rounded = bits === 32 ? Math.fround(value) : value;
  if (Number.isNaN(rounded)) return "NaN";
  if (!Number.isFinite(rounded)) return rounded > 0 ? "+Inf" : "-Inf";
  if (rounded === 0) return Object.is(rounded, -0) ? "-0" : "0";
  let shortest = rounded.toExponential();
  for (let digits = 0; bits === 32 && digits < 9; digits++) {
    shortest = rounded.toExponential(digits);
    if (Math.fround(Number(shortest)) === rounded) break;
  }
  const [mantissa = "", power = "0"] = shortest.split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < MAX_FIXED) return fixed(mantissa, exponent);
  const size = Math.abs(exponent);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${size < 10 ? "0" : ""}${size}`;
}

function fixed(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return `${sign}${whole}${rest === "" ? "" : `.${rest}`}`;
}

const NAMED: Readonly<Record<string, string>> = { 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 92: "\\\\" };

/** strconv.Quote, and of a rune if the quote is single. */
export function goQuote(text: string, quote = '"'): string {
  let out = quote;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (character === quote) out += `\\${quote}`;
    else if (NAMED[code] !== undefined) out += NAMED[code];
    else if (code < 32 || code === 127) out += `\\x${hex.padStart(2, "0")}`;
    else if ((code >= 128 && code <= 160) || code === 0xad || /[\p{C}\p{Z}]/u.test(character) && code !== 32) out += code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
    else out += character;
  }
  return out + quote;
}

/** %#v of what a node decodes to. The node must decode: no alias leads into itself. */
export function goSyntax(node: YamlNode, depth = 0): string {
  // Simplified: upstream prints every level
  if (depth > MAX_DEPTH) return "...";
  if (node.target !== undefined) return goSyntax(node.target, depth);
  const inner = (child: YamlNode): string => {
    const shown = goSyntax(child, depth + 1);
    return shown === "<nil>" ? "interface {}(nil)" : shown;
  };
  if (node.kind === "sequence") return `[]interface {}{${node.children.map(inner).join(", ")}}`;
  if (node.kind === "mapping") {
    const entries = new Map<string, string>();
    for (let i = 0; i + 1 < node.children.length; i += 2) {
      const [key, value] = [node.children[i], node.children[i + 1]];
      if (key !== undefined && value !== undefined) entries.set(inner(key), inner(value));
    }
    return `map[interface {}]interface {}{${[...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}:${value}`).join(", ")}}`;
  }
  const { type, value, digits } = resolve(node);
  if (type === "nil") return "<nil>";
  if (type === "float64") return formatFloat(Number(value), 64);
  if (type === "uint64") return `0x${BigInt(digits ?? 0).toString(16)}`;
  return type === "string" ? goQuote(String(value)) : (digits ?? String(value));
}
