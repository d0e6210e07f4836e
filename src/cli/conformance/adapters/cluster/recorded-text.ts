import type { KubeObject } from "../../../../sim/api/types.ts";
import type { Trace } from "../../../../trace/trace.ts";

/** A pod-template-hash: a uint32 in the alphabet of safe names. */
const HASH = "[bcdfghjklmnpqrstvwxz2456789]{8,10}";

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/<NS>/g, "default"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<UID>"],
  [/\b[0-9a-f]{64}\b/g, "<CONTAINER_ID>"],
  [/\b10\.244\.\d+\.\d+\b/g, "<POD_IP>"],
  [/\b192\.168\.\d+\.\d+\b/g, "<NODE_IP>"],
  [/\bin (?!<)\S+ \((?!<)\S+ including waiting\)/g, "in <DURATION> (<DURATION> including waiting)"],
  // A CronJob's Job is named after the minute since 1970 that it is for.
  [/-\d{8}\b/g, "-<minute>"],
  [new RegExp(`-${HASH}(?=-|\\b)`, "g"), "-<hash>"],
];

const comparable = (text: string): string => PATTERNS.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), text);

/** A text of a recording or of a run with what differs from run to run replaced: random names by their order of creation, "d-<hash>-<suffix> 2". */
export type Normalize = (text: string) => string;

function normalizer(names: readonly (readonly [string, string])[]): Normalize {
  const counts = new Map<string, number>();
  const labels = names.map(([name, owner]): readonly [string, string] => {
    const stem = `${comparable(owner)}-<suffix>`;
    const count = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, count);
    return [name, `${stem} ${count}`];
  });
  return (text) => {
    let result = text;
    for (const [name, label] of labels) if (result.includes(name)) result = result.replaceAll(new RegExp(`${name.replaceAll(/[.<>]/g, "\\$&")}(?![\\w])`, "g"), label);
    return comparable(result);
  };
}

/** Of a recording: "j-<S2>" is the second Pod that was made under that name. */
export function recordedNames(record: unknown): Normalize {
  const found = [...new Set(JSON.stringify(record).match(/\b(?<![\\])[\w.-]+-<S\d+>/g) ?? [])];
  const number = (name: string): number => Number(/<S(\d+)>$/.exec(name)?.[1] ?? 0);
  return normalizer(found.sort((a, b) => number(a) - number(b)).map((name) => [name, name.replace(/-<S\d+>$/, "")]));
}

/** Of a run: Pods that a controller made, in the order in which they were stored. */
export function simulatedNames(trace: Trace): Normalize {
  const names = new Map<string, string>();
  for (const revision of trace.revisions) {
    if (!revision.key.startsWith("/registry/pods/default/") || revision.verb !== "create") continue;
    const { metadata } = revision.object as KubeObject;
    const owner = metadata.ownerReferences?.find((reference) => reference.controller === true && reference.kind !== "Node");
    if (owner && metadata.name !== undefined && !names.has(metadata.name)) names.set(metadata.name, owner.name);
  }
  return normalizer([...names].sort(([a], [b]) => b.length - a.length || 0));
}
