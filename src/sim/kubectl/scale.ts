// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/scale/scale.go
import { parseGoDuration } from "../api/duration.ts";
import { SECOND } from "../api/time.ts";
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf, subjectOf } from "./builder.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, patch, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

type Scale = KubeObject & { readonly spec?: { readonly replicas?: number }; readonly status?: { readonly replicas?: number } };

/** With a precondition: GET, compare, PUT. */
function scaleIf(p: Process, info: Info, replicas: number): boolean {
  const path = `${pathOf(info.api, info.namespace, info.name)}/scale`;
  const subject = subjectOf(info.api, info.namespace, info.name);
  const scale = p.must({ method: "GET", path, subject }) as Scale;
  const wanted = Number(p.flag("current-replicas", "-1"));
  const [is, version] = [scale.spec?.replicas ?? 0, p.flag("resource-version")];
  if (wanted >= 0 && is !== wanted) return p.fail(`error: Expected replicas to be ${wanted}, was ${is}`);
  if (version !== "" && scale.metadata.resourceVersion !== version) return p.fail(`error: Expected resource version to be ${version}, was ${scale.metadata.resourceVersion ?? ""}`);
  p.must({ method: "PUT", path, query: dryRunQuery(p), body: { ...scale, spec: { ...scale.spec, replicas } }, subject, level: "basic" });
  return true;
}

/** --timeout: asks every second until as many are there as were asked for, or somebody else asked for another number. */
function untilScaled(p: Process, info: Info, replicas: number): void {
  const timeout = p.options.timeout === "" ? 0 : parseGoDuration(p.options.timeout);
  if (timeout <= 0 || p.options.dryRun !== "none") return;
  p.alarm(timeout);
  for (let tick = p.now + SECOND; ; tick += SECOND) {
    const { spec, status } = p.must({ method: "GET", path: `${pathOf(info.api, info.namespace, info.name)}/scale`, subject: subjectOf(info.api, info.namespace, info.name) }) as Scale;
    if ((spec?.replicas ?? 0) !== replicas || (status?.replicas ?? 0) === replicas) return;
    p.alarm(Math.max(0, tick - p.now), "tick");
    if (p.next() === "timeout") return p.fail(`error: timed out waiting for ${JSON.stringify(info.name)} to be synced`);
  }
}

/** kubectl scale TYPE/NAME --replicas=N: a merge patch of the scale subresource. */
export const scale = command(["scale"], (p) => {
  if (!p.given("replicas")) return p.fail("error: required flag(s) \"replicas\" not set");
  const replicas = Number(p.flag("replicas"));
  if (replicas < 0) return p.fail("error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
  const report = reporter(p);
  // Upstream ignores a negative number.
  const conditional = Number(p.flag("current-replicas", "-1")) >= 0 || p.flag("resource-version") !== "";
  const infos = infosOf(p, { args: p.options.args });
  if (p.flag("resource-version") !== "" && infos.length > 1) return p.fail("error: cannot use --resource-version with multiple resources");
  for (const info of infos) {
    const after: KubeObject = { ...info.object, spec: { ...(info.object.spec as object), replicas } };
    if (p.options.dryRun === "client") report(info, after, "scaled");
    else if (conditional ? scaleIf(p, info, replicas) : patch(p, info, { body: { spec: { replicas } }, contentType: "application/merge-patch+json", subresource: "scale" }) !== undefined) {
      untilScaled(p, info, replicas);
      report(info, after, "scaled");
    }
  }
});
