// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/mutation: "Object.spec{...}" and "JSONPatch{...}" in mutations

const LITERAL = /(?<![\w.])(?:Object(?:\.\w+)*|JSONPatch)\s*\{/y;
const FIELD = /\s*(\??)([A-Za-z_]\w*)\s*:/y;
const STRING = /[rRbB]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/y;

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/**
 * Typed literals as maps with names for keys, which the interpreter can read.
 * Simplified: upstream checks field names against the schema when the policy is compiled; here the merged object is checked when it is decoded.
 */
export function rewriteObjectLiterals(source: string): string {
  let out = "";
  let at = 0;
  /** Open brackets; true for a typed literal's brace. */
  const open: boolean[] = [];
  let fieldNext = false;
  while (at < source.length) {
    const text = match(STRING, source, at);
    if (text !== null) {
      out += text[0];
      at += text[0].length;
      continue;
    }
    const literal = match(LITERAL, source, at);
    if (literal !== null) {
      out += "{";
      at += literal[0].length;
      open.push(true);
      fieldNext = true;
      continue;
    }
    const field = fieldNext ? match(FIELD, source, at) : null;
    fieldNext = false;
    if (field !== null) {
      out += `"${field[2] ?? ""}": dyn(`;
      at += field[0].length;
      continue;
    }
    const c = source.charAt(at);
    at += 1;
    const typed = open.at(-1) === true;
    if (c === "{" || c === "(" || c === "[") open.push(false);
    if (c === "}" || c === ")" || c === "]") {
      open.pop();
      if (typed && c === "}") out += /[{,]$/.test(out.trimEnd()) ? "" : ")";
    }
    if (typed && c === ",") {
      out += ")";
      fieldNext = true;
    }
    out += c;
  }
  return out;
}
