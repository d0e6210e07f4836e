// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go and endpoints/handlers/create.go
import { decodeRequest } from "../../api/decode.ts";
import { applyDefaults } from "../../api/defaulting/apply-defaults.ts";
import { etcdKey } from "../../api/schema/resources.ts";
import { isFailure, newAlreadyExists, newBadRequest, newBeingDeleted, newMethodNotSupported, newNotFound, newUnknownServerError } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { invalidStatus, validateCreate, validateSubresourceUpdate, validateUpdate } from "../../api/validation/validate.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { prepareForCreate, prepareForStatusUpdate, prepareForUpdate } from "../registry/registry.ts";
import { answer, askEtcd, objectSubject, refuse, type Run, subjectOf } from "../state.ts";
import { runMutatingAdmission } from "./admission.ts";
import { asServed, asStored } from "./convert.ts";
import { warningsFor } from "../registry/warnings.ts";
import { addWarnings, computeUpdate, fieldValidation } from "./compute-update.ts";
import { decodeValue, fillSystemFields, manage, wipeSystemFields } from "./metadata.ts";
import { cacheOf, pageNotFound } from "./read.ts";
import { scaleOf } from "./scale.ts";
import { allocateService } from "./service-allocation.ts";


export const isDryRun = (run: Run): boolean => run.request.request.query?.["dryRun"] === "All";

