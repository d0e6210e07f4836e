// Models kubernetes/staging/src/k8s.io/kubectl/pkg/polymorphichelpers/{history,rollback}.go
import { formatLabelSelector } from "../api/labels.ts";
import { applyStrategicMergePatch } from "../api/patch.ts";
import { sortKeys } from "../api/json.ts";
import { findResource } from "../api/schema/resources.ts";
import type { KubeObject } from "../api/types.ts";
import { type Info, infosOf } from "./builder.ts";
import { templateText } from "./describe-template.ts";
import { pathOf, typeName } from "./manifest.ts";
import { dryRunSuffix, patch } from "./patching.ts";
import type { Process } from "./process.ts";
import { align } from "./tabwriter.ts";
import type { PodTemplate } from "./template.ts";

const CHANGE_CAUSE = "kubernetes.io/change-cause";
const REVISION = "deployment.kubernetes.io/revision";
const HASH = "pod-template-hash";
type Owned = KubeObject & { readonly revision?: number; readonly data?: unknown; readonly spec?: { readonly template?: PodTemplate } };

/** One revision of a workload: its ReplicaSet or ControllerRevision. */
interface Revision {
  readonly number: number;
  readonly owner: Owned;
}

/** What was rolled out before, oldest first. */
function revisionsOf(p: Process, { api, name, namespace, object }: Info): readonly Revision[] {
  // Upstream reads the object once more with a typed client.
  p.must({ method: "GET", path: pathOf(api, namespace, name), subject: `${api.singular}/${namespace}/${name}` });
  const kind = findResource(object.kind === "Deployment" ? "replicasets" : "controllerrevisions");
  if (kind === undefined) return [];
  const selector = formatLabelSelector((object.spec as { readonly selector?: Parameters<typeof formatLabelSelector>[0] }).selector);
  const { items } = p.must({ method: "GET", path: pathOf(kind, namespace), query: { labelSelector: selector }, subject: `list ${kind.resource}` }) as { readonly items: readonly Owned[] };
  const owned = items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === object.metadata.uid && owner.controller === true) === true);
  return owned.map((owner) => ({ owner, number: object.kind === "Deployment" ? Number(owner.metadata.annotations?.[REVISION] ?? "0") : (owner.revision ?? 0) })).sort((a, b) => a.number - b.number);
}

const isKnown = (kind: string): boolean => ["Deployment", "DaemonSet", "StatefulSet"].includes(kind);

/** The object as it was at a revision. */
function at(object: KubeObject, { owner }: Revision): KubeObject {
  if (object.kind !== "Deployment") {
    const data = typeof owner.data === "object" && owner.data !== null ? (owner.data as { readonly raw?: unknown }) : {};
    const applied = applyStrategicMergePatch(object, data, object);
    return typeof applied === "string" ? object : (applied as unknown as KubeObject);
  }
  return { ...object, spec: { ...(object.spec as object), template: owner.spec?.template } };
}

const templateOf = (object: KubeObject): PodTemplate | undefined => (object.spec as { readonly template?: PodTemplate }).template;

/** kubectl rollout history */
export function history(p: Process): void {
  for (const info of infosOf(p, { args: p.options.args.slice(1), nothing: "error: required resource not specified" })) {
    const { object, api, name } = info;
    if (!isKnown(object.kind)) return p.fail(`error: no history viewer has been implemented for ${JSON.stringify(object.kind)}`);
    const revisions = revisionsOf(p, info);
    const wanted = Number(p.flag("revision", "0"));
    const label = `${typeName(api)}/${name}`;
    if (wanted > 0) {
      const revision = revisions.find(({ number }) => number === wanted);
      if (revision === undefined) return p.fail("error: unable to find the specified revision");
      const template = templateOf(at(object, revision));
      const cause = object.kind === "Deployment" ? revision.owner.metadata.annotations?.[CHANGE_CAUSE] : undefined;
      const shown = template === undefined || cause === undefined ? template : { ...template, metadata: { ...template.metadata, annotations: { ...template.metadata?.annotations, [CHANGE_CAUSE]: cause } } };
      p.print(`${label} with revision #${wanted}\n${shown === undefined ? "" : templateText(shown)}\n`);
      continue;
    }
    if (revisions.length === 0) p.print(`${label} \nNo rollout history found.\n`);
    else p.print(`${label} \n${align(`REVISION\tCHANGE-CAUSE\n${revisions.map(({ number, owner }) => `${number}\t${owner.metadata.annotations?.[CHANGE_CAUSE] || "<none>"}\n`).join("")}`)}\n`);
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));

