/** A case file's entry; recordings have further fields (preObjects, steps, ...), which an adapter may read. */
export interface ConformanceCase {
  readonly id: string;
  readonly kind: string;
  readonly title?: string;
  readonly input?: unknown;
  readonly expect?: unknown;
  readonly [field: string]: unknown;
}

/** What an adapter may need besides its case. */
export interface CaseContext {
  /** Every case that was read, selected or not, in order. */
  readonly cases: readonly ConformanceCase[];
  /** The JSON file of that name beside the case's own; undefined if there is none. */
  sibling(testCase: ConformanceCase, name: string): unknown;
}

/** Runs the cases of one kind with the very functions that the simulation uses. */
export interface Adapter {
  readonly kind: string;
  /** The answer in the shape of the case's `expect`. */
  run(input: unknown, testCase: ConformanceCase, context?: CaseContext): unknown;
  /** What differs, or undefined. Without it, all that `expect` says must be so (objects may hold more, arrays not). */
  compare?(actual: unknown, expect: unknown, testCase: ConformanceCase): string | undefined;
}
