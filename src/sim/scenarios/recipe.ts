/** One entry of a run's input log, as saved in links and files. Times are integer microseconds of simulated time. */
export type RunInput =
  | { readonly at: number; readonly type: "command"; readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>> }
  | { readonly at: number; readonly type: "fault"; readonly id: string; readonly params: Readonly<Record<string, string | number | boolean>>; readonly until?: number };

/** All that a run is made of: replaying it gives the same trace, byte for byte. */
export interface RunRecipe {
  /** A built-in world's id ("ten-nodes", "one-node"), or YAML of nodes and pods as `kubectl get -o yaml` prints it. */
  readonly world: string;
  readonly seed: number;
  /** "quiet": measured medians. "busy": draws up to the p99. */
  readonly profile: "quiet" | "busy";
  readonly inputs: readonly RunInput[];
}
