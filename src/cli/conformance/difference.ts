const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

const MAX_SHOWN = 400;

/** A value on one line, cut where it gets long. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/**
 * Where `actual` lacks or contradicts something that `expect` says; undefined if nowhere. Objects may hold more than
 * expected; arrays must be of the same length and order; null is the same as absent.
 */
export function difference(expect: unknown, actual: unknown, path = ""): string | undefined {
  const differs = (): string => `${path === "" ? "" : `${path}: `}expected ${show(expect)}, got ${show(actual)}`;
  if (expect === null || expect === undefined) return actual === null || actual === undefined ? undefined : differs();
  if (Array.isArray(expect)) {
    if (!Array.isArray(actual) || actual.length !== expect.length) return differs();
    for (const [i, item] of expect.entries()) {
      const found = difference(item, actual[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObject(expect)) {
    if (!isObject(actual)) return differs();
    for (const [key, value] of Object.entries(expect)) {
      const found = difference(value, actual[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return expect === actual ? undefined : differs();
}
