// Models kubernetes/pkg/controller/deployment/rollback.go
import type { Deployment, ReplicaSet } from "../../api/types.ts";
import type { EventToRecord } from "../../client-go/event-recorder.ts";
import { type Answer, isSuccess, messageOf, type Plan } from "../controller.ts";
import { objectPath, subjectOf } from "../resources.ts";
import { annotationsOf, lastRevision, POD_TEMPLATE_HASH, revisionOf, ROLLBACK_TO, sameTemplate } from "./replica-sets.ts";
import { nameOf, oldOf, rollbackTo, type StepResult, type Work } from "./work.ts";

const warning = (object: Deployment, reason: string, message: string): EventToRecord => ({ object, type: "Warning", reason, message });

/** The Deployment with the template of an earlier ReplicaSet, its own pod-template-hash label left out. */
function withTemplate(d: Deployment, rs: ReplicaSet): Deployment {
  const { template } = rs.spec;
  if (template === undefined) return d;
  const { [POD_TEMPLATE_HASH]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...d, metadata: { ...d.metadata, annotations: annotationsOf(d, rs) }, spec: { ...d.spec, template: { ...template, metadata: { ...template.metadata, labels } } } };
}

/** Goes back to the revision that is asked for, if there is one; the wish is taken off the Deployment in any case. */
export function rollback(work: Work): StepResult {
  const all = [...oldOf(work), ...(work.newRS ? [work.newRS] : [])];
  const wanted = rollbackTo(work.d) || lastRevision(all);
  const rs = wanted === 0 ? undefined : all.find((entry) => revisionOf(entry) === wanted);
  const refused = wanted === 0 ? warning(work.d, "DeploymentRollbackRevisionNotFound", "Unable to find last revision.")
    : rs === undefined ? warning(work.d, "DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.")
    : sameTemplate(work.d, rs) ? warning(work.d, "DeploymentRollbackTemplateUnchanged", `The rollback revision contains the same template as current deployment "${nameOf(work.d)}"`) : undefined;
  const next = refused === undefined && rs !== undefined ? withTemplate(work.d, rs) : work.d;
  const { [ROLLBACK_TO]: _wish, ...annotations } = next.metadata.annotations ?? {};
  const body: Deployment = { ...next, metadata: { ...next.metadata, annotations } };
  return { work: { ...work, made: refused === undefined, scalings: [{ name: "", from: 0, to: wanted }] }, ...(refused ? { events: [refused] } : {}), calls: [{ method: "PUT", path: objectPath(body), body, subject: subjectOf(body) }] };
}

/** The rest is for the next sync, which sees the new template. */
export function rolledBack(work: Work, answer: Answer): Plan<Work> {
  if (!isSuccess(answer)) return { error: messageOf(answer) };
  if (!work.made) return {};
  return { events: [{ object: work.d, type: "Normal", reason: "DeploymentRollback", message: `Rolled back deployment "${nameOf(work.d)}" to revision ${work.scalings[0]?.to ?? 0}` }] };
}
