// Models cel-go ext/comprehensions.go, cel/library.go (optionals) and ext/lists.go (sortBy)
import { Optional } from "@marcbachmann/cel-js";
import type { CelFunction } from "../types.ts";

/** What of the interpreter's inside a macro touches; its own types do not describe it. */
interface Scope {
  forkWithVariable(name: string, type: unknown): Scope;
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, ev: Evaluator): Scope;
}
interface TypeOf {
  readonly kind: string;
  readonly keyType?: TypeOf;
  readonly valueType?: TypeOf;
  readonly name: string;
}
interface Node {
  readonly op: string;
  readonly args: unknown;
}
interface Checker {
  check(node: Node, scope: Scope): TypeOf;
  getType(name: string): TypeOf;
  createError(code: string, message: string, node: Node): Error;
  readonly registry: { getListType(type: TypeOf): TypeOf; getMapType(key: TypeOf, value: TypeOf): TypeOf; getOptionalType(type: TypeOf): TypeOf };
}
interface Evaluator {
  run(node: Node, scope: Scope): unknown;
  tryEval(node: Node, scope: Scope): unknown;
}
interface Call {
  readonly args: readonly Node[];
  readonly receiver: Node;
}

type Pairs = readonly (readonly [unknown, unknown])[];

function pairsOf(value: unknown): Pairs {
  if (Array.isArray(value)) return value.map((item, i) => [BigInt(i), item] as const);
  if (value instanceof Map) return [...value];
  if (typeof value === "object" && value !== null) return Object.entries(value);
  throw new Error("no such overload");
}

const nameOf = (node: Node | undefined): string => {
  if (node?.op !== "id") throw new Error("argument must be a simple name");
  return node.args as string;
};

/** One iteration's answer: `stop` ends the loop. */
interface Loop {
  readonly type: (checker: Checker, bodies: readonly TypeOf[], keyType: TypeOf) => TypeOf;
  readonly run: (items: Pairs, at: (pair: readonly [unknown, unknown], body: number) => unknown) => unknown;
}

/** A macro with two variables, the key (or index) and the value, and one or two bodies. */
function twoVariables(bodies: number, loop: Loop): (call: Call) => object {
  return ({ args, receiver }) => {
    const [keyName, valueName] = [nameOf(args[0]), nameOf(args[1])];
    const parts = args.slice(2, 2 + bodies);
    let outer: Scope | undefined;
    let inner: Scope | undefined;
    return {
      args: { parts: [receiver, ...parts] },
      "async": false,
      typeCheck(checker: Checker, _macro: unknown, scope: Scope): TypeOf {
        const range = checker.check(receiver, scope);
        const dyn = checker.getType("dyn");
        const key = range.kind === "list" ? checker.getType("int") : (range.keyType ?? dyn);
        outer = scope.forkWithVariable(keyName, key);
        inner = outer.forkWithVariable(valueName, range.valueType ?? dyn);
        const scoped = inner;
        return loop.type(checker, parts.map((part) => checker.check(part, scoped)), key);
      },
      evaluate(ev: Evaluator, _macro: unknown, scope: Scope): unknown {
        const items = pairsOf(ev.run(receiver, scope));
        return loop.run(items, ([key, value], body) => {
          const node = parts[body];
          if (outer === undefined || inner === undefined || node === undefined) return undefined;
          return ev.tryEval(node, inner.reuse(outer.reuse(scope).setIterValue(key, ev)).setIterValue(value, ev));
        });
      },
    };
  };
}

const raise = (value: unknown): unknown => {
  if (value instanceof Error) throw value;
  return value;
};

/** all and exists: an answer that decides outweighs an error elsewhere. */
function quantifier(decides: boolean): Loop {
  return {
    type: (checker) => checker.getType("bool"),
    run(items, at) {
      let error: unknown;
      for (const pair of items) {
        const got = at(pair, 0);
        if (got === decides) return decides;
        if (got instanceof Error) error ??= got;
      }
      if (error !== undefined) throw error;
      return !decides;
    },
  };
}

const existsOne: Loop = { type: (checker) => checker.getType("bool"), run: (items, at) => items.filter((pair) => raise(at(pair, 0)) === true).length === 1 };

