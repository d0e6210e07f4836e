// Models kubernetes/pkg/scheduler/backend/queue/backoff_queue.go

/**
 * initial × 2^(count - 1), at most max; in the unit of its arguments. 0 for a Pod that was not rejected yet, and if max
 * is 0 (back-off switched off).
 */
export function backoffDuration(count: number, initial: number, max: number): number {
  if (count === 0 || max === 0) return 0;
  let duration = Math.min(initial, max);
  for (let i = 1; i < count; i += 1) {
    if (duration > max - duration) return max;
    duration += duration;
  }
  return duration;
}
