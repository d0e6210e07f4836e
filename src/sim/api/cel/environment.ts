// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/environment/base.go
import { Environment } from "@marcbachmann/cel-js";
import { authorizerLibrary } from "./library/authorizer.ts";
import { formatLibrary } from "./library/format.ts";
import { celEqual, listsLibrary } from "./library/lists.ts";
import { MACROS } from "./library/macros.ts";
import { networkLibrary } from "./library/network.ts";
import { quantityLibrary } from "./library/quantity.ts";
import { stringsLibrary } from "./library/strings.ts";
import type { CelClass, CelLibrary, CelRecord, CelType } from "./types.ts";
import type { RecordClass } from "./values.ts";

const LIBRARIES: readonly CelLibrary[] = [stringsLibrary, listsLibrary, quantityLibrary, networkLibrary, formatLibrary, authorizerLibrary];

/** The interpreter is lenient about classes that libraries bring; it needs them as constructors. */
type Constructor = new (...args: never[]) => object;

function addClass(env: Environment, [name, constructor, fields]: CelClass): void {
  env.registerType(name, fields === undefined ? (constructor as Constructor) : { ctor: constructor as Constructor, fields: { ...fields } });
  env.registerOperator(`${name} == ${name}`, celEqual);
}

function buildBase(): Environment {
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true, unlistedVariablesAreDyn: false });
  for (const library of LIBRARIES) {
    for (const added of library.classes ?? []) addClass(env, added);
    for (const [constant, type, constructor] of library.namespaces ?? []) {
      env.registerType(type, constructor);
      env.registerConstant(constant, type, new constructor());
    }
  }
  for (const [signature, handler] of [...LIBRARIES.flatMap((library) => library.functions), ...MACROS]) {
    env.registerFunction(signature, handler as (...args: unknown[]) => unknown, { "async": false });
  }
  return env;
}

let base: Environment | undefined;

/** Variables in force for an expression, each with its type. Build one per kind of expression and keep it. */
export interface CelEnv {
  readonly variables: Readonly<Record<string, CelType>>;
  readonly environment: Environment;
  readonly functionNames: ReadonlySet<string>;
  classOf(record: CelRecord): RecordClass;
}

const CEL_NAMES: Readonly<Record<string, CelType>> = { string: "string", int: "int", double: "double", bool: "bool", bytes: "bytes", timestamp: "timestamp", duration: "duration", "kubernetes.Quantity": "quantity" };

/** The type that cel-go's name stands for; "dyn" for all that has no notation here. */
export function celTypeOf(name: string): CelType {
  const [, kind, inner = ""] = /^(list|map)\((.*)\)$/.exec(name) ?? [];
  if (kind === "list") return { list: celTypeOf(inner) };
  if (kind === "map" && inner.startsWith("string, ")) return { map: celTypeOf(inner.slice("string, ".length)) };
  return CEL_NAMES[name] ?? "dyn";
}

const SCALARS: Readonly<Record<string, string>> = { timestamp: "google.protobuf.Timestamp", duration: "google.protobuf.Duration", quantity: "kubernetes.Quantity", authorizer: "kubernetes.authorization.Authorizer" };

/** An environment with Kubernetes' libraries and these variables. Object types may be shared between variables and must not be recursive. */
export function celEnvironment(variables: Readonly<Record<string, CelType>>): CelEnv {
  base ??= buildBase();
  const environment = base.clone();
  const classes = new Map<CelRecord, RecordClass>();
  const names = new Set<string>();

  const record = (type: CelRecord): string => {
    const known = classes.get(type);
    if (known !== undefined) return known.name;
    let name = type.record;
    while (names.has(name)) name += "_";
    names.add(name);
    const fields = Object.fromEntries(Object.entries(type.fields).map(([field, inner]) => [field, declare(inner)]));
    const made = { [name]: class extends Map<string, unknown> {} }[name] as RecordClass;
    classes.set(type, made);
    environment.registerType(name, { ctor: made as unknown as Constructor, fields });
    environment.registerOperator(`${name} == ${name}`, celEqual);
    return name;
  };
  const declare = (type: CelType): string => {
    if (typeof type === "string") return SCALARS[type] ?? type;
    if ("list" in type) return `list<${declare(type.list)}>`;
    if ("map" in type) return `map<string, ${declare(type.map)}>`;
    if ("optional" in type) return `optional<${declare(type.optional)}>`;
    return record(type);
  };

  for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, declare(type));
  const functionNames = new Set(environment.getDefinitions().functions.map((found) => found.name));
  return { variables, environment, functionNames, classOf: (type) => classes.get(type) ?? (Map as unknown as RecordClass) };
}
