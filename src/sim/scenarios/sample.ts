import type { Micros } from "../kernel/types.ts";
import { SECOND } from "../api/time.ts";
import type { FaultParams, RunInput } from "./recipe.ts";

/** A manifest to start from. The text is what the editor shows. */
export interface Sample {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly text: string;
  /** The cluster that it needs, if not the first. */
  readonly world?: string;
  /** What happens after the manifest was applied at time 0: commands and faults, in order of time. */
  readonly after?: readonly RunInput[];
  /** How much of it there is to see, if that is more than a short start. */
  readonly until?: Micros;
}

/** A command of a sample, as typed; `files` are those it reads. */
export const typed = (seconds: number, line: string, files: Readonly<Record<string, string>> = {}): RunInput => ({ at: seconds * SECOND, type: "command", argv: line.split(" "), files });

export const broken = (from: number, until: number | undefined, id: string, params: FaultParams): RunInput => ({ at: from * SECOND, type: "fault", id, params, ...(until === undefined ? {} : { until: until * SECOND }) });
