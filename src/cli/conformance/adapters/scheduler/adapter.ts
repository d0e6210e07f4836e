/** Runs the cases of one kind with the functions that the simulation uses. */
export interface Adapter {
  readonly kind: string;
  /** The answer in the shape of the case's `expect`. */
  run(input: unknown): unknown;
  /** What differs, or undefined; without it the answer must equal `expect` deeply. */
  compare?(actual: unknown, expect: unknown): string | undefined;
}
