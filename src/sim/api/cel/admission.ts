// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/cel/{compile,condition,composition}.go
import { celEnvironment, celTypeOf, type CelEnv, type CelFailure, type CelProgram, type CelRecord, type CelType, compile, evaluate, isCelFailure, PER_CALL_LIMIT } from "./cel.ts";
import { type FieldError, invalid } from "../field-error.ts";
import { rewriteObjectLiterals } from "./object-literals.ts";
import { LazyVariables } from "./values.ts";

const GVK: CelRecord = { record: "kubernetes.GroupVersionKind", fields: { group: "string", version: "string", kind: "string" } };
const GVR: CelRecord = { record: "kubernetes.GroupVersionResource", fields: { group: "string", version: "string", resource: "string" } };
const USER: CelRecord = { record: "kubernetes.UserInfo", fields: { username: "string", uid: "string", groups: { list: "string" }, extra: { map: { list: "string" } } } };
const REQUEST: CelRecord = {
  record: "kubernetes.AdmissionRequest",
  fields: { kind: GVK, resource: GVR, subResource: "string", requestKind: GVK, requestResource: GVR, requestSubResource: "string", name: "string", namespace: "string", operation: "string", userInfo: USER, dryRun: "bool", options: "dyn" },
};
const CONDITION: CelRecord = { record: "kubernetes.NamespaceCondition", fields: { status: "string", type: "string", lastTransitionTime: "timestamp", message: "string", reason: "string" } };
const METADATA: CelRecord = {
  record: "kubernetes.NamespaceMetadata",
  fields: { name: "string", generateName: "string", namespace: "string", labels: { map: "string" }, annotations: { map: "string" }, UID: "string", creationTimestamp: "timestamp", deletionGracePeriodSeconds: "int", deletionTimestamp: "timestamp", generation: "int", resourceVersion: "string", finalizers: { list: "string" } },
};
const NAMESPACE: CelRecord = { record: "kubernetes.Namespace", fields: { metadata: METADATA, spec: { record: "kubernetes.NamespaceSpec", fields: { finalizers: { list: "string" } } }, status: { record: "kubernetes.NamespaceStatus", fields: { conditions: { list: CONDITION }, phase: "string" } } } };

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** What of an admission request an expression may see, besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface AdmissionVariables {
  readonly params?: boolean;
  readonly authorizer?: boolean;
}

const envs = new Map<string, CelEnv>();

/** The environment of policies and match conditions; `variables` are a policy's own, with their types. */
function environmentFor({ params = false, authorizer = true }: AdmissionVariables, variables: Readonly<Record<string, CelType>>): CelEnv {
  const key = JSON.stringify([params, authorizer, variables]);
  let env = envs.get(key);
  if (env === undefined) {
    env = celEnvironment({
      object: "dyn", oldObject: "dyn", namespaceObject: NAMESPACE, request: REQUEST, ...(params ? { params: "dyn" } : {}), ...(authorizer ? { authorizer: "authorizer" } : {}),
      ...(Object.keys(variables).length > 0 ? { variables: { record: "kubernetes.variables", fields: variables } } : {}),
    });
    if (envs.size > 200) envs.clear();
    envs.set(key, env);
  }
  return env;
}

const failed = (error: string): CelFailure => ({ kind: "compile", error });

/** CompileCELExpression: a program of one of the result types (none: any), or upstream's words. */
export function compileAdmission(expression: string, options: AdmissionVariables, resultTypes: readonly string[] = [], variables: Readonly<Record<string, CelType>> = {}): CelProgram | CelFailure {
  const program = compile(rewriteObjectLiterals(expression), environmentFor(options, variables));
  if (isCelFailure(program)) return failed(`compilation failed: ${program.error}`);
  if (resultTypes.length === 0 || resultTypes.includes(program.outputType)) return program;
  return failed(resultTypes.length === 1 ? `must evaluate to ${resultTypes[0] ?? ""} but got ${program.outputType}` : `must evaluate to one of [${resultTypes.join(" ")}] but got ${program.outputType}`);
}

