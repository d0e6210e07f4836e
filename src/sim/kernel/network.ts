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

/** Whether a rule concerns messages from one to the other. A machine always reaches itself. */
export function ruleMatches(rule: LinkRule, from: ComponentId, fromMachine: string, to: ComponentId, toMachine: string): boolean {
  if (fromMachine === toMachine && (rule.from?.startsWith(MACHINE) || rule.to?.startsWith(MACHINE))) return false;
  return matches(rule.from, from, fromMachine) && matches(rule.to, to, toMachine);
}

/** What the broken links do to one message: dropped or delayed, and by which rule. */
export function linkEffect(state: NetworkState, from: ComponentId, fromMachine: string, to: ComponentId, toMachine: string): { drop: boolean; delay: number; rule: string } {
  let drop = false;
  let delay = 0;
  let rule = "";
  for (const candidate of state.rules) {
    if (!ruleMatches(candidate, from, fromMachine, to, toMachine)) continue;
    drop ||= candidate.drop ?? false;
    delay += candidate.delay ?? 0;
    rule = candidate.id;
  }
  return { drop, delay, rule };
}
