// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/labels/selector.go and apis/meta/v1/helpers.go
import { isQualifiedName, isValidLabelValue } from "./names.ts";
import type { LabelSelector } from "./types.ts";

export type Operator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | "gt" | "lt";
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}
/** Requirements that must all hold; an empty list selects everything, `NOTHING` nothing. */
export type Selector = readonly Requirement[];
export type Labels = Readonly<Record<string, string>>;

/** labels.Nothing(): what a missing LabelSelector selects. */
export const NOTHING: Selector = Object.freeze([{ key: "", operator: "in", values: [] }]);
export const EVERYTHING: Selector = Object.freeze([]);

const quote = (text: string): string => JSON.stringify(text);

function keyError(path: string, key: string): string | undefined {
  const errors = isQualifiedName(key);
  return errors.length === 0 ? undefined : `${path}: Invalid value: ${quote(key)}: ${errors.join("; ")}`;
}

function valuesError(operator: Operator, values: readonly string[]): string | undefined {
  const invalid = (text: string): string => `values: Invalid value: ${values.length === 0 ? "null" : JSON.stringify(values)}: ${text}`;
  switch (operator) {
    case "in":
    case "notin":
      return values.length === 0 ? invalid("for 'in', 'notin' operators, values set can't be empty") : undefined;
    case "exists":
    case "!":
      return values.length > 0 ? invalid("values set must be empty for exists and does not exist") : undefined;
    case "gt":
    case "lt":
      if (values.length !== 1) return invalid("for 'Gt', 'Lt' operators, exactly one value is required");
      return /^[+-]?\d+$/.test(values[0] ?? "") ? undefined : `values[0]: Invalid value: ${quote(values[0] ?? "")}: for 'Gt', 'Lt' operators, the value must be an integer`;
    default:
      return values.length === 1 ? undefined : invalid("exact-match compatibility requires one single value");
  }
}

