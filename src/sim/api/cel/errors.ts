// Models cel-go common/{error,errors}.go, checker/errors.go and common/types/err.go: the words in which CEL refuses
import { formatType, type AstNode } from "./ast.ts";

/** What the interpreter throws, as far as this file reads it. */
interface Thrown {
  readonly code?: string;
  readonly summary?: string;
  readonly message: string;
  readonly node?: AstNode;
  readonly range?: { readonly start: number; readonly end: number };
}

const EXPRESSION_START = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** One issue with the place it points at, as cel-go prints it. */
function issue(source: string, offset: number, message: string): string {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - (before.lastIndexOf("\n") + 1);
  const text = (source.split("\n")[line - 1] ?? "").replaceAll("\t", " ");
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${".".repeat(column)}^`;
}

const OPERATOR_NAMES: Readonly<Record<string, string>> = { in: "@in", "!_": "!_", "-_": "-_", "?:": "_?_:_", "[]": "_[_]" };
const operatorName = (op: string): string => OPERATOR_NAMES[op] ?? `_${op}_`;

const argumentsOf = (node: AstNode): readonly AstNode[] => (Array.isArray(node.args) ? (node.args as readonly AstNode[]) : [node.args as AstNode]);

/** Where cel-go says an expression is: an operator's sign, a call's parenthesis, a field's dot. */
function placeOf(source: string, node: AstNode): number {
  if (node.op === "call") return source.indexOf("(", node.start);
  if (node.op === "rcall") return source.indexOf("(", source.indexOf(String((node.args as readonly unknown[])[0]).replace("k8sMatches", "matches"), (node.args as readonly AstNode[])[1]?.end ?? node.start));
  if (node.op === ".") return Math.max(node.start, source.lastIndexOf(".", node.pos));
  const [left] = argumentsOf(node);
  if (node.op === "?:" || node.op === "[]") return source.indexOf(node.op.charAt(0), left?.end ?? node.start);
  if (Array.isArray(node.args) && left !== undefined && node.op !== "list" && node.op !== "map") {
    const at = source.indexOf(node.op, left.end);
    if (at >= 0) return at;
  }
  return node.start;
}

function overloadError(node: AstNode): string {
  if (node.op === "call" || node.op === "rcall") {
    const [name, second, third] = node.args as readonly [string, unknown, unknown];
    const list = ((node.op === "call" ? second : third) as readonly AstNode[]).map(formatType).join(", ");
    return `found no matching overload for '${name.replace("k8sMatches", "matches")}' applied to '${node.op === "call" ? "" : `${formatType(second as AstNode)}.`}(${list})'`;
  }
  return `found no matching overload for '${operatorName(node.op)}' applied to '(${argumentsOf(node).map(formatType).join(", ")})'`;
}

function syntaxError(source: string, thrown: Thrown): string {
  const { start = 0, end = source.length } = thrown.range ?? {};
  const token = source.slice(start, Math.max(end, start + 1)).trim();
  const message = thrown.summary ?? thrown.message;
  if (thrown.code === "reserved_identifier") return issue(source, start, `reserved identifier: ${token}`);
  if (start >= source.trimEnd().length || token === "") return issue(source, source.length, `Syntax error: mismatched input '<EOF>' expecting ${message.startsWith("Expected ") ? expected(message) : EXPRESSION_START}`);
  if (thrown.code === "unexpected_character" && message.startsWith("Unexpected character: '") && source[start - 1] !== undefined) {
    const rest = source.slice(end).trim();
    return issue(source, start, `Syntax error: ${rest === "" ? "extraneous" : "mismatched"} input '${token}' expecting <EOF>`);
  }
  if (thrown.code === "unexpected_character" || thrown.code === "unterminated_string") return issue(source, start, `Syntax error: token recognition error at: '${thrown.code === "unterminated_string" ? source.slice(start) : token}'`);
  if (thrown.code === "unexpected_token") return issue(source, start, `Syntax error: mismatched input '${token}' expecting ${EXPRESSION_START}`);
  if (thrown.code === "expected_token") return issue(source, start, `Syntax error: mismatched input '${token}' expecting ${expected(message)}`);
  return issue(source, start, `Syntax error: ${message}`);
}

const TOKENS: Readonly<Record<string, string>> = { RPAREN: "')'", RBRACKET: "']'", RBRACE: "'}'", COLON: "':'", IDENTIFIER: "IDENTIFIER", COMMA: "','" };
const expected = (message: string): string => TOKENS[/^Expected (\w+)/.exec(message)?.[1] ?? ""] ?? EXPRESSION_START;

/**
 * What cel-go would say of an expression that does not compile.
 * Simplified: upstream reports every problem of an expression and lists all tokens its grammar expects; here the first problem, with the common tokens.
 */
export function compileError(source: string, error: unknown, knowsFunction: (name: string) => boolean): string {
  const thrown = error as Thrown;
  const { code = "", node } = thrown;
  const message = thrown.summary ?? thrown.message;
  if (node === undefined || node.op === undefined) return syntaxError(source, thrown);
  const at = placeOf(source, node);
  switch (code) {
    case "unknown_variable":
      return issue(source, node.start, `undeclared reference to '${String(node.args)}' (in container '')`);
    case "no_matching_overload": {
      const name = String((node.args as readonly unknown[])[0]);
      return issue(source, at, knowsFunction(name) ? overloadError(node) : `undeclared reference to '${name}' (in container '')`);
    }
    case "no_such_overload":
    case "invalid_logical_operand":
    case "incompatible_ternary_branches":
      return issue(source, at, overloadError(node));
    case "no_such_key":
      return issue(source, at, `undefined field '${message.slice("No such key: ".length)}'`);
    case "cannot_index_type":
      return issue(source, at, `type '${formatType(argumentsOf(node)[0])}' does not support field selection`);
    case "heterogeneous_list_element":
    case "heterogeneous_map_key":
    case "heterogeneous_map_value":
      return issue(source, node.start, message.replace(/^.*expected type '(.*)' but found '(.*)'$/, "expected type '$1' but found '$2'"));
    case "invalid_condition_type":
      return issue(source, node.start, `expected type 'bool' but found '${formatType(node)}'`);
    case "invalid_comprehension_range":
      return issue(source, node.start, `expression of type '${formatType(node)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
    case "invalid_macro_argument":
      return issue(source, node.start, message.startsWith("has") ? "invalid argument to has() macro" : "argument must be a simple name");
    default:
      return issue(source, at, message);
  }
}

/** What cel-go says when an evaluation fails. */
export function runtimeError(error: unknown): string {
  const thrown = error as Thrown;
  const message = thrown.summary ?? thrown.message;
  switch (thrown.code) {
    case "no_such_key":
      return `no such key: ${message.slice("No such key: ".length)}`;
    case "index_out_of_bounds":
      return `index out of bounds: ${/index (-?\d+)/.exec(message)?.[1] ?? ""}`;
    case "modulo_by_zero":
      return "modulus by zero";
    case "numeric_overflow":
      return message.startsWith("integer overflow") ? "integer overflow" : message;
    case "no_such_overload":
    case "no_matching_overload":
    case "invalid_logical_operand":
    case "invalid_condition_type":
      return "no such overload";
    case "unknown_variable":
      return `no such attribute(s): ${message.slice("Unknown variable: ".length)}`;
    case "optional_value_missing":
      return "optional.none() dereference";
    case "int_conversion_error":
      return "strconv.ParseInt: invalid syntax";
    default:
      return message;
  }
}
