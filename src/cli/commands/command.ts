import type { FlagSpec } from "../args.ts";
import type { Args } from "../args.ts";
import type { Io } from "../io.ts";

/** One word after "millipod". */
export interface Command {
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly does: string;
  readonly flags: readonly FlagSpec[];
  /** Returns the exit status. Throws UsageError. */
  run(args: Args, io: Io): number;
}
