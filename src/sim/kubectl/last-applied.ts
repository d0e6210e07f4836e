// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/apply/apply_{view,set,edit}_last_applied.go
import { parseJson, sortKeys } from "../api/json.ts";
import { applyFiles, withLastApplied } from "./apply.ts";
import { editLastApplied } from "./edit.ts";
import { infosOf, NOTHING_NAMED, subjectOf } from "./builder.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, patch, reporter } from "./patching.ts";
import { command, eitherOf, type Process } from "./process.ts";
import type { KubeObject } from "../api/types.ts";
import { printYaml } from "./yaml.ts";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
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

function set(p: Process): void {
  if (p.options.files.length === 0) return p.fail(NOTHING_NAMED);
  const report = reporter(p);
  for (const info of infosOf(p, { args: [] })) {
    const live = p.must({ method: "GET", path: pathOf(info.api, info.namespace, info.name), subject: subjectOf(info.api, info.namespace, info.name) }) as KubeObject;
    const wanted = withLastApplied(info.object).metadata.annotations?.[LAST_APPLIED];
    if (live.metadata.annotations?.[LAST_APPLIED] === undefined && !p.on("create-annotation")) return p.fail(`error: no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`);
    const stored = p.options.dryRun === "client" ? live : patch(p, info, { body: { metadata: { annotations: { [LAST_APPLIED]: wanted } } }, contentType: "application/merge-patch+json", query: dryRunQuery(p) });
    if (stored) report(info, stored, "configured");
  }
}

const SUBCOMMANDS: Readonly<Record<string, (p: Process) => void>> = {
  "view-last-applied": view, "set-last-applied": set,
  "edit-last-applied": (p) => editLastApplied(p, rest(p)),
};

/** kubectl apply -f FILE, kubectl apply view-last-applied TYPE/NAME */
export const apply = eitherOf("apply", applyFiles, command([], (p) => {
  const [what = ""] = p.options.args;
  const subcommand = SUBCOMMANDS[what];
  return subcommand === undefined ? p.fail(`error: Unexpected args: [${p.options.args.join(" ")}]\nSee 'kubectl apply -h' for help and examples`) : subcommand(p);
}));
