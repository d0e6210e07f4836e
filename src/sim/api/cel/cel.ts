// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel (environments, cost) over the interpreter @marcbachmann/cel-js
//
// The whole of it:
//   const env = celEnvironment({ self: type, oldSelf: type });      // once per kind of expression
//   const program = compile("self.replicas <= 5", env);             // isCelFailure(program)? program.error is cel-go's text
//   const result = evaluate(program, { self: json }, budget?);      // isCelFailure(result)? else result.value is JSON
// `types.ts` has the types (records, lists, maps, "dyn") and escapeName for property names.
import { CostLimitExceeded, type AstNode, type Meter, meterTree, typeText, walk } from "./ast.ts";
import type { CelEnv } from "./environment.ts";
import { compileError, runtimeError } from "./errors.ts";
import { fromCel, toCel } from "./values.ts";

export { celEnvironment, celTypeOf, type CelEnv } from "./environment.ts";
export { CelAuthorizer, type CelAccessDecision, type CelAccessQuery } from "./library/authorizer.ts";
export { type CelRecord, type CelType, escapeName } from "./types.ts";

/** The cost one expression may have (celconfig.PerCallLimit). */
export const PER_CALL_LIMIT = 1_000_000;
/** The cost that all expressions of one binding, or of one custom resource, may have together. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** The same for the matchConditions of one webhook or binding. */
export const MATCH_CONDITIONS_BUDGET = 2_500_000;
/** Compiled expressions that are remembered per environment. */
const REMEMBERED = 500;

/** Why an expression does not compile, or did not evaluate; `kind` "cost" is an evaluation that became too expensive. */
export interface CelFailure {
  readonly kind: "compile" | "runtime" | "cost";
  readonly error: string;
}

export interface CelProgram {
  readonly expression: string;
  /** cel-go's name of what it evaluates to: "bool", "string", "dyn", "list(string)". */
  readonly outputType: string;
  readonly env: CelEnv;
  readonly meter: Meter;
  run(vars: Readonly<Record<string, unknown>>): unknown;
}

export interface CelResult {
  readonly value: unknown;
  readonly cost: number;
}

export const isCelFailure = (value: CelProgram | CelFailure | { readonly value: unknown }): value is CelFailure => "error" in value;

/** The interpreter's own `matches` does not know RE2's flags: calls go to the library's. */
function redirect(root: AstNode): void {
  walk(root, (node) => {
    if ((node.op === "rcall" || node.op === "call") && Array.isArray(node.args) && node.args[0] === "matches") node.args[0] = "k8sMatches";
  });
}

const compiled = new WeakMap<CelEnv, Map<string, CelProgram | CelFailure>>();

/** Parses and checks an expression. The failure's text is cel-go's issue list, without Kubernetes' "compilation failed: ". */
export function compile(expression: string, env: CelEnv): CelProgram | CelFailure {
  const known = compiled.get(env) ?? new Map<string, CelProgram | CelFailure>();
  compiled.set(env, known);
  let program = known.get(expression);
  if (program === undefined) {
    if (known.size >= REMEMBERED) known.clear();
    program = compileNow(expression, env);
    known.set(expression, program);
  }
  return program;
}

function compileNow(expression: string, env: CelEnv): CelProgram | CelFailure {
  const failed = (error: unknown): CelFailure => ({ kind: "compile", error: compileError(expression, error, (name) => env.functionNames.has(name) || name === "matches") });
  try {
    const parsed = env.environment.parse(expression);
    const root = parsed.ast as unknown as AstNode;
    redirect(root);
    const checked = parsed.check();
    if (!checked.valid) return failed(checked.error);
    const meter: Meter = { spent: 0, limit: PER_CALL_LIMIT };
    meterTree(root, meter);
    return { expression, outputType: typeText(checked.type === "list" ? "list<dyn>" : checked.type === "map" ? "map<dyn, dyn>" : (checked.type ?? "dyn")), env, meter, run: (vars) => parsed(vars) };
  } catch (error) {
    return failed(error);
  }
}

/** Evaluates with these variables, plain JSON converted by their declared types; the value comes back as JSON. */
export function evaluate(program: CelProgram, vars: Readonly<Record<string, unknown>>, budget: number = PER_CALL_LIMIT): CelResult | CelFailure {
  const { env, meter } = program;
  meter.spent = 0;
  meter.limit = Math.min(budget, PER_CALL_LIMIT);
  try {
    const given: Record<string, unknown> = {};
    for (const [name, type] of Object.entries(env.variables)) {
      const value = vars[name];
      if (value !== undefined) given[name] = toCel(value, type, env.classOf);
    }
    return { value: fromCel(program.run(given)), cost: meter.spent };
  } catch (error) {
    if (error instanceof CostLimitExceeded || meter.spent > meter.limit) return { kind: "cost", error: "operation cancelled: actual cost limit exceeded" };
    return { kind: "runtime", error: runtimeError(error) };
  }
}
