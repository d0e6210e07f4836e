// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/diff/diff.go
import { LAST_APPLIED } from "../api/fieldmanager/last-applied.ts";
import { rfc3339Micro } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import { unifiedDiff } from "../api/unified-diff.ts";
import { getInfo, type Info, infosOf, subjectOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { command, type Process } from "./process.ts";
import { applyManager } from "./server-side-apply.ts";
import { type Answer, klogWarning } from "./session.ts";
import { threeWayPatch } from "./three-way.ts";
import { printYaml, stripManaged } from "./yaml.ts";

const FOLDERS = { live: "/tmp/LIVE-1000000001", merged: "/tmp/MERGED-1000000002" };
/** Trouble, as diff(1) has it: 1 means that there are differences. */
const TROUBLE = 2;

/** Values of Secrets are not shown: equal ones as three stars, changed ones marked. */
function masked(object: KubeObject | undefined, other: KubeObject | undefined, word: "before" | "after"): KubeObject | undefined {
  if (object?.kind !== "Secret") return object;
  const data = (from: KubeObject | undefined): Readonly<Record<string, string>> => (from as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data ?? {};
  const [own, theirs] = [data(object), data(other)];
  return { ...object, data: Object.fromEntries(Object.entries(own).map(([key, value]) => [key, theirs[key] === undefined || theirs[key] === value ? "***" : `*** (${word})`])) } as KubeObject;
}

/** What the object would become: the write that apply would do, as a dry run. */
function mergedOf(p: Process, info: Info, live: KubeObject | undefined): Answer {
  const { api, namespace, name, object } = info;
  const onServer = p.on("server-side");
  const manager = applyManager(p.options, onServer);
  const query = { dryRun: "All", fieldManager: manager };
  const subject = subjectOf(api, namespace, name);
  if (onServer) return p.ask({ method: "PATCH", path: pathOf(api, namespace, name), query: { ...query, force: String(p.on("force-conflicts")) }, body: object, contentType: "application/apply-patch+yaml", subject });
  return live === undefined
    ? p.ask({ method: "POST", path: pathOf(api, namespace), query, body: object, subject })
    : p.ask({ method: "PATCH", path: pathOf(api, namespace, name), query, body: threeWayPatch(live.metadata.annotations?.[LAST_APPLIED], { ...object, metadata: { ...object.metadata, annotations: object.metadata.annotations ?? {} } }, live) ?? {}, contentType: "application/strategic-merge-patch+json", subject });
}

const MAX_RETRIES = 4;

/** The object as it is and as it would be. A conflict may pass: it is tried again, at last without a lock. */
function versionsOf(p: Process, info: Info): { readonly live: KubeObject | undefined; readonly merged: KubeObject } {
  const { api, namespace, name } = info;
  for (let i = 1; ; i++) {
    const got = getInfo(p, api, namespace, name);
    if (got.status !== 200 && got.status !== 404) p.fail(errorText(got, p.turn.config.server), TROUBLE);
    const live = got.status === 200 ? (got.body as KubeObject) : undefined;
    if (i === MAX_RETRIES) p.printError(klogWarning(p.now, "diff.go:723", `Object (${api.group === "" ? "/" : ""}${api.apiVersion}, Kind=${api.kind}: ${name}) keeps changing, diffing without lock`));
    const answer = mergedOf(p, info, live);
    if (answer.status === 200 || answer.status === 201) return { live, merged: answer.body as KubeObject };
    if (i === MAX_RETRIES || statusOf(answer)?.reason !== "Conflict") p.fail(errorText(answer, p.turn.config.server), TROUBLE);
  }
}

function show(p: Process, { api, namespace, name }: Info, before: string, after: string): void {
  const file = [...(api.group === "" ? [] : [api.group]), api.version, api.kind, namespace, name].join(".");
  const time = `${rfc3339Micro(p.now).replace("T", " ").replace("Z", "000")} +0000`;
  p.print(`diff -u -N ${FOLDERS.live}/${file} ${FOLDERS.merged}/${file}\n--- ${FOLDERS.live}/${file}\t${time}\n+++ ${FOLDERS.merged}/${file}\t${time}\n${unifiedDiff(before, after)}`);
}

/** kubectl diff -f FILE */
export const diff = command(["diff"], (p) => {
  if (p.options.files.length === 0) return p.fail("error: must specify one of -f and -k", TROUBLE);
  if (p.on("force-conflicts") && !p.on("server-side")) return p.fail("error: --force-conflicts only works with --server-side", TROUBLE);
  const infos = infosOf(p, { args: [] });
  let different = false;
  for (const info of infos) {
    const { live, merged } = versionsOf(p, info);
    const text = (object: KubeObject | undefined): string => (object === undefined ? "" : printYaml(p.on("show-managed-fields") ? object : stripManaged(object)).replace(/\n$/, ""));
    const [before, after] = [text(masked(live, merged, "before")), text(masked(merged, live, "after"))];
    if (before === after) continue;
    different = true;
    show(p, info, before, after);
  }
  if (p.turn.session.errors.length > 0) p.exit(TROUBLE);
  if (different) p.exit(1);
});