/** A policy's variables compiled in order: each may use those before it. */
export function compileVariables(variables: readonly NamedExpression[], options: AdmissionVariables): { readonly programs: ReadonlyMap<string, CelProgram | CelFailure>; readonly types: Readonly<Record<string, CelType>> } {
  const programs = new Map<string, CelProgram | CelFailure>();
  let types: Readonly<Record<string, CelType>> = {};
  for (const { name, expression } of variables) {
    const program = compileAdmission(expression, options, [], types);
    programs.set(name, program);
    types = { ...types, [name]: isCelFailure(program) ? "dyn" : celTypeOf(program.outputType) };
  }
  return { programs, types };
}

/** Evaluates a policy's expressions over one request; variables are computed when first used. */
export class AdmissionEvaluation {
  readonly #programs: ReadonlyMap<string, CelProgram | CelFailure>;
  readonly #types: Readonly<Record<string, CelType>>;
  readonly #options: AdmissionVariables;
  readonly #bindings: Readonly<Record<string, unknown>>;
  readonly #values = new Map<string, unknown>();
  #budget: number;

  constructor(variables: readonly NamedExpression[], options: AdmissionVariables, bindings: Readonly<Record<string, unknown>>, budget: number) {
    ({ programs: this.#programs, types: this.#types } = compileVariables(variables, options));
    this.#options = options;
    this.#bindings = bindings;
    this.#budget = budget;
  }

  /** The value, or the failure in upstream's words ("expression '...' resulted in error: ..."). */
  run(expression: string, resultTypes: readonly string[]): { readonly value: unknown } | CelFailure {
    const program = compileAdmission(expression, this.#options, resultTypes, this.#types);
    if (isCelFailure(program)) return { ...program, error: `compilation error: ${program.error}` };
    const result = this.#evaluate(program);
    if (!isCelFailure(result)) return result;
    if (result.kind === "cost") return { kind: "cost", error: "validation failed due to running out of cost budget, no further validation rules will be run" };
    return { ...result, error: `expression '${expression}' resulted in error: ${result.error}` };
  }

  /** A variable is computed at the moment an expression reads it, once. */
  #evaluate(program: CelProgram): { readonly value: unknown; readonly cost: number } | CelFailure {
    const variables = new LazyVariables((name) => this.#variable(name));
    const result = evaluate(program, { ...this.#bindings, variables }, Math.min(this.#budget, PER_CALL_LIMIT));
    if (variables.failure !== undefined && isCelFailure(result)) return variables.failure;
    if (!isCelFailure(result)) this.#budget -= result.cost;
    return result;
  }

  #variable(name: string): { readonly value: unknown } | CelFailure {
    if (this.#values.has(name)) return { value: this.#values.get(name) };
    const found = this.#programs.get(name);
    if (found === undefined) return { kind: "runtime", error: `no such key: ${name}` };
    const result = isCelFailure(found) ? found : this.#evaluate(found);
    if (isCelFailure(result)) return result.kind === "cost" ? result : { ...result, error: `composited variable "${name}" fails to ${isCelFailure(found) ? "compile" : "evaluate"}: ${result.error}` };
    this.#values.set(name, result.value);
    return result;
  }
}

/** Where an expression of a policy or match condition stands, and what it may use. */
export interface ExpressionSite {
  readonly use: "condition" | "variable" | "message" | "audit" | "applyConfiguration" | "jsonPatch";
  readonly params: boolean;
  readonly variables: readonly NamedExpression[];
}

const RESULTS: Readonly<Record<ExpressionSite["use"], readonly string[]>> = { condition: ["bool"], variable: [], message: ["string"], audit: ["string", "null_type"], applyConfiguration: [], jsonPatch: [] };

/** The errors of an expression in the validation of the object that holds it: a policy that does not compile is not stored. */
export function expressionErrors(expression: string, path: string, site: ExpressionSite): readonly FieldError[] {
  const options: AdmissionVariables = { params: site.params, authorizer: site.use !== "message" };
  const program = compileAdmission(expression, options, RESULTS[site.use], compileVariables(site.variables, options).types);
  if (isCelFailure(program)) return [invalid(path, expression, program.error)];
  const { outputType } = program;
  if (site.use === "applyConfiguration" && !outputType.startsWith("map(")) return [invalid(path, expression, `must evaluate to Object but got ${outputType}`)];
  return site.use === "jsonPatch" && !outputType.startsWith("list(") ? [invalid(path, expression, `must evaluate to list(JSONPatch) but got ${outputType}`)] : [];
}
