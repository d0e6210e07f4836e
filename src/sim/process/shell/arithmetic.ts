/** Arithmetic of integers: + - * / % and comparison of two, left to right by precedence of one level. */
export function arithmetic(text: string, variable: (name: string) => string): string {
  const plain = text.replace(/\$?([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => variable(name) || "0");
  const tokens = plain.match(/\d+|[-+*/%<>=!()]+/g) ?? [];
  let value = Number(tokens[0] ?? 0);
  for (let i = 1; i + 1 < tokens.length; i += 2) {
    const right = Number(tokens[i + 1]);
    switch (tokens[i]) {
      case "+": value += right; break;
      case "-": value -= right; break;
      case "*": value *= right; break;
      case "/": value = right === 0 ? 0 : Math.trunc(value / right); break;
      case "%": value = right === 0 ? 0 : value % right; break;
      case "<": value = value < right ? 1 : 0; break;
      case ">": value = value > right ? 1 : 0; break;
      default: value = value === right ? 1 : 0;
    }
  }
  return String(value);
}
