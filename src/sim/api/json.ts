// Models sigs.k8s.io/json: JSON that also reports keys written twice, which JSON.parse would hide

export interface ParsedJson {
  readonly value: unknown;
  /** Paths of repeated keys in the order they were met, e.g. "spec.containers[0].image". The last one wins. */
  readonly duplicates: readonly string[];
}

type Frame = { readonly path: string; readonly seen: Set<string> } | { readonly path: string; index: number };

const isObjectFrame = (frame: Frame | undefined): frame is { readonly path: string; readonly seen: Set<string> } => frame !== undefined && "seen" in frame;

/** Paths of keys that an object of the text repeats. The text must already be valid JSON. */
function findDuplicates(text: string): string[] {
  const duplicates: string[] = [];
  const stack: Frame[] = [];
  let key = "";
  let expectKey = false;
  const childPath = (): string => {
    const top = stack.at(-1);
    if (top === undefined) return "";
    return isObjectFrame(top) ? (top.path === "" ? key : `${top.path}.${key}`) : `${top.path}[${top.index}]`;
  };
  for (const m of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const token = m[0];
    const top = stack.at(-1);
    if (token === "{") {
      stack.push({ path: childPath(), seen: new Set() });
      expectKey = true;
    } else if (token === "[") {
      stack.push({ path: childPath(), index: 0 });
      expectKey = false;
    } else if (token === "}" || token === "]") {
      stack.pop();
      expectKey = false;
    } else if (token === ",") {
      if (isObjectFrame(top)) expectKey = true;
      else if (top !== undefined) top.index += 1;
    } else if (token === ":") expectKey = false;
    else if (expectKey && isObjectFrame(top)) {
      key = String(JSON.parse(token));
      if (top.seen.has(key)) duplicates.push(childPath());
      top.seen.add(key);
      expectKey = false;
    }
  }
  return duplicates;
}

/** Parses JSON text; undefined when it is not JSON. */
export function parseJson(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) as unknown, duplicates: findDuplicates(text) };
  } catch {
    return undefined;
  }
}

/** A copy with sorted keys at every level: what kubectl sends after turning YAML into JSON. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sortKeys(v)]));
}

/** Go's JSON escapes what could end a script. */
export const escapeHtml = (text: string): string => text.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");

/** As Go writes a map: compact, keys sorted, HTML characters escaped. */
export const goJson = (value: unknown): string => escapeHtml(JSON.stringify(sortKeys(value)));

/** A JSON value as Go's %v prints it: "map[a:1 b:[x y]]". */
export function goMapText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMapText).join(" ")}]`;
  if (typeof value !== "object" || value === null) return value === null ? "<nil>" : String(value);
  return `map[${Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${k}:${goMapText(v)}`).join(" ")}]`;
}
