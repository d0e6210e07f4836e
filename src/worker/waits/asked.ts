import type { NetworkState } from "../../sim/kernel/network.ts";
import type { Micros } from "../../sim/kernel/types.ts";
import type { StateOf } from "../backend.ts";
import type { WaitView } from "../protocol-waits.ts";
import type { Timers } from "./timers.ts";

/** Who asks for waits, and of what. */
export interface Asked {
  readonly at: Micros;
  readonly state: StateOf;
  readonly timers: Timers;
  readonly components: readonly string[];
}

/** One source of waits: a pure function of the states at a time. */
export type Source = (asked: Asked) => readonly WaitView[];

/** How a component has stopped; undefined while it runs. What it had in memory is in force no more. */
export const stopped = (component: string, { state }: Asked): string | undefined => (state("world") as NetworkState | undefined)?.stopped[component];

/** The states of all components of a kind that run: "kubelet" of every node. */
export function running<S>(kind: string, asked: Asked): readonly (readonly [component: string, state: S])[] {
  return asked.components
    .filter((id) => (id === kind || id.startsWith(`${kind}@`)) && stopped(id, asked) === undefined)
    .flatMap((id) => {
      const state = asked.state(id) as S | undefined;
      return state === undefined ? [] : [[id, state] as const];
    });
}

const MOST_RUNGS = 24;

/** Every value that a wait can have, found by asking the simulation's own rule for the n-th, n from 0, until it stays the same. */
export function rungs(wait: (n: number) => Micros): readonly Micros[] {
  const found: Micros[] = [];
  for (let n = 0; n < MOST_RUNGS; n++) {
    const value = wait(n);
    if (value === found.at(-1)) break;
    found.push(value);
  }
  return found;
}

/** The place of a wait on its ladder, as an optional field. */
export function rungOf(ladder: readonly Micros[], value: Micros): { readonly rung?: number } {
  const rung = ladder.indexOf(value);
  return rung < 0 ? {} : { rung };
}

/** "3 s", "2.5 s", "5 ms": for facts. */
export function seconds(micros: Micros): string {
  return micros < 1_000_000 ? `${micros / 1000} ms` : `${Math.round(micros / 1000) / 1000} s`;
}

export const podKey = (name: string): string => `/registry/pods/${name}`;
export const nodeKey = (name: string): string => `/registry/minions/${name}`;
/** "kubelet@worker-node-01": the node. */
export const nodeOf = (component: string): string => component.slice(component.indexOf("@") + 1);
