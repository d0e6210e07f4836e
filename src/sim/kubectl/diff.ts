// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/diff/diff.go
import { rfc3339Micro } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import { unifiedDiff } from "../api/unified-diff.ts";
import { LAST_APPLIED } from "./apply.ts";
import { type Info, infosOf, subjectOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { command, type Process } from "./process.ts";
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
function mergedOf(p: Process, { api, namespace, name, object }: Info, live: KubeObject | undefined): KubeObject {
  const query = { dryRun: "All", fieldManager: "kubectl-client-side-apply" };
  const subject = subjectOf(api, namespace, name);
  const answer = live === undefined
    ? p.ask({ method: "POST", path: pathOf(api, namespace), query, body: object, subject })
    : p.ask({ method: "PATCH", path: pathOf(api, namespace, name), query, body: threeWayPatch(live.metadata.annotations?.[LAST_APPLIED], { ...object, metadata: { ...object.metadata, annotations: object.metadata.annotations ?? {} } }, live) ?? {}, contentType: "application/strategic-merge-patch+json", subject });
  return answer.status === 200 || answer.status === 201 ? (answer.body as KubeObject) : p.fail(errorText(answer, p.turn.config.server), TROUBLE);
}

function show(p: Process, { api, namespace, name }: Info, before: string, after: string): void {
  const file = [...(api.group === "" ? [] : [api.group]), api.version, api.kind, namespace, name].join(".");
  const time = `${rfc3339Micro(p.now).replace("T", " ").replace("Z", "000")} +0000`;
  p.print(`diff -u -N ${FOLDERS.live}/${file} ${FOLDERS.merged}/${file}\n--- ${FOLDERS.live}/${file}\t${time}\n+++ ${FOLDERS.merged}/${file}\t${time}\n${unifiedDiff(before, after)}`);
}

/** kubectl diff -f FILE */
export const diff = command(["diff"], (p) => {
  if (p.options.files.length === 0) return p.fail("error: must specify one of -f and -k", TROUBLE);
  if (p.on("server-side")) return p.fail("error: --server-side is not simulated: the API server here keeps no field ownership", TROUBLE);
  const infos = infosOf(p, { args: [] });
  let different = false;
  for (const info of infos) {
    const { api, namespace, name } = info;
    const answer = p.ask({ method: "GET", path: pathOf(api, namespace, name), subject: subjectOf(api, namespace, name) });
    if (answer.status !== 200 && answer.status !== 404) return p.fail(errorText(answer, p.turn.config.server), TROUBLE);
    const live = answer.status === 200 ? (answer.body as KubeObject) : undefined;
    const merged = mergedOf(p, info, live);
    const text = (object: KubeObject | undefined): string => (object === undefined ? "" : printYaml(stripManaged(object)).replace(/\n$/, ""));
    const [before, after] = [text(masked(live, merged, "before")), text(masked(merged, live, "after"))];
    if (before === after) continue;
    different = true;
    show(p, info, before, after);
  }
  if (p.turn.session.errors.length > 0) p.exit(TROUBLE);
  if (different) p.exit(1);
});