/** Checks a requirement as NewRequirement does; the error text when it is not valid. */
export function newRequirement(key: string, operator: Operator, values: readonly string[]): Requirement | string {
  const errors: string[] = [];
  const add = (error: string | undefined): void => {
    if (error !== undefined && !errors.includes(error)) errors.push(error);
  };
  add(keyError("key", key));
  add(valuesError(operator, values));
  for (const [i, value] of values.entries()) {
    const bad = isValidLabelValue(value);
    if (bad.length > 0) add(`values[${i}][${key}]: Invalid value: ${quote(value)}: ${bad.join("; ")}`);
  }
  if (errors.length === 0) return { key, operator, values };
  return errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`;
}

const TOKENS = new Set([")", ",", "!", "==", "=", "in", "(", "!=", "notin", ">", "<"]);
const SPECIAL = new Set("=!(),><");
const SPACE = new Set(" \t\r\n");
interface Token {
  readonly type: string;
  readonly text: string;
}
const END: Token = { type: "end", text: "" };

function scanSymbol(text: string, from: number): { readonly token: Token; readonly next: number } {
  let end = from;
  let symbol = "";
  while (end < text.length && SPECIAL.has(text[end] ?? "")) {
    const longer = text.slice(from, end + 1);
    if (TOKENS.has(longer)) symbol = longer;
    else if (symbol !== "") break;
    end += 1;
  }
  return { token: symbol === "" ? { type: "error", text: `error expected: keyword found '${text.slice(from, end)}'` } : { type: symbol, text: symbol }, next: end };
}

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const ch = text[at] ?? "";
    if (SPACE.has(ch)) at += 1;
    else if (SPECIAL.has(ch)) {
      const { token, next } = scanSymbol(text, at);
      tokens.push(token);
      at = next;
    } else {
      const from = at;
      while (at < text.length && !SPECIAL.has(text[at] ?? "") && !SPACE.has(text[at] ?? "")) at += 1;
      const word = text.slice(from, at);
      tokens.push({ type: TOKENS.has(word) ? word : "identifier", text: word });
    }
  }
  tokens.push(END);
  return tokens;
}

/** Thrown inside the parser only; `parseSelector` turns it into its error text. */
class SelectorError extends Error {}

const fail = (text: string): never => {
  throw new SelectorError(text);
};

class Parser {
  private position = 0;
  private readonly tokens: readonly Token[];

  constructor(text: string) {
    this.tokens = scan(text);
  }

  /** In a value, the words "in" and "notin" are ordinary words. */
  lookahead(asValue = true): Token {
    const token = this.tokens[this.position] ?? END;
    return asValue && (token.type === "in" || token.type === "notin") ? { type: "identifier", text: token.text } : token;
  }

  consume(asValue = true): Token {
    const token = this.lookahead(asValue);
    this.position += 1;
    return token;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const first = this.lookahead();
      if (first.type === "end") return requirements;
      if (first.type !== "identifier" && first.type !== "!") fail(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.requirement());
      const next = this.consume();
      if (next.type === "end") return requirements;
      if (next.type !== ",") fail(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.lookahead();
      if (after.type !== "identifier" && after.type !== "!") fail(`found '${after.text}', expected: identifier after ','`);
    }
  }

  private requirement(): Requirement {
    const wrap = (text: string): never => fail(`unable to parse requirement: ${text}`);
    const build = (key: string, operator: Operator, values: readonly string[]): Requirement => {
      const made = newRequirement(key, operator, values);
      return typeof made === "string" ? wrap(made) : made;
    };
    let token = this.consume();
    const negated = token.type === "!";
    if (negated) token = this.consume();
    if (token.type !== "identifier") wrap(`found '${token.text}', expected: identifier`);
    const error = keyError("<nil>", token.text);
    if (error !== undefined) wrap(error);
    const next = this.lookahead().type;
    if (negated) return build(token.text, "!", []);
    if (next === "end" || next === ",") return build(token.text, "exists", []);
    const operator = this.operator(wrap);
    return build(token.text, operator, operator === "in" || operator === "notin" ? this.valueSet(wrap) : [this.exactValue(wrap)]);
  }

  private operator(wrap: (text: string) => never): Operator {
    const token = this.consume(false);
    switch (token.type) {
      case "in":
      case "notin":
      case "=":
      case "==":
      case "!=":
        return token.type;
      case ">":
        return "gt";
      case "<":
        return "lt";
      default:
        return wrap(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  private exactValue(wrap: (text: string) => never): string {
    const next = this.lookahead();
    if (next.type === "end" || next.type === ",") return "";
    const token = this.consume();
    return token.type === "identifier" ? token.text : wrap(`found '${token.text}', expected: identifier`);
  }

  private valueSet(wrap: (text: string) => never): string[] {
    const open = this.consume();
    if (open.type !== "(") wrap(`found '${open.text}' expected: '('`);
    const first = this.lookahead();
    if (first.type === ")") {
      this.consume();
      return [""];
    }
    if (first.type !== "identifier" && first.type !== ",") wrap(`found '${first.text}', expected: ',', ')' or identifier`);
    const values = this.identifiers(wrap);
    this.consume();
    return [...values].sort((a, b) => (a < b ? -1 : 1));
  }

  private identifiers(wrap: (text: string) => never): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.consume();
      const next = this.lookahead();
      if (token.type === "identifier") {
        values.add(token.text);
        if (next.type === ")") return values;
        if (next.type !== ",") wrap(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.type === ",") {
        if (values.size === 0) values.add("");
        if (next.type === ")" || next.type === ",") values.add("");
        if (next.type === ")") return values;
      } else wrap(`found '${token.text}', expected: ',', or identifier`);
    }
  }
}

const byKey = (a: Requirement, b: Requirement): number => {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
};

/** labels.Parse: a selector text as in `kubectl -l`. Returns the error text when it does not parse. */
export function parseSelector(text: string): Selector | string {
  try {
    return new Parser(text).parse().sort(byKey);
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}

const SELECTOR_OPERATORS: ReadonlyMap<string, Operator> = new Map([["In", "in"], ["NotIn", "notin"], ["Exists", "exists"], ["DoesNotExist", "!"]]);
const compiled = new WeakMap<LabelSelector, Selector | string>();

function compile(selector: LabelSelector): Selector | string {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const made = newRequirement(key, "=", [value]);
    if (typeof made === "string") return made;
    requirements.push(made);
  }
  for (const expression of selector.matchExpressions ?? []) {
    const operator = SELECTOR_OPERATORS.get(expression.operator);
    if (operator === undefined) return `${quote(expression.operator)} is not a valid label selector operator`;
    const made = newRequirement(expression.key, operator, expression.values ?? []);
    if (typeof made === "string") return made;
    requirements.push(made);
  }
  return requirements.sort(byKey);
}

/** LabelSelectorAsSelector: missing selects nothing, empty everything. Objects are immutable, so the result is kept per object. */
export function labelSelectorAsSelector(selector: LabelSelector | undefined): Selector | string {
  if (selector === undefined) return NOTHING;
  let result = compiled.get(selector);
  if (result === undefined) {
    result = compile(selector);
    compiled.set(selector, result);
  }
  return result;
}

/** A set of labels as a selector (Service.spec.selector). Empty selects everything. */
export const selectorFromSet = (set: Labels | undefined): Selector =>
  Object.entries(set ?? {}).map(([key, value]): Requirement => ({ key, operator: "=", values: [value] })).sort(byKey);

function matchesRequirement({ key, operator, values }: Requirement, labels: Labels): boolean {
  const has = Object.hasOwn(labels, key);
  const value = labels[key] ?? "";
  switch (operator) {
    case "in":
    case "=":
    case "==":
      return has && values.includes(value);
    case "notin":
    case "!=":
      return !has || !values.includes(value);
    case "exists":
      return has;
    case "!":
      return !has;
    case "gt":
    case "lt":
      if (!has || !/^[+-]?\d+$/.test(value)) return false;
      return operator === "gt" ? BigInt(value) > BigInt(values[0] ?? "0") : BigInt(value) < BigInt(values[0] ?? "0");
  }
}

const NO_LABELS: Labels = {};

export const matches = (selector: Selector, labels: Labels | undefined): boolean => selector.every((r) => matchesRequirement(r, labels ?? NO_LABELS));

/** Whether a LabelSelector selects these labels; an invalid selector selects nothing. */
export function matchesLabelSelector(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  const requirements = labelSelectorAsSelector(selector);
  return typeof requirements !== "string" && matches(requirements, labels);
}

function requirementText({ key, operator, values }: Requirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${[...values].sort((a, b) => (a < b ? -1 : 1)).join(",")})`;
    case "gt":
      return `${key}>${values[0] ?? ""}`;
    case "lt":
      return `${key}<${values[0] ?? ""}`;
    default:
      return `${key}${operator}${values[0] ?? ""}`;
  }
}

/** Selector.String(): sorted by key, values sorted. */
export const selectorText = (selector: Selector): string => (selector === NOTHING ? "" : selector.map(requirementText).join(","));

/** metav1.FormatLabelSelector: "<none>" when empty, "<error>" when invalid. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  const requirements = labelSelectorAsSelector(selector);
  return typeof requirements === "string" ? "<error>" : selectorText(requirements) || "<none>";
}

/** labels.Set.String(): "a=b,c=d" sorted, "" when empty. */
export const labelsText = (labels: Labels | undefined): string =>
  Object.entries(labels ?? {}).map(([k, v]) => `${k}=${v}`).sort((a, b) => (a < b ? -1 : 1)).join(",");
