import fc from "fast-check";
import { expect, test } from "vitest";
import { structuralHash } from "./hash.ts";
import { PMap } from "./pmap.ts";

type Step = { readonly op: "set" | "delete"; readonly key: string; readonly value: number };

const steps = fc.array(fc.record<Step>({ op: fc.constantFrom("set", "delete"), key: fc.integer({ min: 0, max: 60 }).map(String), value: fc.nat() }), { maxLength: 200 });

test("behaves as a Map, and never changes an older version", () => {
  fc.assert(
    fc.property(steps, (list) => {
      let map = PMap.empty<number>();
      const model = new Map<string, number>();
      const versions: { map: PMap<number>; entries: [string, number][] }[] = [];
      for (const { op, key, value } of list) {
        map = op === "set" ? map.set(key, value) : map.delete(key);
        if (op === "set") model.set(key, value);
        else model.delete(key);
        versions.push({ map, entries: [...model].sort((a, b) => (a[0] < b[0] ? -1 : 1)) });
      }
      for (const version of versions) {
        expect(version.map.sorted()).toEqual(version.entries);
        expect(version.map.size).toBe(version.entries.length);
      }
    }),
    { seed: 42, numRuns: 60 },
  );
});

test("keys whose hashes collide live together", () => {
  // "costarring" and "liquid" share a 32-bit FNV-1a hash.
  const map = PMap.from([["costarring", 1], ["liquid", 2]]);
  expect(map.get("costarring")).toBe(1);
  expect(map.get("liquid")).toBe(2);
  expect(map.delete("costarring").sorted()).toEqual([["liquid", 2]]);
});

test("setting the same value keeps the same map", () => {
  const map = PMap.from([["a", 1]]);
  expect(map.set("a", 1)).toBe(map);
  expect(map.delete("b")).toBe(map);
});

test("the structural hash does not depend on how a map came to be", () => {
  const one = PMap.from([["a", 1], ["b", 2], ["c", 3]]);
  const two = PMap.from([["c", 3], ["x", 9], ["b", 2], ["a", 1]]).delete("x");
  expect(structuralHash({ map: one })).toBe(structuralHash({ map: two }));
  expect(structuralHash({ map: one })).not.toBe(structuralHash({ map: two.set("a", 2) }));
});
