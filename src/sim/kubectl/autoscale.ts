// Models kubernetes/staging/src/k8s.io/kubectl/pkg/cmd/autoscale/autoscale.go
import { canonicalQuantity, parseQuantity } from "../api/quantity.ts";
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { withLastApplied } from "./apply.ts";
import { type Info, infosOf } from "./builder.ts";
import { errorText, statusOf } from "./errors.ts";
import { pathOf } from "./manifest.ts";
import { dryRunQuery, reporter } from "./patching.ts";
import { command, type Process } from "./process.ts";

type Target = Readonly<Record<string, unknown>>;

/** "70%", "500m" or "500", which is in the resource's usual unit. An error as text. */
function targetOf(resource: "cpu" | "memory", input: string): Target | string {
  const text = input.trim();
  if (text === "") return "error: empty input";
  const percent = /^(.*)%$/.exec(text)?.[1];
  if (percent !== undefined) return /^[-+]?\d+$/.test(percent) ? { type: "Utilization", averageUtilization: Number(percent) } : `error: invalid percentage value: ${text}`;
  const quantity = /^[-+]?\d+(?:\.\d+)?$/.test(text) ? `${Number(text)}${resource === "cpu" ? "m" : "Mi"}` : text;
  if (typeof parseQuantity(quantity) === "string") return `error: invalid resource ${resource} value: ${text}`;
  return { type: "AverageValue", averageValue: canonicalQuantity(quantity) };
}

function scalerOf(p: Process, { api, name }: Info, targets: readonly (readonly [string, Target])[]): KubeObject {
  const min = Number(p.flag("min", "-1"));
  const metrics = targets.map(([resource, target]) => ({ type: "Resource", resource: { name: resource, target } }));
  const spec = { ...(min > 0 ? { minReplicas: min } : {}), maxReplicas: Number(p.flag("max")), ...(metrics.length === 0 ? {} : { metrics }), scaleTargetRef: { apiVersion: api.apiVersion, kind: api.kind, name } };
  return { kind: "HorizontalPodAutoscaler", apiVersion: "autoscaling/v2", metadata: { name: p.flag("name", name) || name, ...(p.options.namespaceGiven ? { namespace: p.namespace } : {}) }, spec, status: { desiredReplicas: 0, currentMetrics: null } } as KubeObject;
}

/** kubectl autoscale TYPE NAME --max=N */
export const autoscale = command(["autoscale"], (p) => {
  if (!p.given("max")) return p.fail("error: required flag(s) \"max\" not set");
  const [max, min, percent] = [Number(p.flag("max")), Number(p.flag("min", "-1")), Number(p.flag("cpu-percent", "-1"))];
  if (max < 1) return p.fail(`error: --max=MAXPODS is required and must be at least 1, max: ${max}`);
  if (max < min) return p.fail(`error: --max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`);
  if (percent > 0 && p.flag("cpu") !== "") return p.fail("error: --cpu-percent and --cpu are mutually exclusive");
  const targets: [string, Target][] = percent > 0 ? [["cpu", { type: "Utilization", averageUtilization: percent }]] : [];
  for (const resource of ["cpu", "memory"] as const) {
    const target = p.flag(resource) === "" ? undefined : targetOf(resource, p.flag(resource));
    if (typeof target === "string") return p.fail(target);
    if (target !== undefined) targets.push([resource, target]);
  }
  const report = reporter(p);
  const autoscalers = findResource("horizontalpodautoscalers.autoscaling");
  const infos = infosOf(p, { args: p.options.args });
  if (infos.length === 0 && p.turn.session.errors.length === 0) return p.fail("error: no objects passed to autoscale");
  for (const info of infos) {
    if (autoscalers === undefined) return;
    if (!info.api.subresources.includes("scale")) return p.fail(`error: cannot autoscale a ${info.api.kind}: could not find scale subresource for ${info.api.apiVersion}, Resource=${info.api.resource} in discovery information`);
    const made = scalerOf(p, info, targets);
    const named = { api: autoscalers, name: made.metadata.name ?? "" };
    if (p.options.dryRun === "client") {
      report(named, made, "created");
      continue;
    }
    const body = p.on("save-config") ? withLastApplied(made) : made;
    const answer = p.ask({ method: "POST", path: pathOf(autoscalers, p.namespace), query: { ...dryRunQuery(p), fieldManager: p.flag("field-manager", "kubectl-autoscale") }, body: { ...body, metadata: { ...body.metadata, namespace: p.namespace } }, subject: `horizontalpodautoscaler/${p.namespace}/${named.name}`, level: "basic" });
    if (answer.status === 201) report(named, answer.body as KubeObject, "autoscaled");
    else if (targets.length === 1 && targets[0]?.[0] === "cpu" && targets[0][1]["type"] === "Utilization") return p.fail(errorText(answer, p.turn.config.server));
    else return p.fail(answer.refused ? errorText(answer, p.turn.config.server) : `error: failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: ${p.flag("cpu") === "" ? "empty input" : (statusOf(answer)?.message ?? "%!w(<nil>)")}`);
  }
});
