// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/rollout
import { parseGoDuration } from "../api/duration.ts";
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf, subjectOf } from "./builder.ts";
import { onlySubcommands } from "./help-commands.ts";
import { pathOf } from "./manifest.ts";
import { changes, patch, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";
import { history, undo } from "./rollout-history.ts";
import { statusOf } from "./rollout-status.ts";
import { watchOf } from "./wait.ts";

type Subcommand = (p: Process) => void;
interface Spec {
  readonly paused?: boolean;
  readonly template?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
}

const resources = (p: Process): readonly string[] => p.options.args.slice(1);
export const quoted = ({ api, name }: Info): string => `${api.resource}${api.group === "" ? "" : `.${api.group}`} ${JSON.stringify(name)}`;
const NOT_NAMED = "error: required resource not specified";

/** Reads all, changes each; what cannot be changed is an error of its own. */
function change(p: Process, edit: (info: Info, spec: Spec) => KubeObject | string, done: string): void {
  const report = reporter(p);
  const work: (readonly [Info, KubeObject])[] = [];
  for (const info of infosOf(p, { args: resources(p), nothing: NOT_NAMED })) {
    const after = edit(info, info.object.spec as Spec);
    if (typeof after === "string") p.addError(`error: ${after}`);
    else work.push([info, after]);
  }
  for (const [info, after] of work) {
    const stored = p.options.dryRun === "client" ? after : patch(p, info, { body: changes(info.object, after) ?? {}, manager: p.flag("field-manager", "kubectl-rollout") });
    if (stored) report(info, stored, done);
  }
}

const restart: Subcommand = (p) => change(p, (info, spec) => {
  const { object } = info;
  if (!["Deployment", "DaemonSet", "StatefulSet"].includes(object.kind)) return `${quoted(info)} restarting is not supported`;
  if (object.kind === "Deployment" && spec.paused === true) return `${quoted(info)} can't restart paused deployment (run rollout resume first)`;
  const { template } = spec;
  const at = p.timestamp();
  if (template?.metadata?.annotations?.["kubectl.kubernetes.io/restartedAt"] === at) return `failed to create patch for ${info.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`;
  return { ...object, spec: { ...spec, template: { ...template, metadata: { ...template?.metadata, annotations: { ...template?.metadata?.annotations, "kubectl.kubernetes.io/restartedAt": at } } } } };
}, "restarted");

const pausing = (want: boolean): Subcommand => (p) => change(p, (info, spec) => {
  if (info.object.kind !== "Deployment") return `${quoted(info)} ${want ? "pausing" : "resuming"} is not supported`;
  if ((spec.paused === true) === want) return `${quoted(info)} is ${want ? "already" : "not"} paused`;
  const { paused: _, ...rest } = spec;
  return { ...info.object, spec: want ? { ...rest, paused: true } : rest };
}, want ? "paused" : "resumed");

/** Prints a line at every change until the rollout ends, fails, or time is up. */
const status: Subcommand = (p) => {
  const [info] = infosOf(p, { args: resources(p), nothing: NOT_NAMED });
  if (info === undefined) return;
  const { api, name, namespace, object } = info;
  if (!["Deployment", "DaemonSet", "StatefulSet"].includes(object.kind)) return p.fail(`error: no status viewer has been implemented for ${object.kind}`);
  watchOf(p, info);
  const timeout = parseGoDuration(p.options.timeout);
  if (timeout > 0) p.alarm(timeout);
  for (;;) {
    const event = p.next();
    if (event === "timeout" || event === "closed") return p.fail("error: timed out waiting for the condition");
    if (event === "tick" || event.type === "BOOKMARK") continue;
    if (event.type === "DELETED") return p.fail("error: object has been deleted");
    const { text, done, error } = statusOf(event.object as KubeObject, Number(p.flag("revision", "0")));
    if (error !== undefined) return p.fail(`error: ${error}`);
    p.print(text);
    if (done === true || p.flag("watch") === "false") return;
    p.say(`waits for ${subjectOf(api, namespace, name)}`, "it holds a watch on that name", "operator", { path: pathOf(api, namespace, name) });
  }
};

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = { history, pause: pausing(true), restart, resume: pausing(false), status, undo };

/** kubectl rollout WHAT */
export const rollout = command(["rollout"], (p) => {
  const subcommand = SUBCOMMANDS[p.options.args[0] ?? ""];
  return subcommand === undefined ? onlySubcommands(p, true) : subcommand(p);
});
