import type { KubeObject } from "./types.ts";

const known = new WeakMap<object, number>();

/**
 * About how many bytes an object takes on the wire. Its parts (spec, status, labels ...) are measured once each: two
 * versions of an object share most of them.
 * Simplified: upstream's protobuf writes field numbers and varints; here names and characters are counted.
 */
export const sizeOf = (object: KubeObject): number => sum(object, (part, key) => (key === "metadata" ? sum(part, remembered) : remembered(part)));

function sum(object: object, part: (value: object, key: string) => number): number {
  let size = 2;
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    size += key.length + 1 + (typeof value === "object" && value !== null ? part(value, key) : scalar(value));
  }
  return size;
}

const scalar = (value: unknown): number => (typeof value === "string" ? value.length + 2 : 3);

function remembered(value: object): number {
  let size = known.get(value);
  if (size === undefined) {
    size = measured(value);
    known.set(value, size);
  }
  return size;
}

const measured = (value: object): number => sum(value, measured);
