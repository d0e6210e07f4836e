// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go (Delete) and pkg/registry/core/{pod,namespace}
import { etcdKey } from "../../api/schema/resources.ts";
import { failure, newConflict, newEvictionBlocked, newForbidden, newNotFound, newUnknownServerError, success } from "../../api/status-errors.ts";
import { matchesLabelSelector } from "../../api/labels.ts";
import { rfc3339, SECOND } from "../../api/time.ts";
import type { KubeObject, LabelSelector, Pod, Status } from "../../api/types.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { answer, askEtcd, objectSubject, refuse, type Run, subjectOf, withoutAnswer } from "../state.ts";
import { listObjects } from "../watch-cache/lookup.ts";
import { decodeValue } from "./metadata.ts";
import { cacheOf, pageNotFound } from "./read.ts";
import { isDryRun, retryFrom } from "./write.ts";

interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);
/** Kinds whose DELETE answers the object; the others answer a Status. */
const RETURNS_OBJECT = new Set(["pods", "services", "serviceaccounts", "persistentvolumeclaims", "persistentvolumes", "namespaces", "resourcequotas", "podtemplates", "nodes"].filter((resource) => resource !== "namespaces" && resource !== "nodes"));
const DEFAULT_GRACE = 30;

function optionsOf(run: Run): DeleteOptions {
  const body = (run.request.request.body ?? {}) as DeleteOptions & { readonly deleteOptions?: DeleteOptions };
  if (run.request.info.subresource === "eviction") return body.deleteOptions ?? {};
  const grace = run.request.request.query?.["gracePeriodSeconds"];
  return grace === undefined ? body : { ...body, gracePeriodSeconds: Number(grace) };
}

/** NamespaceLifecycle: three namespaces may not be deleted. PodDisruptionBudgets guard evictions. */
export const deleteAdmissionGate: Gate = {
  name: "ValidatingAdmission",
  share: 56,
  run(run) {
    const { info, existing } = run.request;
    if (info.resource === "namespaces" && IMMORTAL.has(info.name)) return refused(run, newForbidden({ resource: "namespaces" }, info.name, "this namespace may not be deleted"));
    if (info.subresource !== "eviction" || existing === undefined) return;
    for (const pdb of listObjects(run.state, "poddisruptionbudgets", info.namespace)) {
      const spec = pdb.spec as { readonly selector?: LabelSelector } | undefined;
      const status = pdb.status as { readonly disruptionsAllowed?: number; readonly desiredHealthy?: number; readonly currentHealthy?: number } | undefined;
      if (!matchesLabelSelector(spec?.selector, existing.metadata.labels)) continue;
      // Simplified: upstream also lowers disruptionsAllowed in the budget's status before it deletes the Pod.
      if ((status?.disruptionsAllowed ?? 0) <= 0) return refused(run, newEvictionBlocked(pdb.metadata.name ?? "", status?.desiredHealthy ?? 0, status?.currentHealthy ?? 0));
    }
  },
};

