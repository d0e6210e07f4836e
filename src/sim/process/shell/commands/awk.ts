// Models awk, as far as shell scripts of manifests use it: patterns, print, printf, fields, NR, NF, sums
import { type Command, type CommandEnv, fail, getopt, lines, MISSING } from "./command.ts";
import { textOf } from "./files.ts";

interface Rule {
  readonly pattern: string;
  readonly body: string;
}

/** `pattern { body }` one after another; a pattern alone prints, a body alone runs for every line. */
function readRules(program: string): readonly Rule[] {
  const rules: Rule[] = [];
  for (const m of program.matchAll(/\s*((?:\/(?:\\.|[^/\\])*\/|"(?:\\.|[^"\\])*"|[^{}\n;"/])*)(?:\{((?:"(?:\\.|[^"\\])*"|[^{}"])*)\})?[;\n]*/g)) {
    const pattern = (m[1] ?? "").trim();
    if (pattern !== "" || m[2] !== undefined) rules.push({ pattern, body: m[2] ?? "print" });
  }
  return rules;
}

class Awk {
  private readonly vars: Record<string, string>;
  private fields: readonly string[] = [];
  out = "";

  constructor(vars: Record<string, string>) {
    this.vars = vars;
  }

  line(text: string, n: number): void {
    const separator = this.vars["FS"] ?? " ";
    this.fields = [text, ...(separator === " " ? text.trim().split(/\s+/).filter((field) => field !== "") : text.split(separator.length === 1 ? separator : new RegExp(separator)))];
    this.vars["NR"] = String(n);
    this.vars["NF"] = String(this.fields.length - 1);
  }

  /** An operand: field, string, number, variable, function of one operand. */
  private operand(text: string): string {
    const t = text.trim();
    if (t.startsWith('"')) return t.slice(1, -1).replace(/\\([nt"\\])/g, (_, c: string) => ({ n: "\n", t: "\t" })[c] ?? c);
    if (/^-?\d/.test(t)) return t;
    const field = /^\$(\(.*\)|\w+)$/.exec(t);
    if (field) return this.fields[Number(this.value((field[1] ?? "").replace(/^\((.*)\)$/, "$1")))] ?? "";
    const call = /^(length|tolower|toupper|int)\((.*)\)$/.exec(t);
    if (call) {
      const inner = call[2] === "" ? (this.fields[0] ?? "") : this.value(call[2] ?? "");
      return { length: String(inner.length), tolower: inner.toLowerCase(), toupper: inner.toUpperCase(), int: String(Math.trunc(Number(inner))) }[call[1] ?? ""] ?? "";
    }
    return this.vars[t] ?? "";
  }

  /** Arithmetic and concatenation, without precedence beyond left to right. */
  value(text: string): string {
    const tokens = text.match(/"(?:\\.|[^"\\])*"|\$\([^)]*\)|\$\w+|\w+\([^)]*\)|[\w.]+|[-+*/%]/g) ?? [];
    let result: string | undefined;
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] ?? "";
      if (/^[-+*/%]$/.test(token) && result !== undefined) {
        const [a, b] = [Number(result) || 0, Number(this.operand(tokens[++i] ?? "")) || 0];
        result = String(token === "+" ? a + b : token === "-" ? a - b : token === "*" ? a * b : token === "/" ? a / b : a % b);
      } else result = (result ?? "") + this.operand(token);
    }
    return result ?? "";
  }