const kept = (filtered: boolean, items: Pairs, at: (pair: readonly [unknown, unknown], body: number) => unknown): Pairs => (filtered ? items.filter((pair) => raise(at(pair, 0)) === true) : items);

const transformList = (filtered: boolean): Loop => ({
  type: (checker, types, key) => checker.registry.getListType(types.at(-1) ?? key),
  run: (items, at) => kept(filtered, items, at).map((pair) => raise(at(pair, filtered ? 1 : 0))),
});

const transformMap = (filtered: boolean): Loop => ({
  type: (checker, types, key) => checker.registry.getMapType(key, types.at(-1) ?? key),
  run: (items, at) => new Map(kept(filtered, items, at).map((pair) => [pair[0], raise(at(pair, filtered ? 1 : 0))])),
});

const transformEntry = (filtered: boolean): Loop => ({
  type: (_checker, types, key) => types.at(-1) ?? key,
  run: (items, at) => new Map(kept(filtered, items, at).flatMap((pair) => pairsOf(raise(at(pair, filtered ? 1 : 0))))),
});

/** One variable bound to what the receiver holds. */
function withVariable(type: (checker: Checker, body: TypeOf, range: TypeOf) => TypeOf, run: (value: unknown, at: (item: unknown) => unknown) => unknown): (call: Call) => object {
  return ({ args, receiver }) => {
    const name = nameOf(args[0]);
    const body = args[1] as Node;
    let inner: Scope | undefined;
    return {
      args: { parts: [receiver, body] },
      "async": false,
      typeCheck(checker: Checker, _macro: unknown, scope: Scope): TypeOf {
        const range = checker.check(receiver, scope);
        inner = scope.forkWithVariable(name, range.valueType ?? checker.getType("dyn"));
        return type(checker, checker.check(body, inner), range);
      },
      evaluate: (ev: Evaluator, _macro: unknown, scope: Scope): unknown => run(ev.run(receiver, scope), (item) => (inner === undefined ? undefined : ev.run(body, inner.reuse(scope).setIterValue(item, ev)))),
    };
  };
}

const optMap = withVariable((checker, body) => checker.registry.getOptionalType(body), (value, at) => ((value as Optional).hasValue() ? Optional.of(at((value as Optional).value())) : value));
const optFlatMap = withVariable((_checker, body) => body, (value, at) => ((value as Optional).hasValue() ? at((value as Optional).value()) : value));
const sortBy = withVariable((_checker, _body, range) => range, (value, at) => {
  const keyed = (value as readonly unknown[]).map((item) => ({ item, key: at(item) as number }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
});

const isZero = (value: unknown): boolean => value === null || value === "" || value === 0 || value === 0n || value === false || (Array.isArray(value) && value.length === 0) || (value instanceof Map && value.size === 0);

/** Macros: their arguments are expressions, not values. */
export const MACROS: readonly CelFunction[] = [
  ["list.all(ast, ast, ast): bool", twoVariables(1, quantifier(false))],
  ["list.exists(ast, ast, ast): bool", twoVariables(1, quantifier(true))],
  ["list.existsOne(ast, ast, ast): bool", twoVariables(1, existsOne)],
  ["list.transformList(ast, ast, ast): list<dyn>", twoVariables(1, transformList(false))],
  ["list.transformList(ast, ast, ast, ast): list<dyn>", twoVariables(2, transformList(true))],
  ["list.transformMap(ast, ast, ast): map", twoVariables(1, transformMap(false))],
  ["list.transformMap(ast, ast, ast, ast): map", twoVariables(2, transformMap(true))],
  ["list.transformMapEntry(ast, ast, ast): map", twoVariables(1, transformEntry(false))],
  ["list.transformMapEntry(ast, ast, ast, ast): map", twoVariables(2, transformEntry(true))],
  ["list.sortBy(ast, ast): list<dyn>", sortBy],
  ["optional.optMap(ast, ast): optional<dyn>", optMap],
  ["optional.optFlatMap(ast, ast): optional<dyn>", optFlatMap],
  ["OptionalNamespace.ofNonZeroValue(T): optional<T>", (_: unknown, value: unknown) => (isZero(value) ? Optional.none() : Optional.of(value))],
];
