// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/label/label.go
import { isValidLabelValue } from "../api/names.ts";
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf } from "./builder.ts";
import { typeName } from "./manifest.ts";
import { patch, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

export interface Pairs {
  readonly resources: readonly string[];
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

/** Words with "=" or a trailing "-" are changes; the words before the first of them name objects. An error as text. */
export function pairsOf(args: readonly string[], what: "label" | "annotation"): Pairs | string {
  const from = args.findIndex((arg) => (arg.includes("=") && !arg.startsWith("=")) || (arg.endsWith("-") && arg.length > 1));
  const [resources, words] = from < 0 ? [args, []] : [args.slice(0, from), args.slice(from)];
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of words) {
    if (word.includes("=")) {
      const [key, value] = [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
      const wrong = what === "label" ? isValidLabelValue(value) : [];
      if (wrong.length > 0) return `error: invalid label value: ${JSON.stringify(word)}: ${wrong.join("; ")}`;
      set.set(key, value);
    } else if (word.endsWith("-")) remove.push(word.slice(0, -1));
    else return `error: unknown ${what} spec: ${word}`;
  }
  if (remove.some((key) => set.has(key))) return `error: can not both modify and remove ${what === "label" ? "a label" : "an annotation"} in the same command`;
  return { resources, set, remove };
}

/** Map entries as "a=b" lines, sorted. */
export const listed = (map: Readonly<Record<string, string>> | undefined): string => Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}=${value}\n`).join("");

export function changed(map: Readonly<Record<string, string>> | undefined, { set, remove }: Pairs): Record<string, string> {
  const next = Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !remove.includes(key)));
  for (const [key, value] of set) next[key] = value;
  return next;
}

/** A merge patch of one map in metadata. */
export function mapPatch(field: "labels" | "annotations", before: Readonly<Record<string, string>> | undefined, { set, remove }: Pairs): unknown {
  const entries: [string, string | null][] = [...[...set].filter(([key, value]) => before?.[key] !== value), ...remove.filter((key) => before?.[key] !== undefined).map((key): [string, null] => [key, null])];
  return entries.length === 0 ? {} : { metadata: { [field]: Object.fromEntries(entries) } };
}

function labelOne(p: Process, info: Info, pairs: Pairs, report: ReturnType<typeof reporter>): void {
  const { api, name, object } = info;
  const before = object.metadata.labels ?? {};
  const clashes = [...pairs.set].filter(([key]) => before[key] !== undefined && !p.options.overwrite && before[key] !== pairs.set.get(key)).map(([key]) => `'${key}' already has a value (${before[key] ?? ""}), and --overwrite is false`);
  if (clashes.length > 0) return p.addError(`error: ${clashes.length === 1 ? (clashes[0] ?? "") : `[${clashes.join(", ")}]`}`);
  for (const key of pairs.remove) if (before[key] === undefined) p.print(`label ${JSON.stringify(key)} not found.`);
  const after = changed(before, pairs);
  const same = Object.keys(after).length === Object.keys(before).length && Object.entries(after).every(([key, value]) => before[key] === value);
  const done = same ? "not labeled" : pairs.set.size === 0 ? "unlabeled" : "labeled";
  const changedObject: KubeObject = { ...object, metadata: { ...object.metadata, labels: after } };
  if (same || p.options.dryRun === "client" || p.on("local")) return report({ api, name }, changedObject, done);
  const stored = patch(p, info, { body: mapPatch("labels", before, pairs), contentType: "application/merge-patch+json", manager: p.flag("field-manager", "kubectl-label") });
  if (stored) report({ api, name }, stored, done);
}

/** kubectl label */
export const label = command(["label"], (p) => {
  const pairs = pairsOf(p.options.args, "label");
  if (typeof pairs === "string") return p.fail(pairs);
  if (p.on("list") && pairs.set.size + pairs.remove.length > 0) return p.fail("error: --list is not allowed when labels are specified");
  if (!p.on("list") && pairs.set.size + pairs.remove.length === 0) return p.fail("error: at least one label update is required");
  const report = reporter(p);
  const infos = infosOf(p, { args: pairs.resources, latest: !p.on("local") });
  for (const info of infos) {
    if (p.on("list")) p.print(`${infos.length > 1 ? `Listing labels for ${typeName(info.api)}/${info.name}:\n ` : ""}${listed(info.object.metadata.labels)}`);
    else labelOne(p, info, pairs, report);
  }
});

