// Models kubernetes/pkg/controller/replicaset/replica_set.go: slowStartBatch

/** Creations go out in batches of 1, 2, 4 and so on: a creation that always fails is tried once, not 500 times. */
export function slowStartBatches(count: number, initial = 1): readonly number[] {
  const batches: number[] = [];
  let left = count;
  for (let size = Math.min(left, initial); size > 0; size = Math.min(2 * size, left)) {
    batches.push(size);
    left -= size;
  }
  return batches;
}

/** How many of a plan's calls are made when only the first `limit` calls succeed: it stops after a batch with an error. */
export function slowStart(count: number, initial: number, call: (index: number) => boolean): { readonly successes: number; readonly calls: number; readonly error: boolean } {
  let successes = 0;
  let calls = 0;
  for (const size of slowStartBatches(count, initial)) {
    let failed = false;
    for (let i = 0; i < size; i++) {
      if (call(calls++)) successes++;
      else failed = true;
    }
    if (failed) return { successes, calls, error: true };
  }
  return { successes, calls, error: false };
}
