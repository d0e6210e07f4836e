// Models kubernetes/pkg/controller/job/backoff_utils.go
import type { Micros } from "../../kernel/types.ts";

export const DEFAULT_POD_BACKOFF: Micros = 10_000_000;
export const MAX_POD_BACKOFF: Micros = 600_000_000;

/** How long a replacement Pod must still wait: doubling with each failure since the last success, counted from the last failure. */
export function remainingBackoff(failures: number, sinceLastFailure: Micros, base: Micros = DEFAULT_POD_BACKOFF, max: Micros = MAX_POD_BACKOFF): Micros {
  if (failures === 0) return 0;
  let backoff = base;
  for (let i = 1; i < failures && backoff < max; i++) backoff *= 2;
  return Math.max(0, Math.min(backoff, max) - sinceLastFailure);
}