function stop(run: Run, gate: string, status: Status): void {
  tellRefusal(run, gate, `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** Create, first half: a typed object out of the body. */
export const decodeGate: Gate = {
  name: "Decoding",
  share: 36,
  run(run) {
    const { info, request } = run.request;
    const { api } = info;
    if (api === undefined) return refuse(run, pageNotFound());
    if (info.name !== "") return refuse(run, newMethodNotSupported({ group: info.group, resource: info.resource }, "create"));
    const decoded = decodeRequest(request.body, { fieldValidation: fieldValidation(run) });
    if (isFailure(decoded)) return stop(run, "Decoding", decoded);
    const { object } = decoded;
    if (object.apiVersion !== api.apiVersion || object.kind !== api.kind) {
      return stop(run, "Decoding", newBadRequest(object.kind === api.kind ? `the API version in the data (${object.apiVersion}) does not match the expected API version (${api.apiVersion})` : `${object.kind} in version ${JSON.stringify(object.apiVersion)} cannot be handled as a ${api.kind}`));
    }
    const namespace = object.metadata.namespace ?? "";
    if (api.namespaced && namespace !== "" && namespace !== info.namespace) return stop(run, "Decoding", newBadRequest("the namespace of the provided object does not match the namespace sent on the request"));
    const placed = api.namespaced ? { ...object, metadata: { ...object.metadata, namespace: info.namespace } } : object;
    run.request.object = wipeSystemFields(placed);
    addWarnings(run, decoded.warnings);
    tell(run, "Decoding", `decodes the ${api.kind} and finds no unknown fields`, `fieldValidation=${fieldValidation(run)}: unknown and duplicate fields would be a 400`, "operator");
  },
};

export const defaultingGate: Gate = {
  name: "Defaulting",
  share: 0,
  run(run) {
    const before = run.request.object;
    if (before === undefined) return;
    const after = applyDefaults(before);
    run.request.object = after;
    if (after !== before) tell(run, "Defaulting", `fills in what the manifest left out`, "API defaulting comes before admission: webhooks see complete objects", "basic", { outcome: "changed", before, after });
  },
};

/** What etcd says is stored now. */
function takeFresh(run: Run, existing: KubeObject): void {
  run.request.existing = existing;
  run.request.fresh = true;
  run.request.answer = undefined;
}

/** Update, first half: what is stored now, from the watch cache, or from etcd when the cache may be behind. */
export const currentGate: Gate = {
  name: "Current",
  share: 36,
  run(run) {
    const { info, answer: got, existing } = run.request;
    if (info.api === undefined || (info.subresource !== "" && !info.api.subresources.includes(info.subresource))) return refuse(run, pageNotFound());
    if (existing !== undefined && got === undefined) return;
    const key = etcdKey(info.api, info.namespace, info.name);
    if (got === undefined) {
      const cached = cacheOf(run)?.objects.get(info.api.namespaced ? `${info.namespace}/${info.name}` : info.name);
      if (cached === undefined) return askEtcd(run, { type: "etcd.range.request", key });
      run.request.existing = asServed(cached, info.api.apiVersion);
      run.request.fresh = false;
      return;
    }
    if (got.type !== "etcd.range.response") return refuse(run, newUnknownServerError(got.type === "etcd.error" || got.type === "unreachable" ? got.message : "unexpected answer"));
    const [kv] = got.kvs;
    if (kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
    takeFresh(run, asServed(decodeValue(kv), info.api.apiVersion));
  },
};

/** Applies the client's change to the current object. A conflict that the cache reports is checked against etcd first. */
export const changeGate: Gate = {
  name: "Change",
  share: 0,
  run(run) {
    const { info, existing, answer: got, fresh } = run.request;
    if (existing === undefined || info.api === undefined) return;
    if (got?.type === "etcd.range.response") {
      const [kv] = got.kvs;
      if (kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
      takeFresh(run, asServed(decodeValue(kv), info.api.apiVersion));
    } else if (got !== undefined) return refuse(run, newUnknownServerError("message" in got ? got.message : "unexpected answer"));
    const current = run.request.existing ?? existing;
    const wanted = computeUpdate(run, current);
    if (wanted.object !== undefined) {
      run.request.object = wanted.object;
      tell(run, "Change", `computes the new ${info.api.kind} from the stored one`, run.request.request.method === "PATCH" ? "a PATCH carries only the difference" : "a PUT replaces the object", "operator", { outcome: "changed", before: current, after: wanted.object });
      return;
    }
    if (wanted.stale === true && fresh !== true && got === undefined) return askEtcd(run, { type: "etcd.range.request", key: etcdKey(info.api, info.namespace, info.name) });
    if (wanted.refusal !== undefined) stop(run, "Change", wanted.refusal);
  },
};

export const mutatingGate: Gate = {
  name: "MutatingAdmission",
  share: 28,
  run(run) {
    const status = runMutatingAdmission(run);
    if (status !== undefined) stop(run, "MutatingAdmission", status);
  },
};

/** BeforeCreate or BeforeUpdate, then the object's own rules: all errors at once. */
export const validationGate: Gate = {
  name: "Validation",
  share: 28,
  run(run) {
    const { info, object, existing } = run.request;
    if (object === undefined || info.api === undefined) return;
    let next: KubeObject;
    if (existing === undefined) {
      next = prepareForCreate(fillSystemFields(run, object));
    } else next = prepared(run, object, existing);
    const errors = existing === undefined ? validateCreate(next) : info.subresource === "" ? validateUpdate(next, existing) : validateSubresourceUpdate(next, existing, info.subresource);
    const status = invalidStatus(next, errors);
    if (status !== undefined) return stop(run, "Validation", status);
    if (info.subresource === "") addWarnings(run, warningsFor(next, existing));
    if (next.kind === "Service" && info.subresource === "" && next.apiVersion === "v1") {
      const allocated = allocateService(run, next, existing);
      if (isFailure(allocated)) return stop(run, "Validation", allocated);
      next = allocated;
    }
    tell(run, "Validation", `finds the ${info.api.kind} valid`, "object validation runs between mutating and validating admission", "basic", { outcome: "passed" });
    run.request.object = next;
  },
};

function prepared(run: Run, object: KubeObject, existing: KubeObject): KubeObject {
  switch (run.request.info.subresource) {
    case "":
    case "scale":
    case "resize":
      return prepareForUpdate(object, existing);
    case "status":
      return prepareForStatusUpdate(object, existing);
    default:
      return object;
  }
}

/** The compare-and-swap in etcd, and the answer after its commit. */
export const storeGate: Gate = {
  name: "Storage",
  share: 0,
  run(run) {
    if (run.request.answer !== undefined) return stored(run);
    const { info, existing, object } = run.request;
    if (object === undefined || info.api === undefined) return;
    if (existing !== undefined && unchanged(object, existing)) return answerWritten(run, existing);
    const managed = info.subresource === "binding" ? object : manage(run, object);
    run.request.object = managed;
    if (isDryRun(run)) return answerWritten(run, managed);
    const gone = existing !== undefined && mayGo(managed, existing);
    tell(run, "Storage", existing === undefined ? "asks etcd to create the key, if it does not exist" : "asks etcd to replace the key, if nobody else has changed it", "a transaction compares mod_revision: that is the optimistic lock", "operator");
    askEtcd(run, { type: "etcd.txn.request", key: etcdKey(info.api, info.namespace, managed.metadata.name ?? ""), modRevision: existing === undefined ? 0 : Number(existing.metadata.resourceVersion), ...(gone ? {} : { value: asStored(managed) }), subject: objectSubject(info.api, managed), level: run.request.level });
  },
};

/** Whether the update writes anything: a write that changes nothing does not reach etcd. */
function unchanged(object: KubeObject, existing: KubeObject): boolean {
  const { metadata, ...rest } = object;
  const { metadata: oldMetadata, ...oldRest } = existing;
  const bare = (meta: KubeObject["metadata"]): object => ({ ...meta, resourceVersion: "", managedFields: [] });
  return semanticEqual(rest, oldRest) && semanticEqual(bare(metadata), bare(oldMetadata));
}

/** store.go ShouldDeleteDuringUpdate: the last finalizer of an object that is being deleted was taken away. */
function mayGo(object: KubeObject, existing: KubeObject): boolean {
  if (existing.metadata.deletionTimestamp === undefined || (object.metadata.finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace") return ((object.spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length === 0;
  return (existing.metadata.finalizers ?? []).length > 0 && (existing.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

function stored(run: Run): void {
  const { answer: got, info, existing, object } = run.request;
  if (info.api === undefined || object === undefined) return;
  if (got?.type !== "etcd.txn.response") return refuse(run, newUnknownServerError(got !== undefined && "message" in got ? got.message : "unexpected answer"));
  if (got.succeeded) return answerWritten(run, got.kv === undefined ? object : asServed(decodeValue(got.kv), info.api.apiVersion));
  const gr = { group: info.group, resource: info.resource };
  if (existing === undefined) {
    const deleting = got.kv?.value.metadata.deletionTimestamp !== undefined;
    return stop(run, "Storage", (deleting ? newBeingDeleted : newAlreadyExists)(gr, object.metadata.name ?? ""));
  }
  if (got.kv === undefined) return refuse(run, newNotFound(gr, info.name));
  // GuaranteedUpdate: someone else was faster; the change is applied again to what is stored now.
  retryFrom(run, asServed(decodeValue(got.kv), info.api.apiVersion));
}

/** Starts again at the gate that computes the change, with the object as it is now. */
export function retryFrom(run: Run, existing: KubeObject): void {
  run.ctx.explain({ text: `kube-apiserver retries its write of ${subjectOf(run.request.info)}: it was changed meanwhile`, why: "the compare-and-swap failed; the server reads again and applies the change once more", level: "operator", subject: subjectOf(run.request.info) });
  takeFresh(run, existing);
  run.request.attempts++;
  run.request.gate -= RETRY_DISTANCE;
}

/** Gates between `changeGate` and `storeGate` in the update flow, less the step the pipeline takes itself. */
const RETRY_DISTANCE = 5;

function answerWritten(run: Run, object: KubeObject): void {
  const { info, existing } = run.request;
  if (info.subresource === "binding") return answer(run, 201, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 }, `kube-apiserver answers that ${subjectOf(info)} is bound`);
  const body = info.subresource === "scale" ? scaleOf(object) : object;
  if (existing !== undefined) return answer(run, 200, body);
  const { resourceVersion: _, ...metadata } = object.metadata;
  return answer(run, 201, isDryRun(run) ? { ...object, metadata } : body, `kube-apiserver answers 201: ${info.api === undefined ? object.kind : objectSubject(info.api, object)} is ${isDryRun(run) ? "valid, nothing is stored" : "stored"}`);
}
