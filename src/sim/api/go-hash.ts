// Models Go's hash/fnv (New32a) as used by kubernetes/pkg/util/hash and pkg/controller ComputeHash
import { safeEncodeString } from "./random-suffix.ts";

/** FNV-1a, 32 bits, over the UTF-8 bytes of `text`. */
export function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  const byte = (b: number): void => {
    hash = Math.imul(hash ^ b, 0x01000193);
  };
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) byte(code);
    else if (code < 0x800) {
      byte(0xc0 | (code >> 6));
      byte(0x80 | (code & 63));
    } else if (code < 0x10000) {
      byte(0xe0 | (code >> 12));
      byte(0x80 | ((code >> 6) & 63));
      byte(0x80 | (code & 63));
    } else {
      byte(0xf0 | (code >> 18));
      byte(0x80 | ((code >> 12) & 63));
      byte(0x80 | ((code >> 6) & 63));
      byte(0x80 | (code & 63));
    }
  }
  return hash >>> 0;
}

/** JSON with sorted keys: equal objects give equal text whatever order their keys were written in. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, v]) => v !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`).join(",")}}`;
}

/**
 * The hash in ReplicaSet and ControllerRevision names.
 * Simplified: upstream hashes a Go debug dump of the internal struct, so the letters differ from a real cluster's.
 */
export function computeHash(template: unknown, collisionCount?: number): string {
  return safeEncodeString(String(fnv32a(canonicalJson(template) + (collisionCount === undefined ? "" : `#${collisionCount}`))));
}
