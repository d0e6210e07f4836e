// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/cmd.go
import { annotate } from "./annotate.ts";
import { attachCommand } from "./attach.ts";
import { auth } from "./auth.ts";
import { autoscale } from "./autoscale.ts";
import { certificate } from "./certificate.ts";
import { config } from "./config.ts";
import { cp } from "./cp.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { describe } from "./describe.ts";
import { debug } from "./debug.ts";
import { diff } from "./diff.ts";
import { apiResources, apiVersions, clusterInfo, version } from "./discovery.ts";
import { cordon, drain, uncordon } from "./drain.ts";
import { listEvents } from "./events.ts";
import { exec } from "./exec.ts";
import { explain } from "./explain.ts";
import { edit } from "./edit.ts";
import { expose } from "./expose.ts";
import { get } from "./get.ts";
import { kustomize } from "./kustomize-command.ts";
import { kuberc, proxy } from "./local-commands.ts";
import { alpha, bare, completion, help, options, plugin } from "./help-commands.ts";
import { label } from "./label.ts";
import { apply } from "./last-applied.ts";
import { logs } from "./logs.ts";
import { patch } from "./patch.ts";
import { portForward } from "./port-forward.ts";
import { replace } from "./replace.ts";
import { rollout } from "./rollout.ts";
import { run } from "./run.ts";
import { scale } from "./scale.ts";
import type { Command } from "./session.ts";
import { set } from "./set.ts";
import { taint } from "./taint.ts";
import { top } from "./top.ts";
import { wait } from "./wait.ts";

/** Every command there is. */
export const COMMANDS: readonly Command[] = [
  alpha, annotate, bare, completion, help, options, plugin, apiResources, apiVersions, apply, attachCommand, auth, autoscale, certificate, clusterInfo, config, cordon, cp, create, debug, remove, describe, diff, drain, edit, exec, explain, expose, get, kuberc, kustomize, label, listEvents, logs, patch, portForward, proxy, replace, rollout, run, scale, set, taint, top, uncordon, version, wait,
];


/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Cobra's text for a command that is none. */
export function unknownCommand(name: string): string {
  const names = COMMANDS.flatMap((command) => command.names).filter((known) => known !== "").sort();
  const near = names.filter((known) => distance(name.toLowerCase(), known) <= 2 || known.startsWith(name.toLowerCase()));
  return `error: unknown command ${JSON.stringify(name)} for "kubectl"${near.length === 0 ? "" : `\n\nDid you mean this?\n${near.map((known) => `\t${known}\n`).join("")}`}`;
}
