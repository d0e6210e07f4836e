// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/taint/{taint,utils}.go
import { isQualifiedName, isValidLabelValue } from "../api/names.ts";
import type { KubeObject } from "../api/types.ts";
import { infosOf } from "./builder.ts";
import { fieldValidation } from "./flags.ts";
import { changes, patch, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import { typeOf } from "./builder.ts";

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const USAGE = "\nSee 'kubectl taint -h' for help and examples";

/** "key=value:effect", "key:effect"; "key" alone only where taints are removed. */
function parseTaint(spec: string, removing: boolean): Taint | string {
  const parts = spec.split(":");
  const [pair = "", effect = ""] = parts;
  if (parts.length > 2 || (parts.length === 1 && !removing)) return `error: invalid taint spec: ${spec}`;
  const [key = "", value = "", more] = pair.split("=");
  if (more !== undefined) return `error: invalid taint spec: ${spec}`;
  if (parts.length === 2 && !EFFECTS.includes(effect)) return `error: invalid taint effect: ${effect}, unsupported taint effect`;
  const wrong = isValidLabelValue(value);
  if (wrong.length > 0) return `error: invalid taint spec: ${spec}, ${wrong.join("; ")}`;
  const name = isQualifiedName(key);
  if (name.length > 0) return `error: invalid taint spec: ${spec}, ${name.join("; ")}`;
  return { key, ...(value === "" ? {} : { value }), effect };
}

interface Parsed {
  readonly resources: readonly string[];
  readonly add: readonly Taint[];
  readonly remove: readonly Taint[];
}

function parse(args: readonly string[]): Parsed | string {
  const isSpec = (arg: string): boolean => arg.includes("=") || arg.includes(":") || (arg.endsWith("-") && arg.length > 1);
  const from = args.findIndex(isSpec);
  if (from < 0) return "error: at least one taint update is required";
  const add: Taint[] = [];
  const remove: Taint[] = [];
  for (const spec of args.slice(from)) {
    const removing = spec.endsWith("-");
    const taint = parseTaint(removing ? spec.slice(0, -1) : spec, removing);
    if (typeof taint === "string") return `${taint}${USAGE}`;
    if (removing) remove.push(taint);
    else if (add.some((other) => other.key === taint.key && other.effect === taint.effect)) return `error: duplicated taints with the same key and effect: {${taint.key} ${taint.value ?? ""} ${taint.effect} <nil>}${USAGE}`;
    else add.push(taint);
  }
  const both = remove.filter(({ key, effect }) => add.some((taint) => taint.key === key && (effect === "" || effect === taint.effect))).map(({ key, effect }) => (effect === "" ? key : `${key}=${effect}`));
  if (both.length > 0) return `error: can not both modify and remove the following taint(s) in the same command: ${both.join(", ")}`;
  return { resources: args.slice(0, from), add, remove };
}

const equalTo = (a: Taint) => (b: Taint): boolean => a.key === b.key && (a.effect === "" || a.effect === b.effect);

function taintOne(p: Process, node: KubeObject, { add, remove }: Parsed): { readonly after: KubeObject; readonly done: string } | undefined {
  const before = (node.spec as { readonly taints?: readonly Taint[] } | undefined)?.taints ?? [];
  const clashes = add.filter((taint) => before.some(equalTo(taint)));
  const name = node.metadata.name ?? "";
  if (clashes.length > 0 && !p.options.overwrite) {
    p.addError(`error: node ${name} already has ${clashes.map(({ key }) => key).join(", ")} taint(s) with same effect(s) and --overwrite is false`);
    return undefined;
  }
  const missing = remove.filter((taint) => !before.some(equalTo(taint)));
  if (missing.length > 0) {
    p.addError(`error: ${missing.length === 1 ? "" : "["}${missing.map(({ key, effect }) => `taint ${JSON.stringify(effect === "" ? key : `${key}:${effect}`)} not found`).join(", ")}${missing.length === 1 ? "" : "]"}`);
    return undefined;
  }
  const kept = before.filter((taint) => !add.some((other) => equalTo(other)(taint)) && !remove.some((other) => equalTo(other)(taint)));
  const done = add.length === 0 ? "untainted" : remove.length === 0 ? (clashes.length > 0 ? "modified" : "tainted") : "modified";
  const taints = [...add, ...kept];
  const { taints: _, ...spec } = node.spec as { readonly taints?: unknown };
  return { after: { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } }, done };
}

/** kubectl taint nodes NAME KEY=VALUE:EFFECT */
export const taint = command(["taint"], (p) => {
  const parsed = parse(p.options.args);
  if (typeof parsed === "string") return p.fail(parsed);
  const [type = ""] = parsed.resources;
  if (type.split("/")[0] !== "" && typeOf(type.split("/")[0] ?? "")?.resource !== "nodes") return p.fail(`error: invalid resource type ${type.split("/")[0] ?? ""}, only node types are supported`);
  const report = reporter(p);
  const silent = p.options.dryRun === "server";
  for (const info of infosOf(p, { args: parsed.resources })) {
    const change = taintOne(p, info.object, parsed);
    if (change === undefined) continue;
    const body = changes(info.object, change.after) ?? {};
    const stored = p.options.dryRun === "client" ? change.after : patch(p, info, { body, manager: p.flag("field-manager", "kubectl-taint"), query: { fieldValidation: fieldValidation(p.options) ?? "Strict" } });
    if (stored === undefined) continue;
    // The suffix of a server dry run is not printed here.
    if (silent && p.options.output === "") p.print(`node/${info.name} ${change.done}`);
    else report(info, stored, change.done);
  }
});
