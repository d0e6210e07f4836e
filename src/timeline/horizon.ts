import type { RunInput } from "../worker/protocol.ts";

/** Simulated time that a run covers at first, and after its last input. */
export const HORIZON = 30_000_000;
/** If a Pod is not ready by then, the run goes on by itself up to here. */
export const LONG_HORIZON = 180_000_000;
/** Faults whose consequences take longer than a minute to unfold, by prefix of their id. */
const LONG_FAULTS: readonly (readonly [string, number])[] = [
  ["node.", 420_000_000],
  ["kubelet.", 420_000_000],
  ["cri.", 180_000_000],
  ["app.", 180_000_000],
  ["image.", 180_000_000],
  ["etcd.", 120_000_000],
  ["scheduler.", 120_000_000],
];

/** How far a run with these inputs is simulated at first (microseconds). */
export function horizonOf(inputs: readonly RunInput[]): number {
  let until = HORIZON;
  for (const input of inputs) {
    const long = input.type === "fault" ? (LONG_FAULTS.find(([prefix]) => input.id.startsWith(prefix))?.[1] ?? HORIZON) : HORIZON;
    until = Math.max(until, input.at + long, input.type === "fault" && input.until !== undefined ? input.until + HORIZON : 0);
  }
  return until;
}
