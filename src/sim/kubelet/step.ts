import type { Pod } from "../api/types.ts";
import type { Message, Micros } from "../kernel/types.ts";
import type { NodeVerdict } from "./eviction.ts";
import type { Turn } from "./turn.ts";

/** How a sync ended. */
export interface Outcome {
  readonly terminal?: boolean;
  /** The error's text; "" for none. */
  readonly error: string;
  readonly backoffUntil?: Micros;
  readonly cancelled?: boolean;
}

/** "next": the following step; "wait": an answer or a timer will resume this step; an outcome ends the sync. */
export type StepResult = "next" | "wait" | Outcome;

export interface Step {
  readonly name: string;
  readonly enter: (turn: Turn, uid: string) => StepResult;
  /** Handles what the step waited for. */
  readonly resume?: (turn: Turn, uid: string, message: Message) => StepResult;
}

export interface UpdateOptions {
  /** The Pod is gone from the API server, or the kubelet itself ends it. */
  readonly kill?: boolean;
  readonly verdict?: NodeVerdict;
  /** Seconds that the kubelet itself grants; absent: one. */
  readonly grace?: number;
  readonly delay?: Micros;
}

/** What the kubelet's parts ask of each other: given to each turn by the component, so that no part imports its caller. */
export interface Engine {
  readonly advance: (turn: Turn, uid: string, message?: Message) => void;
  readonly cancelRun: (turn: Turn, uid: string) => void;
  readonly updatePod: (turn: Turn, uid: string, options?: UpdateOptions) => void;
  readonly wakeCacheWaiters: (turn: Turn) => void;
  readonly volumesInUseChanged: (turn: Turn) => void;
  readonly mirrorChanged: (turn: Turn, mirror: Pod, type: "add" | "update" | "delete") => void;
  /** A condition of the node has changed: the status tick will say so. */
  readonly nodeStatusChanged: (turn: Turn) => void;
  /** Writes the node's status now. */
  readonly reportNodeStatus: (turn: Turn) => void;
}
