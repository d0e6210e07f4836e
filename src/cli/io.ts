/** What the command line needs of its surroundings; tests give their own. */
export interface Io {
  /** Data, to standard output. */
  out(text: string): void;
  /** Messages, to standard error. */
  err(text: string): void;
  /** The text of a file; "-" is standard input. Throws a UsageError if there is none. */
  read(path: string): string;
  /** Regular files of a folder by name; undefined if `path` is not a folder. */
  list(path: string): readonly string[] | undefined;
  exists(path: string): boolean;
}

export const OK = 0;
/** The cluster refused: kubectl's own words say why. Also: a conformance case failed. */
export const REFUSED = 1;
export const BAD_USAGE = 2;

/** The command line itself is wrong: exit status 2, one line and no stack trace. */
export class UsageError extends Error {}
