/** One program's claim, as metadata.managedFields keeps it. */
interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: unknown;
}

export interface Owner {
  /** "kubectl", "kubelet, status" */
  readonly name: string;
  readonly operation: string;
  readonly time: string;
}

/** A field and the programs that have set it; those that applied it conflict with others who do. */
export interface OwnedField {
  readonly path: string;
  readonly owners: readonly Owner[];
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** One step of fieldsV1: "f:spec" is a field, "k:{...}" an item by its keys, "v:..." an item by its value. */
function stepText(step: string, path: string): string {
  const kind = step.slice(0, 2);
  const rest = step.slice(2);
  if (kind === "f:") return path === "" ? rest : /^[\w-]+$/.test(rest) ? `${path}.${rest}` : `${path}["${rest}"]`;
  if (kind === "v:") return `${path}[${rest}]`;
  if (kind !== "k:") return `${path}[${rest}]`;
  try {
    const keys = Object.entries(JSON.parse(rest) as Fields).map(([key, value]) => `${key}=${String(value)}`);
    return `${path}[${keys.join(",")}]`;
  } catch {
    return `${path}[${rest}]`;
  }
}

function leaves(fields: Fields, path: string, found: string[]): void {
  const steps = Object.keys(fields).filter((step) => step !== ".");
  // A map that is owned as a whole, or an item that is claimed without any of its fields.
  if (steps.length === 0 && path !== "") found.push(path);
  for (const step of steps) {
    const inside = fields[step];
    leaves(isFields(inside) ? inside : {}, stepText(step, path), found);
  }
}

/** Who owns which field of an object, in the order of the fields; empty for objects without managedFields. */
export function ownedFields(object: unknown): readonly OwnedField[] {
  const metadata = isFields(object) && isFields(object["metadata"]) ? object["metadata"] : {};
  const entries = Array.isArray(metadata["managedFields"]) ? (metadata["managedFields"] as readonly ManagedFields[]) : [];
  const owners = new Map<string, Owner[]>();
  for (const { manager = "unknown", operation = "", subresource = "", time = "", fieldsV1 } of entries) {
    if (!isFields(fieldsV1)) continue;
    const paths: string[] = [];
    leaves(fieldsV1, "", paths);
    const owner: Owner = { name: subresource === "" ? manager : `${manager}, ${subresource}`, operation, time };
    for (const path of paths) owners.set(path, [...(owners.get(path) ?? []), owner]);
  }
  return [...owners].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, list]) => ({ path, owners: list }));
}
