import type { ComponentId, LinkRule } from "./types.ts";

/** What is broken in the world right now. Part of the recorded state, so that a fork inherits it. */
export interface NetworkState {
  /** Stopped components and how: a dead process refuses connections, a dead machine answers nothing, a paused process lets them wait. */
  readonly stopped: Readonly<Record<ComponentId, Stopped>>;
  readonly rules: readonly LinkRule[];
}

export type Stopped = "process" | "machine" | "paused";

export const WHOLE_NETWORK: NetworkState = { stopped: {}, rules: [] };

const MACHINE = "machine:";

function matches(pattern: string | undefined, component: ComponentId, machine: string): boolean {
  if (pattern === undefined) return true;
  return pattern.startsWith(MACHINE) ? pattern.slice(MACHINE.length) === machine : pattern === component;
}

/** What the broken links do to one message: dropped or delayed, and by which rule. A machine always reaches itself. */
export function linkEffect(state: NetworkState, from: ComponentId, fromMachine: string, to: ComponentId, toMachine: string): { drop: boolean; delay: number; rule: string } {
  let drop = false;
  let delay = 0;
  let rule = "";
  for (const candidate of state.rules) {
    if (fromMachine === toMachine && (candidate.from?.startsWith(MACHINE) || candidate.to?.startsWith(MACHINE))) continue;
    if (!matches(candidate.from, from, fromMachine) || !matches(candidate.to, to, toMachine)) continue;
    drop ||= candidate.drop ?? false;
    delay += candidate.delay ?? 0;
    rule = candidate.id;
  }
  return { drop, delay, rule };
}
