/** A broken invariant of the simulation itself: never a user's mistake. */
export class InvariantError extends Error {}

/** Throws InvariantError unless `condition` holds. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** The end of an exhaustive switch. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
