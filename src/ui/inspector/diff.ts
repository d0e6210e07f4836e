import { mergeKey, step } from "../../trace/field-path.ts";

/** One field that differs between two versions of an object. */
export interface Change {
  /** "spec.containers[nginx].image" */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before?: unknown;
  readonly after?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => same(a[key], b[key]));
}

function listChanges(path: string, before: readonly unknown[], after: readonly unknown[], found: Change[]): void {
  const key = before.length + after.length > 0 ? (before.length > 0 ? mergeKey(before) : mergeKey(after)) : undefined;
  if (key === undefined || (after.length > 0 && mergeKey(after) !== key)) {
    const length = Math.max(before.length, after.length);
    for (let i = 0; i < length; i++) changes(`${path}[${i}]`, before[i], after[i], found);
    return;
  }
  const byKey = (list: readonly unknown[]): Map<unknown, unknown> => new Map(list.map((item) => [(item as Fields)[key], item]));
  const old = byKey(before);
  const now = byKey(after);
  for (const name of new Set([...old.keys(), ...now.keys()])) changes(`${path}[${String(name)}]`, old.get(name), now.get(name), found);
}

function changes(path: string, before: unknown, after: unknown, found: Change[]): void {
  if (same(before, after)) return;
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of [...keys].sort()) changes(path === "" ? step(key).replace(/^\./, "") : `${path}${step(key)}`, before[key], after[key], found);
  } else if (Array.isArray(before) && Array.isArray(after)) listChanges(path, before, after, found);
  else if (before === undefined) found.push({ path, kind: "added", after });
  else if (after === undefined) found.push({ path, kind: "removed", before });
  else found.push({ path, kind: "changed", before, after });
}

/** What differs, field by field, in the order of the paths. managedFields are left out, as kubectl leaves them out. */
export function fieldDiff(before: unknown, after: unknown): Change[] {
  const found: Change[] = [];
  changes("", before, after, found);
  return found.filter((change) => !change.path.startsWith("metadata.managedFields"));
}
