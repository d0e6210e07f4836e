import { upperBound } from "../../trace/trace.ts";

/**
 * The states of one component, by event number. With `keepEvery` 1 each change is kept and `at` is a binary search;
 * with n, every n-th is kept and the states between are recomputed from the trace by the caller's `replay`. Of the first
 * `whole` events of the run all are kept.
 */
export class History {
  /** Events this component handled, ascending. */
  handled: number[] = [];
  private keptAt: number[] = [];
  private kept: unknown[] = [];
  private readonly keepEvery: number;
  private readonly whole: number;
  private changes = 0;

  constructor(keepEvery: number, whole = 0) {
    this.keepEvery = keepEvery;
    this.whole = whole;
  }

  /** Records that `event` was handled and led to `state`. `force` keeps it (a reset cannot be recomputed). */
  record(event: number, state: unknown, changed: boolean, force: boolean): void {
    this.handled.push(event);
    if (!changed && !force) return;
    if (force || event < this.whole || this.changes++ % this.keepEvery === 0) {
      this.keptAt.push(event);
      this.kept.push(state);
    }
  }

  /** The state after the last event at or before `event`. */
  at(event: number, replay: (state: unknown, event: number) => unknown): unknown {
    const index = upperBound(this.keptAt, event) - 1;
    let state = this.kept[index];
    if (this.keepEvery === 1 || event < this.whole) return state;
    const from = upperBound(this.handled, Math.max(this.keptAt[index] ?? -1, this.whole - 1));
    for (let i = from; i < this.handled.length; i++) {
      const handled = this.handled[i] as number;
      if (handled > event) break;
      state = replay(state, handled);
    }
    return state;
  }

  /** A history of its own holding what happened before event `count`. */
  prefix(count: number): History {
    const copy = new History(this.keepEvery, this.whole);
    copy.handled = this.handled.slice(0, upperBound(this.handled, count - 1));
    const kept = upperBound(this.keptAt, count - 1);
    copy.keptAt = this.keptAt.slice(0, kept);
    copy.kept = this.kept.slice(0, kept);
    // Counted as after its last kept change; only which later ones are kept may differ from the parent.
    copy.changes = 1;
    return copy;
  }
}
