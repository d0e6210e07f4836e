import type { KubeObject } from "./types.ts";

const known = new WeakMap<object, number>();

/**
 * About how many bytes an object takes on the wire. Parts that two objects share are measured once.
 * Simplified: upstream's protobuf writes field numbers and varints; here names and characters are counted.
 */
export const sizeOf = (object: KubeObject): number => sizeOfValue(object);

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 3;
  const before = known.get(value);
  if (before !== undefined) return before;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOfValue(item);
  else for (const key in value) size += key.length + 1 + sizeOfValue((value as Readonly<Record<string, unknown>>)[key]);
  known.set(value, size);
  return size;
}
