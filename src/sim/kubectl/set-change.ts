// Models what the commands of kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/set share
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf } from "./builder.ts";
import { changes, patch, reporter } from "./patching.ts";
import type { Process } from "./process.ts";

/** One change of one object; undefined leaves it out, a text is an error. */
export type Change = (object: KubeObject) => KubeObject | undefined | { readonly error: string };

/** Words with "=" or a trailing "-" are settings. */
export const isSetting = (word: string): boolean => word.includes("=") || (word.endsWith("-") && word.length > 1);

/** Reads the named objects, changes each and sends what is different. `always`: also when nothing is. */
export function changeAll(p: Process, resources: readonly string[], change: Change, done: string, always = false): void {
  const report = reporter(p);
  if (p.on("local") && p.options.files.length === 0) return p.fail("error: you must specify resources by --filename when --local is set.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'");
  const work: { readonly info: Info; readonly after: KubeObject; readonly body: unknown }[] = [];
  for (const info of infosOf(p, { args: resources, latest: !p.on("local") })) {
    const after = change(info.object);
    if (after === undefined) continue;
    if ("error" in after) {
      p.addError(after.error);
      continue;
    }
    const body = changes(info.object, after);
    if (body !== undefined || always || p.on("local")) work.push({ info, after, body: body ?? {} });
  }
  for (const { info, after, body } of work) {
    const stored = p.options.dryRun === "client" || p.on("local") ? after : patch(p, info, { body, manager: p.flag("field-manager", "kubectl-set") });
    if (stored) report(info, stored, done);
  }
}
