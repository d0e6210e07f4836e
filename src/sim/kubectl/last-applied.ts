// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/apply/apply_{view,set,edit}_last_applied.go
import { LAST_APPLIED } from "../api/fieldmanager/last-applied.ts";
import { parseJson, sortKeys } from "../api/json.ts";
import { applyFiles } from "./apply.ts";
import { editLastApplied } from "./edit.ts";
import { getInfo, type Info, infosOf, NOTHING_NAMED } from "./builder.ts";
import { isOn } from "./flags.ts";
import { errorText } from "./errors.ts";
import { goJson } from "./go-json.ts";
import { patch, reporter } from "./patching.ts";
import { chosen, command, type Process } from "./process.ts";
import { applyServerSide } from "./server-side-apply.ts";
import type { KubeObject } from "../api/types.ts";
import { printYaml } from "./yaml.ts";

const rest = (p: Process): readonly string[] => p.options.args.slice(1);

function view(p: Process): void {
  const { output } = p.options;
  if (!["", "yaml", "json"].includes(output)) return p.fail(`error: Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json\nSee 'kubectl apply view-last-applied -h' for help and examples`);
  for (const { object } of infosOf(p, { args: rest(p), latest: true })) {
    const text = object.metadata.annotations?.[LAST_APPLIED];
    const value = text === undefined ? undefined : parseJson(text.trim())?.value;
    if (value === undefined) continue;
    p.print(output === "json" ? `${JSON.stringify(sortKeys(value), null, 2)}\n` : printYaml(value));
  }
}

/** Everything is read before anything is written. */
function set(p: Process): void {
  if (p.options.files.length === 0) return p.fail(NOTHING_NAMED);
  const report = reporter(p);
  const changed: { readonly info: Info; readonly live: KubeObject; readonly text: string }[] = [];
  for (const info of infosOf(p, { args: [] })) {
    const answer = getInfo(p, info.api, info.namespace, info.name);
    if (answer.status !== 200) return p.fail(errorText(answer, p.turn.config.server));
    const live = answer.body as KubeObject;
    const stored = live.metadata.annotations?.[LAST_APPLIED];
    if (stored === undefined && !p.on("create-annotation")) return p.fail(`error: no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`);
    const text = `${goJson(info.object)}\n`;
    if (stored === text) p.print(`set-last-applied ${info.name}: no changes required.`);
    else changed.push({ info, live, text });
  }
  for (const { info, live, text } of changed) {
    const stored = p.options.dryRun === "client" ? live : patch(p, info, { body: { metadata: { annotations: { [LAST_APPLIED]: text } } }, contentType: "application/merge-patch+json" });
    if (stored) report(info, stored, "configured");
  }
}

const SUBCOMMANDS: Readonly<Record<string, (p: Process) => void>> = {
  "view-last-applied": view, "set-last-applied": set,
  "edit-last-applied": (p) => editLastApplied(p, rest(p)),
};

const withArguments = command([], (p) => {
  const [what = ""] = p.options.args;
  const subcommand = SUBCOMMANDS[what];
  return subcommand === undefined ? p.fail(`error: Unexpected args: [${p.options.args.join(" ")}]\nSee 'kubectl apply -h' for help and examples`) : subcommand(p);
});

/** kubectl apply [--server-side] -f FILE, kubectl apply view-last-applied TYPE/NAME */
export const apply = chosen("apply", (options) => (options.args.length > 0 ? withArguments : isOn(options, "server-side") ? applyServerSide : applyFiles));
