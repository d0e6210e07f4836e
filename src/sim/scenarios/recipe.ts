import type { Micros } from "../kernel/types.ts";
import type { Slowdowns } from "./slowdowns.ts";

/** Values a user may set on a fault. */
export type FaultParams = Readonly<Record<string, string | number | boolean>>;

/** One entry of a run's input log, as saved in links and files. Times are integer microseconds of simulated time. */
export type RunInput =
  | { readonly at: Micros; readonly type: "command"; readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>>; readonly env?: Readonly<Record<string, string>> }
  /** The page's editor, which a command had opened, was closed; without a text, nothing was saved. */
  | { readonly at: Micros; readonly type: "edited"; readonly session: number; readonly text?: string }
  | { readonly at: Micros; readonly type: "fault"; readonly id: string; readonly params: FaultParams; readonly until?: Micros };

/** All that a run is made of: replaying it gives the same trace, byte for byte. */
export interface RunRecipe {
  /** A built-in world's id ("ten-nodes", "one-node"), or YAML of nodes and pods. */
  readonly world: string;
  readonly seed: number;
  readonly profile: "quiet" | "busy";
  readonly inputs: readonly RunInput[];
  /** KubeSchedulerConfiguration as YAML; absent for kube-scheduler's defaults. */
  readonly schedulerConfig?: string;
  /** What takes longer or less long than usual; absent for nothing. */
  readonly slowdowns?: Slowdowns;
  /** An exercise that is open: what happens besides, which the page does not show. */
  readonly exercise?: { readonly slug: string; readonly hidden: readonly RunInput[] };
}

/** All that happens in a run; at one instant what is hidden comes last. */
export const inputsOf = ({ inputs, exercise }: Pick<RunRecipe, "inputs" | "exercise">): readonly RunInput[] => (exercise === undefined ? inputs : [...inputs, ...exercise.hidden].sort((a, b) => a.at - b.at));