  test(pattern: string): boolean {
    if (pattern === "") return true;
    for (const [separator, all] of [["||", false], ["&&", true]] as const) {
      const parts = pattern.split(separator);
      if (parts.length > 1) return all ? parts.every((part) => this.test(part.trim())) : parts.some((part) => this.test(part.trim()));
    }
    const p = pattern.trim();
    if (p.startsWith("!")) return !this.test(p.slice(1).trim());
    if (/^\/.*\/$/.test(p)) return new RegExp(p.slice(1, -1)).test(this.fields[0] ?? "");
    const m = /^(.+?)\s*(==|!=|<=|>=|<|>|!~|~)\s*(.+)$/.exec(p);
    if (!m) return !/^0?$/.test(this.value(p));
    const a = this.value(m[1] ?? "");
    if (m[2] === "~" || m[2] === "!~") return new RegExp((m[3] ?? "").replace(/^[/"]|[/"]$/g, "")).test(a) === (m[2] === "~");
    const b = this.value(m[3] ?? "");
    const order = a !== "" && b !== "" && !Number.isNaN(Number(a)) && !Number.isNaN(Number(b)) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0;
    return { "==": order === 0, "!=": order !== 0, "<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0 }[m[2] ?? ""] ?? false;
  }

  /** False once `exit` or `next` was said. */
  run(body: string): "go" | "next" | "exit" {
    for (const statement of body.split(/[;\n]/).map((part) => part.trim()).filter((part) => part !== "")) {
      const conditional = /^if\s*\((.*?)\)\s*(.+)$/.exec(statement);
      if (conditional && !this.test(conditional[1] ?? "")) continue;
      const text = conditional?.[2] ?? statement;
      if (text === "next" || text === "exit") return text;
      const print = /^(printf?)\b\s*(.*)$/.exec(text);
      if (print) this.print(print[1] === "printf", (print[2] ?? "").replace(/^\((.*)\)$/, "$1"));
      else this.assign(text);
    }
    return "go";
  }

  private print(format: boolean, text: string): void {
    const values = (text.match(/(?:"(?:\\.|[^"\\])*"|\([^)]*\)|[^,"(])+/g) ?? []).map((part) => this.value(part));
    if (!format) this.out += `${values.length === 0 ? (this.fields[0] ?? "") : values.join(this.vars["OFS"] ?? " ")}\n`;
    else {
      let at = 1;
      this.out += (values[0] ?? "").replace(/%(-?\d*)(?:\.(\d+))?([sdf%])/g, (_, width: string, precision: string | undefined, kind: string) => {
        if (kind === "%") return "%";
        const value = values[at++] ?? "";
        const shown = kind === "d" ? String(Math.trunc(Number(value)) || 0) : kind === "f" ? (Number(value) || 0).toFixed(Number(precision ?? 6)) : value;
        return width.startsWith("-") ? shown.padEnd(-Number(width)) : shown.padStart(Number(width));
      });
    }
  }

  private assign(text: string): void {
    const m = /^(\w+)\s*(\+\+|--|[-+*/]?=)\s*(.*)$/.exec(text);
    if (!m) return;
    const [, name = "", op = "", right = ""] = m;
    const old = Number(this.vars[name]) || 0;
    if (op === "++" || op === "--") this.vars[name] = String(old + (op === "++" ? 1 : -1));
    else this.vars[name] = op === "=" ? this.value(right) : String({ "+=": old + Number(this.value(right)), "-=": old - Number(this.value(right)), "*=": old * Number(this.value(right)), "/=": old / Number(this.value(right)) }[op] ?? old);
  }
}

export const awk: Command = (args, env: CommandEnv) => {
  const { values, rest } = getopt(args, "Fvf");
  const [program = "", ...names] = rest;
  const vars = Object.fromEntries(args.flatMap((arg, i) => (args[i - 1] === "-v" ? [[arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)]] : []))) as Record<string, string>;
  const machine = new Awk({ ...vars, ...(values["F"] === undefined ? {} : { FS: values["F"].replace("\\t", "\t") }) });
  const rules = readRules(program);
  for (const { pattern, body } of rules) if (pattern === "BEGIN") machine.run(body);
  const middle = rules.filter(({ pattern }) => pattern !== "BEGIN" && pattern !== "END");
  const texts = (names.length === 0 ? ["-"] : names).map((name) => textOf(env, name));
  if (texts.includes(undefined)) return fail(`awk: ${names[texts.indexOf(undefined)] ?? ""}: ${MISSING}\n`, 2);
  const all = middle.length > 0 || rules.some(({ pattern }) => pattern === "END") ? texts.flatMap((text) => lines(text ?? "")) : [];
  for (const [i, text] of all.entries()) {
    machine.line(text, i + 1);
    const end = middle.reduce<"go" | "next" | "exit">((state, { pattern, body }) => (state === "go" && machine.test(pattern) ? machine.run(body) : state), "go");
    if (end === "exit") break;
  }
  for (const { pattern, body } of rules) if (pattern === "END") machine.run(body);
  return { status: 0, out: machine.out };
};
