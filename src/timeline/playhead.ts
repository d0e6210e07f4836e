/** The simulated time shown, in integer microseconds. It lives outside React: a frame reads it, no component renders for it. */
export interface Playhead {
  get(): number;
  set(t: number): void;
  /** Called after each change; returns what ends the subscription. */
  subscribe(listener: (t: number) => void): () => void;
}

export function createPlayhead(): Playhead {
  let now = 0;
  const listeners = new Set<(t: number) => void>();
  return {
    get: () => now,
    set(t) {
      const next = Math.round(t);
      if (next === now) return;
      now = next;
      for (const listener of listeners) listener(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const playhead = createPlayhead();
