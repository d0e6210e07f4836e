// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go (Delete) and pkg/registry/core/{pod,namespace}
import { isCrd } from "../../api/apiextensions/types.ts";
import { etcdKey } from "../../api/schema/resources.ts";
import { newNotFound, newUnknownServerError, success } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject, Pod, Status } from "../../api/types.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { answer, askEtcd, objectSubject, refuse, type Run, subjectOf } from "../state.ts";
import { beforeDelete } from "../registry/graceful-delete.ts";
import { runAdmission } from "./admission.ts";
import { evict, overtaken } from "./eviction.ts";
import { markForDeletion } from "../apiextensions/definition-strategy.ts";
import { decodeValue } from "./metadata.ts";
import { servedBy, storedBy } from "./convert.ts";
import { type DeleteOptions, deleteOptionsStatus, isDryRunDelete, optionsOf, preconditionFailure } from "./delete-options.ts";
import { retryFrom } from "./write.ts";

/** Kinds whose DELETE answers the object; the others answer a Status. */
const RETURNS_OBJECT = new Set(["pods", "services", "serviceaccounts", "persistentvolumeclaims", "persistentvolumes", "resourcequotas", "podtemplates"]);

/** Plugins, policies and webhooks have a say in deletions too. PodDisruptionBudgets guard evictions. */
export const deleteAdmissionGate: Gate = {
  name: "ValidatingAdmission",
  share: 56,
  run(run) {
    const { info, existing } = run.request;
    if (existing === undefined) return;
    const wrong = deleteOptionsStatus(run);
    if (wrong !== undefined) return refused(run, wrong);
    const evicting = info.subresource === "eviction";
    if (run.request.admission?.phase !== "quota") {
      if (evicting) run.request.object ??= run.request.request.body as KubeObject;
      const status = runAdmission(run, evicting ? "CREATE" : "DELETE");
      if (status === "wait") return;
      if (status !== undefined) return refused(run, status);
    }
    if (evicting) run.request.object = undefined;
  },
};

function refused(run: Run, status: Status): void {
  tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** What a deletion does now: mark the object, or remove its key. Undefined when nothing changes. */
export function computeDeletion(object: KubeObject, options: DeleteOptions, now: number): { readonly put?: KubeObject; readonly why: string } | undefined {
  if (object.kind === "Namespace") return deleteNamespace(object, now);
  if (isCrd(object)) {
    const put = markForDeletion(object, now);
    if (put !== undefined) return { put, why: "the objects of the definition must go first" };
  }
  const outcome = beforeDelete(object, options, now);
  switch (outcome.type) {
    case "unchanged":
      return undefined;
    case "remove":
      return { why: object.kind === "Pod" ? "the Pod is on no node, has ended, or its kubelet says that it is gone" : "nothing holds it back" };
    case "mark":
      return { put: outcome.object, why: (outcome.object.metadata.deletionGracePeriodSeconds ?? 0) > 0 ? "DELETE only sets a time: the kubelet must stop the containers first" : "a finalizer holds it until its owner has cleaned up" };
  }
}

/** A namespace is Terminating until its controller has emptied it and taken the finalizer away. */
function deleteNamespace(object: KubeObject, now: number): { readonly put?: KubeObject; readonly why: string } | undefined {
  const finalizers = (object.spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? [];
  if (finalizers.length === 0 && (object.metadata.finalizers ?? []).length === 0) return { why: "the namespace is empty" };
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  return { put: { ...object, metadata: { ...object.metadata, deletionTimestamp: rfc3339(now) }, status: { ...(object.status as object), phase: "Terminating" } }, why: "its content must go first" };
}

export const deleteGate: Gate = {
  name: "Storage",
  share: 0,
  run(run) {
    const { info } = run.request;
    const evicting = info.subresource === "eviction";
    if (run.request.existing === undefined || info.api === undefined) return;
    const verdict = evicting ? evict(run) : undefined;
    if (verdict === "wait") return;
    if (verdict !== undefined) return refused(run, verdict);
    const { existing, answer: got } = run.request;
    if (got !== undefined) return deleted(run);
    const options = optionsOf(run);
    // An eviction has looked at them before it wrote to the Pod.
    const conflict = evicting ? undefined : preconditionFailure(existing, options);
    if (conflict !== undefined) return refused(run, conflict);
    const step = computeDeletion(existing, options, run.ctx.now);
    if (step === undefined) return answerDeleted(run, existing);
    if (isDryRunDelete(run)) return answerDeleted(run, step.put ?? existing, step.put === undefined);
    const { put } = step;
    run.request.object = put ?? existing;
    tell(run, "Storage", put === undefined ? `removes ${subjectOf(info)} from etcd` : `marks ${subjectOf(info)} for deletion`, step.why, "basic", { outcome: put === undefined ? "deleted" : "marked", before: existing, after: put });
    askEtcd(run, { type: "etcd.txn.request", key: etcdKey(info.api, info.namespace, info.name), modRevision: Number(existing.metadata.resourceVersion), ...(put === undefined ? {} : { value: storedBy(info.api, put) }), subject: objectSubject(info.api, existing), level: run.request.level });
  },
};

function deleted(run: Run): void {
  const { info, answer: got, object, existing } = run.request;
  if (info.api === undefined) return;
  if (got?.type !== "etcd.txn.response") return refuse(run, newUnknownServerError(got !== undefined && "message" in got ? got.message : "unexpected answer"));
  if (got.succeeded) return answerDeleted(run, got.kv === undefined ? (object as KubeObject) : servedBy(info.api, decodeValue(got.kv)), got.kv === undefined);
  if (got.kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
  // Back to the same gate with the object as it is now.
  retryFrom(run, servedBy(info.api, decodeValue(got.kv)));
  run.request.gate += 4;
  const late = overtaken(run, existing as Pod);
  if (late !== undefined) refused(run, late);
}

function answerDeleted(run: Run, object: KubeObject, gone = false): void {
  const { info } = run.request;
  if (info.subresource === "eviction") return answer(run, 201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
  const status = !gone && optionsOf(run).orphanDependents === false ? 202 : 200;
  const held = object.metadata.deletionTimestamp !== undefined && object.kind !== "Pod";
  if (RETURNS_OBJECT.has(info.resource) || held) return answer(run, status, object);
  return answer(run, status, success({ name: info.name, ...(info.group === "" ? {} : { group: info.group }), kind: info.resource, ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }) }));
}
