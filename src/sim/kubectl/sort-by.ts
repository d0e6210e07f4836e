// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/get/sorter.go
import { parseQuantity } from "../api/quantity.ts";
import { findJsonPath, JsonPathError, parseJsonPath, relaxed } from "../api/jsonpath.ts";
import { pdqsort } from "./pdqsort.ts";

const QUANTITY = /^[+-]?\d+(?:\.\d+)?(?:[numkMGTPE]|[KMGTPE]i)?$/;

/** Numbers by value, quantities by amount, other texts by their letters; what is missing comes first. */
function less(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === undefined && b !== undefined;
  if (typeof a === "number" && typeof b === "number") return a < b;
  const [x, y] = [String(a), String(b)];
  if (QUANTITY.test(x) && QUANTITY.test(y)) {
    const [p, q] = [parseQuantity(x), parseQuantity(y)];
    if (typeof p !== "string" && typeof q !== "string") return p.nano < q.nano;
  }
  return naturallyLess(x, y);
}

/** Runs of digits compare as numbers. */
function naturallyLess(a: string, b: string): boolean {
  const [x, y] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [p = "", q = ""] = [x[i], y[i]];
    if (p === q) continue;
    const numbers = /^\d/.test(p) && /^\d/.test(q);
    if (numbers && Number(p) !== Number(q)) return Number(p) < Number(q);
    return p < q;
  }
  return x.length < y.length;
}

/** The places of the objects, sorted by a field, as Go's unstable sort leaves them; a text is an error. */
export function sortedPlaces(objects: readonly object[], field: string): readonly number[] | string {
  const path = relaxed(field);
  if (path === undefined || path === "") return `error: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`;
  try {
    const parts = parseJsonPath(path);
    const keys = objects.map((object) => findJsonPath(parts, object)[0] ?? undefined);
    if (objects.length > 0 && keys.every((key) => key === undefined)) return `error: couldn't find any field with path ${JSON.stringify(path)} in the list of objects`;
    return pdqsort(objects.map((_, i) => i), (a, b) => less(keys[a], keys[b]));
  } catch (problem) {
    if (problem instanceof JsonPathError) return `error: ${problem.message}`;
    throw problem;
  }
}
