// FIPS 180-4. Chain names of kube-proxy are made of it; the simulation has no platform crypto.

const K: readonly number[] = constants(64, 3);
const INITIAL: readonly number[] = constants(8, 2);

/** First 32 bits of the fractional parts of square (2) or cube (3) roots of the first primes, by integer arithmetic. */
function constants(count: number, root: 2 | 3): number[] {
  const found: number[] = [];
  for (let n = 2n; found.length < count; n++) {
    let prime = true;
    for (let d = 2n; d * d <= n; d++) if (n % d === 0n) prime = false;
    if (prime) found.push(Number(integerRoot(n << BigInt(32 * root), root) & 0xffffffffn));
  }
  return found;
}

function integerRoot(value: bigint, root: 2 | 3): bigint {
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if ((root === 2 ? middle * middle : middle * middle * middle) <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

function block(state: number[], bytes: readonly number[], offset: number): void {
  const w: number[] = [];
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      const at = offset + 4 * i;
      w.push(((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
      continue;
    }
    const [x, y] = [w[i - 15] ?? 0, w[i - 2] ?? 0];
    w.push(((w[i - 16] ?? 0) + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (w[i - 7] ?? 0) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))) | 0);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (w[i] ?? 0)) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = ((state[i] ?? 0) + value) | 0));
}

/** SHA-256 of an ASCII text, as bytes. */
export function sha256(text: string): readonly number[] {
  const bytes = [...text].map((character) => character.charCodeAt(0) & 255);
  const bits = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(shift >= 32 ? 0 : (bits >>> shift) & 255);
  const state = [...INITIAL];
  for (let offset = 0; offset < bytes.length; offset += 64) block(state, bytes, offset);
  return state.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 base32 without padding. */
export function base32(bytes: readonly number[]): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(buffer >>> bits) & 31] ?? "";
    }
  }
  return bits > 0 ? text + (ALPHABET[(buffer << (5 - bits)) & 31] ?? "") : text;
}