function undoDeployment(p: Process, info: Info, revision: Revision): string | undefined {
  const { object } = info;
  const spec = object.spec as { readonly paused?: boolean; readonly template?: PodTemplate };
  if (spec.paused === true) return p.fail("error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again");
  const old = revision.owner.spec?.template;
  const { [HASH]: _, ...labels } = old?.metadata?.labels ?? {};
  const template = { ...old, metadata: { ...old?.metadata, labels } };
  if (same(template, spec.template)) return `skipped rollback (current template already matches revision ${revision.number})`;
  const kept = Object.fromEntries(Object.entries(object.metadata.annotations ?? {}).filter(([key]) => key === "kubectl.kubernetes.io/last-applied-configuration" || key === "deployment.kubernetes.io/revision" || key === "deployment.kubernetes.io/desired-replicas" || key === "deployment.kubernetes.io/max-replicas" || key === "deprecated.deployment.rollback.to"));
  const annotations = { ...kept, ...Object.fromEntries(Object.entries(revision.owner.metadata.annotations ?? {}).filter(([key]) => !key.startsWith("deployment.kubernetes.io/") && !key.startsWith("kubectl.kubernetes.io/last-applied"))) };
  const body = [{ op: "replace", path: "/spec/template", value: template }, { op: "replace", path: "/metadata/annotations", value: annotations }];
  return patch(p, info, { body, contentType: "application/json-patch+json" }) === undefined ? undefined : "rolled back";
}

function undoOther(p: Process, info: Info, revision: Revision): string | undefined {
  const past = at(info.object, revision);
  if (same(templateOf(past), templateOf(info.object))) return `skipped rollback (current template already matches revision ${revision.number})`;
  return patch(p, info, { body: revision.owner.data }) === undefined ? undefined : "rolled back";
}

/** kubectl rollout undo */
export function undo(p: Process): void {
  for (const info of infosOf(p, { args: p.options.args.slice(1), nothing: "error: required resource not specified" })) {
    const { object, api, name } = info;
    const wanted = Number(p.flag("to-revision", "0"));
    if (wanted < 0) return p.fail(`error: revision must be >= 0`);
    if (!isKnown(object.kind)) return p.fail(`error: no rollbacker has been implemented for ${JSON.stringify(object.kind)}`);
    const revisions = revisionsOf(p, info);
    const revision = wanted > 0 ? revisions.find(({ number }) => number === wanted) : revisions.at(-2);
    if (revision === undefined) return p.fail(object.kind === "Deployment" ? (wanted > 0 ? `error: unable to find specified revision ${wanted} in history` : `error: no rollout history found for deployment ${JSON.stringify(name)}`) : wanted > 0 ? "error: unable to find specified revision" : "error: no last revision to roll back to");
    if (p.options.dryRun === "client") {
      const template = templateOf(at(object, revision));
      p.print(`${typeName(api)}/${name} ${template === undefined ? "" : templateText(template)}${dryRunSuffix(p)}`);
      continue;
    }
    const done = object.kind === "Deployment" ? undoDeployment(p, info, revision) : undoOther(p, info, revision);
    if (done !== undefined) p.print(`${typeName(api)}/${name} ${done}${dryRunSuffix(p)}`);
  }
}
