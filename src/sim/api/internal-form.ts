// Models the JSON of kubernetes/pkg/apis/core/types.go: internal types have no JSON names, so every field shows, under its Go name
import { INTERNAL } from "./schema/internal.generated.ts";
import type { PodSpec } from "./types.ts";

type Json = Readonly<Record<string, unknown>>;
interface Field {
  readonly name: string;
  readonly type: string;
}

let types: ReadonlyMap<string, readonly Field[]> | undefined;

function fieldsOf(type: string): readonly Field[] | undefined {
  types ??= new Map(
    INTERNAL.split("\n").map((line) => {
      const [name = "", fields = ""] = line.split(":");
      return [name, fields.split(",").filter((f) => f !== "").map((f): Field => ({ name: f.split(" ")[0] ?? "", type: f.split(" ")[1] ?? "" }))] as const;
    }),
  );
  return types.get(type);
}

function zero(type: string): unknown {
  if (type.endsWith("*") || type.startsWith("[]") || type.startsWith("{}") || type === "V") return null;
  if (type === "s") return "";
  if (type === "b") return false;
  if (type === "Q") return "0";
  return type === "i" || type === "I" ? 0 : internal({}, type);
}

/** Field names differ from the API's only in case ("TTY" and "tty"). */
function lookup(object: Json, name: string): unknown {
  const wanted = name.toLowerCase();
  return object[Object.keys(object).find((key) => key.toLowerCase() === wanted) ?? ""];
}

function convert(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return zero(type);
  const base = type.replace(/\*$/, "");
  if (base.startsWith("[]")) return Array.isArray(value) ? value.map((item: unknown) => convert(item, base.slice(2))) : null;
  if (base.startsWith("{}")) return value;
  return typeof value === "object" && !Array.isArray(value) ? internal(value as Json, base) : value;
}

function internal(object: Json, type: string): unknown {
  const fields = fieldsOf(type);
  return fields === undefined ? object : Object.fromEntries(fields.map(({ name, type: of }) => [name, convert(lookup(object, name), of)]));
}

const HOST_FIELDS = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"] as const;

/** A Pod spec in the internal form: the host fields belong to the security context there. */
export function internalPodSpec(spec: PodSpec): unknown {
  const host = Object.fromEntries(HOST_FIELDS.filter((key) => spec[key] !== undefined).map((key) => [key, spec[key]]));
  const securityContext = spec.securityContext === undefined && Object.keys(host).length === 0 ? undefined : { ...spec.securityContext, ...host };
  return internal({ ...spec, securityContext } as unknown as Json, "PodSpec");
}

/** Any other struct of the internal types that are known here. */
export const internalForm = (value: unknown, type: string): unknown => (typeof value === "object" && value !== null ? internal(value as Json, type) : null);

export const internalContainer = (container: object, type: "Container" | "EphemeralContainer"): unknown => internal(container as Json, type);

/** json.MarshalIndent with one space, as `diff.Diff` compares it. Go also escapes what could end a script. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
}
