// Models kubernetes/api/openapi-spec/v3: what the published document says beyond the Go types
import { REQUIRED_FIELDS } from "./openapi.generated.ts";
import { enumValues, type Field, type ScalarCode, type TypeRef } from "./schema.ts";

let required: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** True for a field that the document lists as required. */
export function isRequired(type: string, field: string): boolean {
  required ??= new Map(REQUIRED_FIELDS.split("\n").map((line) => [line.slice(0, line.indexOf(":")), new Set(line.slice(line.indexOf(":") + 1).split(","))] as const));
  return required.get(type)?.has(field) ?? false;
}

/** Types with a known set of values that are not marked as enums. */
const NO_ENUM = new Set(["LimitType", "ConditionStatus@core", "ContainerRestartPolicy", "OSName", "PersistentVolumeClaimRetentionPolicyType"]);
/** Enums whose values Go's types say otherwise. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  HostPathType: ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"], PathType: ["Exact", "ImplementationSpecific", "Prefix"], AddressType: ["FQDN", "IPv4", "IPv6"], DeviceAllocationMode: ["All", "ExactCount"],
};

/** The values that a field may have, sorted; empty when it is no enum. */
export function enumOf({ of }: Field): readonly string[] {
  if (of.type !== "scalar" || of.named === undefined || NO_ENUM.has(of.named)) return [];
  return ENUMS[of.named] ?? [...enumValues(of.named)].sort();
}

const SCALARS: Readonly<Record<ScalarCode, string>> = { s: "string", b: "boolean", i: "integer", l: "integer", f: "number", y: "string", T: "string", M: "string", D: "string", Q: "Quantity", I: "IntOrString", R: "RawExtension", J: "JSON", F: "FieldsV1", UID: "string" };

/** A type as explain writes it: "[]Container", "map[string]Quantity". */
export function openApiType(ref: TypeRef): string {
  switch (ref.type) {
    case "list":
      return `[]${openApiType(ref.of)}`;
    case "map":
      return `map[string]${openApiType(ref.of)}`;
    case "struct":
      return ref.name.split("@")[0] ?? ref.name;
    case "scalar":
      return SCALARS[ref.code];
  }
}

/** The struct that a list, map or the type itself leads to. */
export const structOf = (ref: TypeRef): string | undefined => (ref.type === "list" || ref.type === "map" ? structOf(ref.of) : ref.type === "struct" ? ref.name : undefined);
