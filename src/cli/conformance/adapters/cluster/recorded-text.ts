const SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}";
/** A pod-template-hash: a uint32 in the alphabet of safe names. */
const HASH = "[bcdfghjklmnpqrstvwxz2456789]{8,10}";

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/<NS>/g, "default"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<UID>"],
  [/\b[0-9a-f]{64}\b/g, "<CONTAINER_ID>"],
  [/\b10\.244\.\d+\.\d+\b/g, "<POD_IP>"],
  [/\b192\.168\.\d+\.\d+\b/g, "<NODE_IP>"],
  [new RegExp(`-${HASH}(?=-|\\b)`, "g"), "-<hash>"],
  [new RegExp(`<hash>-(<S\\d+>|${SUFFIX})(?!\\w)`, "g"), "<hash>-<suffix>"],
];

/** A text of a recording or of a run with what differs from run to run replaced. */
export function comparable(text: string): string {
  return PATTERNS.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), text);
}

/** Names objects by their order of appearance where their own name is random: "d-<hash>-<suffix> 2". */
export class Names {
  private readonly given = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  of(name: string): string {
    const known = this.given.get(name);
    if (known !== undefined) return known;
    const stem = comparable(name);
    const count = (this.counts.get(stem) ?? 0) + 1;
    this.counts.set(stem, count);
    const label = stem.includes("<suffix>") ? `${stem} ${count}` : stem;
    this.given.set(name, label);
    return label;
  }
}
