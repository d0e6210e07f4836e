import type { Action, Message } from "../kernel/types.ts";

export interface KubectlRun extends Message {
  readonly type: "kubectl.run";
  /** Without "kubectl". */
  readonly argv: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Names this command among all of a run. */
  readonly session: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Commands typed at the same instant are told apart by their order. */
export const SESSIONS_AT_ONCE = 1000;

/** A command that a fault types. `slot` tells it from others of the same instant. */
export function typed(now: number, slot: number, ...argv: readonly string[]): Action {
  const message: KubectlRun = { type: "kubectl.run", argv, files: {}, session: now * SESSIONS_AT_ONCE + SESSIONS_AT_ONCE - 1 - slot };
  return { type: "deliver", to: "kubectl", message, verb: `kubectl ${argv.join(" ")}` };
}
