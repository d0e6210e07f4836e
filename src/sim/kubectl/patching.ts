// Models what label, annotate, set, rollout, taint and others share: read, change, patch, one line
import type { KubeObject } from "../api/types.ts";
import { createTwoWayMergePatch } from "../api/three-way-patch.ts";
import { type Info, subjectOf } from "./builder.ts";
import { refusal } from "./errors.ts";
import { pathOf, typeName } from "./manifest.ts";
import { PRINT_FORMATS, printerFor, unmatched } from "./printers.ts";
import type { Process } from "./process.ts";

type Json = Readonly<Record<string, unknown>>;

export const dryRunSuffix = (p: Process): string => (p.options.dryRun === "server" ? " (server dry run)" : p.options.dryRun === "client" ? " (dry run)" : "");
export const dryRunQuery = (p: Process): Readonly<Record<string, string>> => (p.options.dryRun === "server" ? { dryRun: "All" } : {});

/** Prints one object as -o says, otherwise "TYPE/NAME <done>". Counts the objects of a run in `printed`. */
export function reporter(p: Process, typed = false): (info: { readonly api: Info["api"]; readonly name: string }, object: KubeObject, done: string) => void {
  const { output } = p.options;
  const printer = output === "" ? undefined : printerFor(p.options, p.turn.session.run.files, typed && p.options.dryRun !== "server");
  if (output !== "" && printer === undefined) return p.fail(unmatched(output, PRINT_FORMATS));
  if (typeof printer === "string") return p.fail(printer);
  let nth = 0;
  return ({ api, name }, object, done) => {
    if (printer === undefined) return p.print(`${typeName(api)}/${name} ${done}${dryRunSuffix(p)}`);
    const text = printer(object, nth++);
    if (typeof text !== "string") return p.fail(text.error);
    if (text !== "") p.printRaw(text);
  };
}

/** The strategic merge patch between two versions of an object; undefined when they are equal. */
export function changes(before: KubeObject, after: KubeObject): Json | undefined {
  const patch = createTwoWayMergePatch(before as unknown as Json, after as unknown as Json, before);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

export interface PatchCall {
  readonly body: unknown;
  readonly contentType?: string;
  readonly manager?: string;
  readonly subresource?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** What the error says the command was doing. */
  readonly prefix?: string;
}

/** PATCH of one object; a refusal is collected and undefined returned. */
export function patch(p: Process, { api, namespace, name }: Pick<Info, "api" | "namespace" | "name">, { body, contentType = "application/strategic-merge-patch+json", manager, subresource = "", query = {}, prefix = "" }: PatchCall): KubeObject | undefined {
  p.say(`sends PATCH for ${typeName(api)}/${name}`, "only the difference goes over the wire", "basic", { body });
  const answer = p.ask({
    method: "PATCH", path: `${pathOf(api, namespace, name)}${subresource === "" ? "" : `/${subresource}`}`, query: { ...dryRunQuery(p), ...(manager === undefined ? {} : { fieldManager: manager }), ...query }, body, contentType, subject: subjectOf(api, namespace, name), level: "basic",
  });
  if (answer.status === 200) return answer.body as KubeObject;
  p.addError(refusal(answer, p.turn.config.server, prefix));
  if (answer.refused) p.exit(1);
  return undefined;
}
