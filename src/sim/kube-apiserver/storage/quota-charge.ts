// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go (checkQuotas): the write of what is charged
import { etcdKey, resourceForKind } from "../../api/schema/resources.ts";
import { isFailure, newConflict, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { AdmissionAttributes } from "../admission/attributes.ts";
import { checkQuotas, resourceQuota } from "../admission/resource-quota.ts";
import { tell } from "../filters/gates.ts";
import { type AdmissionProgress, objectSubject, postEtcd, type Run } from "../state.ts";
import { decodeValue } from "./metadata.ts";

const sameName = (a: KubeObject, b: KubeObject): boolean => a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;

/** Lookups that know a quota as it was read again after a conflict. */
function refreshed(attrs: AdmissionAttributes, quotas: readonly KubeObject[]): AdmissionAttributes {
  if (quotas.length === 0) return attrs;
  return { ...attrs, list: (resource, namespace) => (resource === "resourcequotas" ? attrs.list(resource, namespace).map((quota) => quotas.find((fresh) => sameName(fresh, quota)) ?? quota) : attrs.list(resource, namespace)) };
}

/** Checks the request against all quotas and writes what it uses, before the object itself. "wait" until etcd has answered. */
export function chargeQuotas(run: Run, attrs: AdmissionAttributes): Status | "wait" | undefined {
  const { object, admission, answer } = run.request;
  if (object === undefined || admission === undefined || !resourceQuota.handles(attrs)) return undefined;
  if (admission.charging.length === 0) return charge(run, attrs, object, admission);
  if (answer === undefined || !admission.charging.includes(run.request.answered)) return hold(run, admission);
  run.request.answer = undefined;
  const charging = admission.charging.filter((key) => key !== run.request.answered);
  if (answer.type !== "etcd.txn.response") return newUnknownServerError("message" in answer ? answer.message : "unexpected answer");
  // Someone else charged it meanwhile: what etcd holds counts.
  const fresh = answer.succeeded || answer.kv === undefined ? [] : [decodeValue(answer.kv)];
  const next: AdmissionProgress = { ...admission, charging, quotas: [...admission.quotas, ...fresh] };
  if (charging.length > 0) return hold(run, next);
  if (next.quotas.length === 0) return undefined;
  if (next.retries === 0) return newConflict({ resource: "resourcequotas" }, next.quotas[0]?.metadata.name ?? "");
  tell(run, "ResourceQuota", "reads the quota again: another request was charged first", "two requests cannot both have the last of a quota: its write is a compare-and-swap", "operator");
  return charge(run, attrs, object, { ...next, retries: next.retries - 1 });
}

function charge(run: Run, attrs: AdmissionAttributes, object: KubeObject, progress: AdmissionProgress): Status | "wait" | undefined {
  const charged = checkQuotas(object, refreshed(attrs, progress.quotas));
  const api = resourceForKind("v1", "ResourceQuota");
  if (isFailure(charged as object)) return charged as Status;
  // On a retry only the quotas whose write was lost are written again.
  const quotas = (charged as readonly KubeObject[]).filter((quota) => progress.quotas.length === 0 || progress.quotas.some((fresh) => sameName(fresh, quota)));
  if (api === undefined || quotas.length === 0 || attrs.dryRun) return undefined;
  tell(run, "ResourceQuota", `charges ${quotas.map(({ metadata }) => `resourcequota/${metadata.name ?? ""}`).join(", ")}`.slice(0, 126), "before the object is stored: a quota may be charged for an object that then fails, never the other way round", "operator");
  const charging = quotas.map((quota) => {
    const posted = postEtcd(run.ctx, run.state, run.request.key, { type: "etcd.txn.request", key: etcdKey(api, quota.metadata.namespace, quota.metadata.name ?? ""), modRevision: Number(quota.metadata.resourceVersion), value: quota, subject: objectSubject(api, quota), level: "operator" }, "operator");
    run.state = posted.state;
    return posted.question;
  });
  return hold(run, { ...progress, charging, quotas: [] });
}

function hold(run: Run, progress: AdmissionProgress): "wait" {
  run.request.admission = progress;
  run.result = "wait";
  return "wait";
}
