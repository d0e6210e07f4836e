import { numbered, randomKey } from "../kernel/random.ts";

const HEX = "0123456789abcdef";

/** `length` hex digits that depend on nothing but `key`: container, sandbox and image ids. */
export function hexId(seed: number, key: string, length = 64): string {
  let text = "";
  const hash = randomKey(seed, "id", key);
  for (let i = 0; text.length < length; i++) text += numbered(hash, i).toString(16).padStart(8, "0");
  return text.slice(0, length);
}

/** A version 4 UUID that depends on nothing but `key`. */
export function uuid(seed: number, key: string): string {
  const hex = hexId(seed, key, 32);
  const variant = HEX[8 + (parseInt(hex[16] ?? "0", 16) & 3)] ?? "8";
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
