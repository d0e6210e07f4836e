// Models kubernetes/staging/src/k8s.io/client-go/util/retry/util.go: pauses after a conflict
import type { Micros } from "../../kernel/types.ts";
import type { View } from "../caches.ts";

/** A backoff of wait.Backoff with a jitter of 0.1: the pause before the try after the `tries`-th, 0 being the first; undefined when none is left. */
export interface Backoff {
  readonly steps: number;
  readonly base: Micros;
  readonly factor: number;
}

/** retry.DefaultRetry: for clients of which there are few. */
export const DEFAULT_RETRY: Backoff = { steps: 5, base: 10_000, factor: 1 };
/** retry.DefaultBackoff: where others may write too. */
export const DEFAULT_BACKOFF: Backoff = { steps: 4, base: 10_000, factor: 5 };

export function pauseBefore({ steps, base, factor }: Backoff, tries: number, key: string, view: View): Micros | undefined {
  if (tries + 1 >= steps) return undefined;
  const pause = base * factor ** tries;
  return pause + Math.floor((pause * (view.rand(`retry/${key}/${view.now}`, tries) % 1000)) / 10_000);
}
