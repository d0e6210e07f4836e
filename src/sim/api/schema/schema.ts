// Models kubernetes/staging/src/k8s.io/api/*/types.go: the shape of every built-in kind
import { KINDS } from "./kinds.generated.ts";

/** How Go writes a zero value: always, never ("omitempty"), as a pointer (only when unset), never for zero structs, or as null (a pointer without omitempty). */
export type Omission = "always" | "omitempty" | "pointer" | "omitzero" | "null";
export type ScalarCode = "s" | "b" | "i" | "l" | "f" | "y" | "T" | "M" | "D" | "Q" | "I" | "R" | "J" | "F" | "UID";

export type TypeRef =
  | { readonly type: "scalar"; readonly code: ScalarCode; readonly named?: string }
  | { readonly type: "struct"; readonly name: string }
  | { readonly type: "list"; readonly of: TypeRef }
  | { readonly type: "map"; readonly of: TypeRef };

export interface Field {
  readonly name: string;
  readonly of: TypeRef;
  readonly omission: Omission;
  /** Strategic merge: a list merged by this key; "" for a list of plain values merged as a set. */
  readonly mergeKey?: string;
  readonly retainKeys?: boolean;
  /** Server-side apply: keys of a map-like list; empty for a set. */
  readonly listMapKeys?: readonly string[];
}

export interface StructType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

const SCALARS = new Set<string>(["s", "b", "i", "l", "f", "y", "T", "M", "D", "Q", "I", "R", "J", "F", "UID"]);
const isScalar = (code: string): code is ScalarCode => SCALARS.has(code);

interface Index {
  readonly kinds: ReadonlyMap<string, string>;
  readonly structs: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, readonly string[]>;
}

function readIndex(): Index {
  const kinds = new Map<string, string>();
  const structs = new Map<string, string>();
  const enums = new Map<string, readonly string[]>();
  for (const line of KINDS.split("\n")) {
    if (line.startsWith("=")) {
      const [apiVersion = "", ...names] = line.slice(1).split(" ");
      for (const name of names) kinds.set(`${apiVersion}/${displayName(name)}`, name);
      continue;
    }
    const bar = line.indexOf("|");
    const colon = line.indexOf(":");
    if (bar >= 0 && (colon < 0 || bar < colon)) enums.set(line.slice(0, bar), line.slice(bar + 1).split("|").filter((v) => v !== ""));
    else structs.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return { kinds, structs, enums };
}

const displayName = (name: string): string => name.split("@")[0] ?? name;
const index = readIndex();
const parsed = new Map<string, StructType>();

function readType(text: string): TypeRef {
  if (text.startsWith("[]")) return { type: "list", of: readType(text.slice(2)) };
  if (text.startsWith("{}")) return { type: "map", of: readType(text.slice(2)) };
  if (isScalar(text)) return { type: "scalar", code: text };
  if (index.enums.has(text)) return { type: "scalar", code: "s", named: text };
  return { type: "struct", name: text };
}

const OMISSIONS: ReadonlyMap<string, Omission> = new Map([["?", "omitempty"], ["*", "pointer"], ["~", "omitzero"], ["!", "null"]]);

function readField(text: string): Field | undefined {
  const m = /^(\S+) ((?:\[\]|\{\})*[A-Za-z0-9]+(?:@[a-z0-9]+)?)([?*~!]?)(?:%([A-Za-z]*))?(\^?)(?:#(\S*))?$/.exec(text);
  if (!m) return undefined;
  return {
    name: m[1] ?? "",
    of: readType(m[2] ?? ""),
    omission: OMISSIONS.get(m[3] ?? "") ?? "always",
    ...(m[4] === undefined ? {} : { mergeKey: m[4] }),
    ...(m[5] === "^" ? { retainKeys: true } : {}),
    ...(m[6] === undefined ? {} : { listMapKeys: m[6] === "" ? [] : m[6].split("+") }),
  };
}

/** The struct of that name ("PodSpec"); undefined for names the schema does not have. */
export function structType(name: string): StructType | undefined {
  const known = parsed.get(name);
  if (known) return known;
  const text = index.structs.get(name);
  if (text === undefined) return undefined;
  const fields = new Map<string, Field>();
  for (const part of text === "" ? [] : text.split(",")) {
    const field = readField(part);
    if (field) fields.set(field.name, field);
  }
  const type: StructType = { name, fields };
  parsed.set(name, type);
  return type;
}

/** The root type of a kind ("apps/v1", "Deployment"); undefined for unknown (custom) kinds. */
export function kindType(apiVersion: string, kind: string): StructType | undefined {
  const name = index.kinds.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : structType(name);
}

/** Allowed values of a named string type, empty when any text is. */
export const enumValues = (name: string): readonly string[] => index.enums.get(name) ?? [];

/** Every built-in kind as [apiVersion, kind]. */
export const allKinds = (): (readonly [string, string])[] =>
  [...index.kinds.keys()].map((key) => [key.slice(0, key.lastIndexOf("/")), key.slice(key.lastIndexOf("/") + 1)] as const);

const GO_SCALARS: Readonly<Record<ScalarCode, string>> = {
  s: "string", b: "bool", i: "int32", l: "int64", f: "float64", y: "[]uint8", T: "v1.Time", M: "v1.MicroTime", D: "v1.Duration", Q: "resource.Quantity",
  I: "intstr.IntOrString", R: "runtime.RawExtension", J: "v1.JSON", F: "v1.FieldsV1", UID: "types.UID",
};

const goNamed = (name: string): string => `${name.endsWith("@v2") ? "v2" : "v1"}.${displayName(name)}`;

/** Name of a type as Go's reflection prints it in decoding errors: "int32", "[]v1.Container", "map[string]string". */
export function goTypeName(ref: TypeRef): string {
  switch (ref.type) {
    case "scalar":
      return ref.named === undefined ? GO_SCALARS[ref.code] : goNamed(ref.named);
    case "struct":
      return goNamed(ref.name);
    case "list":
      return `[]${goTypeName(ref.of)}`;
    case "map":
      return ref.of.type === "scalar" && ref.of.code === "Q" ? "v1.ResourceList" : `map[string]${goTypeName(ref.of)}`;
  }
}

/** Struct name without package, as in "Go struct field ContainerPort.spec...". */
export const goStructName = (type: StructType): string => displayName(type.name);
