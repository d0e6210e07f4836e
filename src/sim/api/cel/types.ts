// Models kubernetes/staging/src/k8s.io/apiserver/pkg/cel/types.go

/**
 * What a variable or field holds. `dyn` is JSON without a schema: whole numbers are ints, others doubles.
 * A record is a type with known fields: any other field is a compile error.
 */
export type CelType =
  | "dyn" | "string" | "int" | "double" | "bool" | "bytes" | "timestamp" | "duration" | "null" | "quantity" | "authorizer"
  | { readonly list: CelType }
  | { readonly map: CelType }
  | { readonly optional: CelType }
  | CelRecord;

export interface CelRecord {
  readonly record: string;
  readonly fields: Readonly<Record<string, CelType>>;
  /** Fields whose JSON name CEL cannot write, by that name. */
  readonly escaped?: Readonly<Record<string, string>>;
}

/** A function of a CEL library: its signature in the interpreter's notation, and what it does. */
export type CelFunction = readonly [signature: string, handler: (...args: never[]) => unknown];

/** A type that libraries bring: its name, its class, and fields that expressions may read. */
export type CelClass = readonly [name: string, constructor: abstract new (...args: never[]) => object, fields?: Readonly<Record<string, string>>];

/** Object holders of function namespaces ("sets.contains"): the constant's name and its class. */
export type CelNamespace = readonly [constant: string, type: string, constructor: new () => object];

export interface CelLibrary {
  readonly classes?: readonly CelClass[];
  readonly namespaces?: readonly CelNamespace[];
  readonly functions: readonly CelFunction[];
}

/** What the interpreter holds for a timestamp. */
export interface Timestamp {
  getTime(): number;
  toISOString(): string;
}
export const isTimestamp = (value: unknown): value is Timestamp => Object.prototype.toString.call(value) === "[object Date]";

const RESERVED = new Set(["true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"]);

/** cel.Escape: a property name as CEL can write it, "" when it cannot be written. */
export function escapeName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return "";
  return name.replaceAll("__", "__underscores__").replaceAll(".", "__dot__").replaceAll("-", "__dash__").replaceAll("/", "__slash__");
}
