import { ShellSyntaxError } from "./lexer.ts";

/** Variables as `$(( ))` sees and sets them. */
export interface Variables {
  get(name: string): string;
  set(name: string, value: string): void;
}

const LEVELS: readonly (readonly string[])[] = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<=", ">=", "<", ">"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];
const TOKEN = /\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|\+\+|--|\*\*|<<=|>>=|[-+*/%&|^]=|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%<>=!~^&|?:(),])/y;

function tokens(text: string): string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== "") {
    const m = TOKEN.exec(text);
    if (!m) throw new ShellSyntaxError("arithmetic syntax error");
    found.push(m[1] ?? "");
  }
  return found;
}

function binary(op: string, a: number, b: number): number {
  switch (op) {
    case "||": return a !== 0 || b !== 0 ? 1 : 0;
    case "&&": return a !== 0 && b !== 0 ? 1 : 0;
    case "|": return a | b;
    case "^": return a ^ b;
    case "&": return a & b;
    case "==": return a === b ? 1 : 0;
    case "!=": return a === b ? 0 : 1;
    case "<=": return a <= b ? 1 : 0;
    case ">=": return a >= b ? 1 : 0;
    case "<": return a < b ? 1 : 0;
    case ">": return a > b ? 1 : 0;
    case "<<": return a * 2 ** b;
    case ">>": return Math.floor(a / 2 ** b);
    case "+": return a + b;
    case "-": return a - b;
    case "*": return a * b;
  }
  if (b === 0) throw new ShellSyntaxError("divide by zero");
  return op === "/" ? Math.trunc(a / b) : a % b;
}

class Arithmetic {
  private readonly list: readonly string[];
  private readonly vars: Variables;
  private at = 0;

  constructor(text: string, vars: Variables) {
    this.list = tokens(text);
    this.vars = vars;
  }

  whole(): number {
    if (this.list.length === 0) return 0;
    let value = this.assignment();
    while (this.take(",")) value = this.assignment();
    if (this.at < this.list.length) throw new ShellSyntaxError("arithmetic syntax error");
    return value;
  }

  private take(token: string): boolean {
    if (this.list[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private value(name: string): number {
    return Number(this.vars.get(name)) || 0;
  }

  private put(name: string, value: number): number {
    this.vars.set(name, String(value));
    return value;
  }

  private assignment(): number {
    const name = this.list[this.at] ?? "";
    const op = this.list[this.at + 1] ?? "";
    if (/^[A-Za-z_]/.test(name) && /^(?:<<|>>|[-+*/%&|^])?=$/.test(op)) {
      this.at += 2;
      const right = this.assignment();
      return this.put(name, op === "=" ? right : binary(op.slice(0, -1), this.value(name), right));
    }
    const condition = this.level(0);
    if (!this.take("?")) return condition;
    const yes = this.assignment();
    if (!this.take(":")) throw new ShellSyntaxError("arithmetic syntax error");
    const no = this.assignment();
    return condition === 0 ? no : yes;
  }

  private level(n: number): number {
    const ops = LEVELS[n];
    if (ops === undefined) return this.unary();
    let left = this.level(n + 1);
    for (let op = this.list[this.at] ?? ""; ops.includes(op); op = this.list[this.at] ?? "") {
      this.at++;
      left = binary(op, left, this.level(n + 1));
    }
    return left;
  }

  private unary(): number {
    const token = this.list[this.at++] ?? "";
    if (token === "-") return -this.unary();
    if (token === "+") return this.unary();
    if (token === "!") return this.unary() === 0 ? 1 : 0;
    if (token === "~") return -this.unary() - 1;
    if (token === "++" || token === "--") {
      const name = this.list[this.at++] ?? "";
      return this.put(name, this.value(name) + (token === "++" ? 1 : -1));
    }
    if (token === "(") {
      const value = this.assignment();
      if (!this.take(")")) throw new ShellSyntaxError("arithmetic syntax error");
      return value;
    }
    const base = this.atom(token);
    return this.take("**") ? base ** this.unary() : base;
  }

  private atom(token: string): number {
    if (/^\d/.test(token)) return /^0\d+$/.test(token) ? Number.parseInt(token, 8) : Number(token);
    if (!/^[A-Za-z_]/.test(token)) throw new ShellSyntaxError("arithmetic syntax error");
    const value = this.value(token);
    if (this.take("++")) this.put(token, value + 1);
    else if (this.take("--")) this.put(token, value - 1);
    return value;
  }
}

/** The value of an arithmetic expression of integers, as C has it. Throws ShellSyntaxError. */
export const arithmetic = (text: string, vars: Variables): string => String(new Arithmetic(text, vars).whole());
