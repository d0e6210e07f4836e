type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields by which the items of a list are recognised, as upstream's patchMergeKey does. */
const KEYS = ["name", "type", "key", "containerPort", "ip", "mountPath", "topologyKey", "uid"];

/** The field by which these items differ from each other; undefined if they have none. */
export function mergeKey(list: readonly unknown[]): string | undefined {
  return KEYS.find((key) => list.every((item) => isFields(item) && (typeof item[key] === "string" || typeof item[key] === "number")) && new Set(list.map((item) => (item as Fields)[key])).size === list.length);
}

/** ".spec" or "[\"app.kubernetes.io/name\"]", as it stands in a path. */
export function step(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `["${key}"]`;
}

function item(list: readonly unknown[], name: string): unknown {
  const found = list.find((one) => isFields(one) && KEYS.some((key) => key in one && String(one[key]) === name));
  return found ?? (/^\d+$/.test(name) ? list[Number(name)] : undefined);
}

/** What stands at "spec.containers[nginx].image", "status.conditions[0].type" or "metadata.labels[\"a.b/c\"]"; undefined if nothing. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const [, quoted, bracketed, plain] of path.matchAll(/\["([^"]*)"\]|\[([^\]]*)\]|([^.[\]]+)/g)) {
    const name = quoted ?? bracketed ?? plain ?? "";
    value = Array.isArray(value) ? item(value, name) : isFields(value) ? value[name] : undefined;
  }
  return value;
}

/** A field that holds no others, and where it stands. */
export interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** Every field of an object that holds no others, in the order of the object. managedFields are left out, as kubectl leaves them out. */
export function leavesOf(object: unknown, path = ""): Leaf[] {
  if (path === "metadata.managedFields" || object === undefined) return [];
  if (Array.isArray(object) && object.length > 0) {
    const key = mergeKey(object);
    return object.flatMap((one, i) => leavesOf(one, `${path}[${key === undefined ? i : String((one as Fields)[key])}]`));
  }
  if (isFields(object) && Object.keys(object).length > 0) return Object.entries(object).flatMap(([key, value]) => leavesOf(value, path === "" ? step(key).replace(/^\./, "") : `${path}${step(key)}`));
  return [{ path, value: object }];
}
