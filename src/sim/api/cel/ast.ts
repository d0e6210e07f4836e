// Reads the interpreter's syntax tree: nodes as far as error texts and cost need them.

interface TypeName {
  readonly name: string;
}

export interface AstNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly pos: number;
  readonly checkedType?: TypeName;
  readonly meta: { readonly alternate?: AstNode; readonly macro?: { readonly args?: unknown; readonly [key: string]: unknown }; readonly evaluate: Evaluate };
  setMeta(key: string, value: unknown): AstNode;
}

type Evaluate = (ev: unknown, node: AstNode, scope: unknown) => unknown;

const isNode = (value: unknown): value is AstNode => typeof value === "object" && value !== null && "op" in value && "setMeta" in value;

/** A type as cel-go writes it. */
export function typeText(name: string): string {
  return name
    .replaceAll("google.protobuf.Timestamp", "timestamp").replaceAll("google.protobuf.Duration", "duration").replaceAll("optional<", "optional_type<")
    .replaceAll("<", "(").replaceAll(">", ")").replace(/^null$/, "null_type").replaceAll(/\b([A-Z])\b/g, "dyn");
}

export const formatType = (node: AstNode | undefined): string => typeText(node?.checkedType?.name ?? "dyn");

/** Everything below a node: operands, arguments, the parts of macros. */
export function childrenOf(node: AstNode): readonly AstNode[] {
  const { alternate, macro } = node.meta;
  if (alternate !== undefined) return [alternate];
  const found: AstNode[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const item of value) collect(item, depth);
    else if (typeof value === "object" && value !== null && depth < 2) for (const item of Object.values(value)) collect(item, depth + 1);
  };
  collect(macro ?? node.args, 0);
  return found;
}

/** Visits a tree once, also where macros share a node. */
export function walk(root: AstNode, visit: (node: AstNode) => void): void {
  const seen = new Set<AstNode>();
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    visit(node);
    stack.push(...childrenOf(node));
  }
}

/** Prices of one evaluation of a node: cel-go's interpreter/runtimecost.go; texts are read for a tenth of their length. */
const PRICES: Readonly<Record<string, number>> = { id: 1, ".": 1, ".?": 1, "[]": 1, "[?]": 1, call: 1, rcall: 1, list: 10, map: 30, comprehension: 10, value: 0, accuValue: 0, accuPush: 1, accuInc: 1, "?:": 0, "&&": 0, "||": 0 };

/** What an evaluation has spent and may spend. */
export interface Meter {
  spent: number;
  limit: number;
}

export class CostLimitExceeded extends Error {}

/**
 * Makes every evaluation of a node charge the meter.
 * Simplified: upstream prices each function by the sizes of what it reads and estimates the worst case at compile time; here each node has a price.
 */
export function meterTree(root: AstNode, meter: Meter): void {
  walk(root, (node) => {
    const price = PRICES[node.op] ?? 1;
    if (price === 0 || node.meta.alternate !== undefined || node.meta.macro !== undefined) return;
    const { evaluate } = node.meta;
    node.setMeta("evaluate", (ev: unknown, at: AstNode, scope: unknown): unknown => {
      meter.spent += price;
      if (meter.spent > meter.limit) throw new CostLimitExceeded("operation cancelled: actual cost limit exceeded");
      return evaluate(ev, at, scope);
    });
  });
}
