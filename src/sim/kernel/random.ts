/** 32-bit FNV-1a of a string, continued from `hash`. */
export function fnv1a(text: string, hash = 0x811c9dc5): number {
  let h = hash;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** Avalanche of a 32-bit integer (the finaliser of MurmurHash3). */
export function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * A uint32 that depends on nothing but its key. There is no stream to advance, so an injected fault cannot change
 * the draws of anything it does not cause.
 */
export function keyedRandom(seed: number, component: string, purpose: string, n: number): number {
  return numbered(randomKey(seed, component, purpose), n);
}

/** The part of `keyedRandom` that is the same for every n: for those who draw many numbers of one purpose. */
export const randomKey = (seed: number, component: string, purpose: string): number => fnv1a(purpose, fnv1a(component, mix(seed ^ 0x9e3779b9)));

export const numbered = (key: number, n: number): number => mix(key ^ mix(n + 0x6d2b79f5));
