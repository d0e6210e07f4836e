// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/replace/replace.go
import type { KubeObject } from "../api/types.ts";
import { getInfo, type Info, infosOf, subjectOf } from "./builder.ts";
import { errorText } from "./errors.ts";
import { fieldValidation } from "./flags.ts";
import { pathOf, typeName } from "./manifest.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

const queryOf = (p: Process): Readonly<Record<string, string>> => ({ fieldManager: "kubectl-replace", fieldValidation: fieldValidation(p.options) ?? "Strict" });

function check(p: Process): void {
  if (fieldValidation(p.options) !== "Ignore") p.ask({ method: "GET", path: "/openapi/v3", query: { timeout: "32s" }, level: "operator" });
}

/** PUT; without a resourceVersion in the file, over whatever is stored. */
function overwrite(p: Process, { api, namespace, name, object, file = "" }: Info): KubeObject | undefined {
  const path = pathOf(api, namespace, name);
  const subject = subjectOf(api, namespace, name);
  let body = object;
  if (object.metadata.resourceVersion === undefined) {
    const live = p.ask({ method: "GET", path, subject });
    if (live.status === 200) body = { ...object, metadata: { ...object.metadata, resourceVersion: (live.body as KubeObject).metadata.resourceVersion ?? "" } };
  }
  const answer = p.ask({ method: "PUT", path, query: { ...dryRunQuery(p), ...queryOf(p) }, body, subject, level: "basic" });
  if (answer.status === 200) return answer.body as KubeObject;
  p.addError(errorText(answer, p.turn.config.server, `error when replacing ${JSON.stringify(file)}`));
  return undefined;
}

/** --force: DELETE, wait until it is gone, POST. */
function recreate(p: Process, infos: readonly Info[]): void {
  const report = reporter(p);
  for (const { api, namespace, name } of infos) {
    const [path, subject] = [pathOf(api, namespace, name), subjectOf(api, namespace, name)];
    const gone = p.ask({ method: "DELETE", path, body: { propagationPolicy: "Background" }, subject, level: "basic" });
    if (gone.status === 404) continue;
    if (gone.status !== 200) return p.fail(errorText(gone, p.turn.config.server));
    p.print(`${typeName(api)} ${JSON.stringify(name)} deleted${namespace === "" ? "" : ` from ${namespace} namespace`}`);
    while (getInfo(p, api, namespace, name).status === 200) {
      p.alarm(1_000_000, "tick");
      p.next();
    }
  }
  check(p);
  for (const info of infos) {
    const stored = p.must({ method: "POST", path: pathOf(info.api, info.namespace), query: queryOf(p), body: info.object, subject: subjectOf(info.api, info.namespace, info.name), level: "basic" }, `error when replacing ${JSON.stringify(info.file ?? "")}`);
    report(info, stored as KubeObject, "replaced");
  }
}

/** kubectl replace -f FILE */
export const replace = command(["replace"], (p) => {
  if (p.options.files.length === 0) return p.fail("error: must specify one of -f and -k");
  if (p.options.force) return recreate(p, infosOf(p, { args: [] }));
  const report = reporter(p);
  check(p);
  for (const info of infosOf(p, { args: [] })) {
    const stored = p.options.dryRun === "client" ? info.object : overwrite(p, info);
    if (stored) report(info, stored, "replaced");
  }
});