function refused(run: Run, status: Status): void {
  tellRefusal(run, "ValidatingAdmission", `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** What a deletion does now: mark the object, or remove its key. Undefined when nothing changes. */
export function computeDeletion(object: KubeObject, options: DeleteOptions, now: number): { readonly put?: KubeObject; readonly why: string } | undefined {
  const grace = graceOf(object, options);
  const { metadata } = object;
  const finalizers = finalizersOf(object, options);
  if (metadata.deletionTimestamp !== undefined) {
    const left = metadata.deletionGracePeriodSeconds ?? 0;
    if (finalizers.length === 0 && grace === 0 && !hasNamespaceFinalizer(object)) return { why: "its time is over and no finalizer holds it" };
    if (grace >= left) return undefined;
    return { put: mark(object, finalizers, grace, now, false), why: "a later DELETE may only shorten the time" };
  }
  if (grace === 0 && finalizers.length === 0 && !hasNamespaceFinalizer(object)) return { why: object.kind === "Pod" ? "the Pod is on no node, has ended, or its kubelet says that it is gone" : "nothing holds it back" };
  return { put: mark(object, finalizers, grace, now, true), why: grace > 0 ? "DELETE only sets a time: the kubelet must stop the containers first" : "a finalizer holds it until its owner has cleaned up" };
}

function graceOf(object: KubeObject, options: DeleteOptions): number {
  if (object.kind !== "Pod") return 0;
  const pod = object as Pod;
  const { phase } = pod.status ?? {};
  if ((pod.spec.nodeName ?? "") === "" || phase === "Succeeded" || phase === "Failed") return 0;
  return Math.max(0, options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE);
}

const hasNamespaceFinalizer = (object: KubeObject): boolean => object.kind === "Namespace" && ((object.spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length > 0;

function finalizersOf(object: KubeObject, { propagationPolicy }: DeleteOptions): readonly string[] {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => propagationPolicy === undefined || (name !== "orphan" && name !== "foregroundDeletion"));
  if (propagationPolicy === "Orphan") return [...finalizers, "orphan"];
  return propagationPolicy === "Foreground" ? [...finalizers, "foregroundDeletion"] : finalizers;
}

function mark(object: KubeObject, finalizers: readonly string[], grace: number, now: number, first: boolean): KubeObject {
  const { metadata } = object;
  const generation = first && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {};
  const marked: KubeObject = {
    ...object,
    metadata: { ...metadata, ...generation, deletionTimestamp: rfc3339(now + grace * SECOND), deletionGracePeriodSeconds: grace, ...(finalizers.length > 0 ? { finalizers } : {}) },
  };
  if (object.kind !== "Namespace") return marked;
  const { deletionGracePeriodSeconds: _, ...rest } = marked.metadata;
  return { ...marked, metadata: rest, status: { ...(object.status as object), phase: "Terminating" } };
}

function preconditionFailure(run: Run, object: KubeObject, { preconditions }: DeleteOptions): Status | undefined {
  const { info } = run.request;
  const text = (what: string, asked: string, found: string | undefined): Status =>
    ({ ...newConflict({ resource: object.kind }, info.name, `the ${what} in the precondition (${asked}) does not match the ${what} in record (${found ?? ""}). The object might have been deleted and then recreated`) });
  if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid) return text("UID", preconditions.uid, object.metadata.uid);
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== object.metadata.resourceVersion) return text("ResourceVersion", preconditions.resourceVersion, object.metadata.resourceVersion);
  return undefined;
}

export const deleteGate: Gate = {
  name: "Storage",
  share: 0,
  run(run) {
    const { info, existing, answer: got } = run.request;
    if (existing === undefined || info.api === undefined) return;
    if (got !== undefined) return deleted(run);
    const options = optionsOf(run);
    const conflict = preconditionFailure(run, existing, options);
    if (conflict !== undefined) return refused(run, conflict);
    const step = computeDeletion(existing, options, run.ctx.now);
    if (step === undefined || isDryRun(run) || options.dryRun?.includes("All") === true) return answerDeleted(run, existing);
    run.request = { ...run.request, object: step.put ?? existing };
    tell(run, "Storage", step.put === undefined ? `removes ${subjectOf(info)} from etcd` : `marks ${subjectOf(info)} for deletion`, step.why, "basic", { outcome: step.put === undefined ? "deleted" : "marked", before: existing, after: step.put });
    askEtcd(run, { type: "etcd.txn.request", key: etcdKey(info.api, info.namespace, info.name), modRevision: Number(existing.metadata.resourceVersion), ...(step.put === undefined ? {} : { value: step.put }), subject: objectSubject(info.api, existing), level: run.request.level });
  },
};

function deleted(run: Run): void {
  const { info, answer: got, object } = run.request;
  if (got?.type !== "etcd.txn.response") return refuse(run, newUnknownServerError(got !== undefined && "message" in got ? got.message : "unexpected answer"));
  if (got.succeeded) return answerDeleted(run, got.kv === undefined ? (object as KubeObject) : decodeValue(got.kv));
  if (got.kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
  // Back to the same gate with the object as it is now.
  retryFrom(run, decodeValue(got.kv));
  run.request = { ...run.request, gate: run.request.gate + 4 };
}

function answerDeleted(run: Run, object: KubeObject): void {
  const { info } = run.request;
  if (info.subresource === "eviction") return answer(run, 201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
  const held = object.metadata.deletionTimestamp !== undefined && object.kind !== "Pod";
  if (RETURNS_OBJECT.has(info.resource) || held) return answer(run, 200, object);
  return answer(run, 200, success({ name: info.name, ...(info.group === "" ? {} : { group: info.group }), kind: info.resource, ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }) }));
}

/** DELETE of a collection: one transaction an object, one after another. */
export const deleteCollectionGate: Gate = {
  name: "Storage",
  share: 92,
  run(run) {
    const { info, answer: got, passed } = run.request;
    const { api } = info;
    if (api === undefined) return refuse(run, pageNotFound());
    if (got?.type === "etcd.error") return refuse(run, failure(500, "", got.message));
    run.request = withoutAnswer(run.request);
    const items = (cacheOf(run)?.objects.sorted() ?? []).map((entry) => entry[1]).filter((object) => info.namespace === "" || object.metadata.namespace === info.namespace);
    for (const object of items) {
      const name = `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`;
      if (passed.includes(name)) continue;
      run.request = { ...run.request, passed: [...run.request.passed, name] };
      const step = computeDeletion(object, optionsOf(run), run.ctx.now);
      if (step === undefined) continue;
      return askEtcd(run, { type: "etcd.txn.request", key: etcdKey(api, object.metadata.namespace, object.metadata.name ?? ""), modRevision: Number(object.metadata.resourceVersion), ...(step.put === undefined ? {} : { value: step.put }), subject: objectSubject(api, object), level: run.request.level });
    }
    return answer(run, 200, { apiVersion: api.apiVersion, kind: `${api.kind}List`, metadata: { resourceVersion: String(run.state.revision) }, items: [] });
  },
};
