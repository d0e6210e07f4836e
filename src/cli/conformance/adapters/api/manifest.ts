import { parse } from "yaml";

const TIMESTAMP = "tag:yaml.org,2002:timestamp";

/** One YAML document as kubectl reads it: YAML 1.1 (so `yes` is a boolean), but timestamps stay texts. */
export function parseManifest(text: string): unknown {
  return parse(expandRuns(text), { version: "1.1", customTags: (tags) => tags.filter((tag) => typeof tag === "string" || tag.tag !== TIMESTAMP) });
}

/** Case files write long names as "<254 x a>". */
export const expandRuns = (text: string): string => text.replace(/<(\d+) x (.)>/g, (_, n: string, c: string) => c.repeat(Number(n)));

/** The same the other way round, for comparing. */
export const shortenRuns = (text: string): string => text.replace(/([A-Za-z0-9])\1{39,}/g, (run: string, c: string) => `<${run.length} x ${c}>`);
