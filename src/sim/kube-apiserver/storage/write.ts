// Models kubernetes/staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go and endpoints/handlers/create.go
import { formatWarnings } from "../../api/apiextensions/format-warnings.ts";
import { type CustomVersion, isCrd } from "../../api/apiextensions/types.ts";
import { etcdKey } from "../../api/schema/resources.ts";
import { isFailure, newAlreadyExists, newBadRequest, newBeingDeleted, newMethodNotSupported, newNotFound, newUnknownServerError } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";
import { invalidStatus, validateCreate } from "../../api/validation/validate.ts";
import { type Gate, tell, tellRefusal } from "../filters/gates.ts";
import { authorize, forbiddenStatus } from "../filters/authorization.ts";
import { appArmorWarnings } from "../registry/app-armor.ts";
import { withRequester } from "../registry/certificates.ts";
import { prepareForCreate } from "../registry/registry.ts";
import { checkEscalation } from "../rbac/escalation-check.ts";
import { answer, askEtcd, objectSubject, refuse, type Run, subjectOf } from "../state.ts";
import { runMutatingAdmission } from "./admission.ts";
import { decodeRequestAs, judgeCustom, OTHERS_KNOW, refusesCreation, waitsForOthers, withDefaults } from "../apiextensions/serve.ts";
import { servedBy, storedBy } from "./convert.ts";
import { warningsFor } from "../registry/warnings.ts";
import { addWarnings, computeUpdate, fieldValidation, replaced, type Wanted } from "./compute-update.ts";
import { applyPatch } from "./apply-patch.ts";
import { isApplyPatch, writeOptionsStatus } from "./write-options.ts";
import { sameOwners, trackCreate, withManagedFields } from "./field-manager.ts";
import { leaseFor } from "./leases.ts";
import { decodeValue, fillSystemFields, wipeSystemFields } from "./metadata.ts";
import { cacheOf, pageNotFound, unserved } from "./read.ts";
import { scaleOf } from "./scale.ts";
import { allocateService } from "./service-allocation.ts";
import { prepareUpdate, updateErrors } from "./subresource-update.ts";


export const isDryRun = (run: Run): boolean => run.request.request.query?.["dryRun"] === "All";

function stop(run: Run, gate: string, status: Status): void {
  tellRefusal(run, gate, `refuses: ${status.message ?? ""}`);
  refuse(run, status);
}

/** The first objects of a new definition wait until every API server can know it. */
function waitForOthers(run: Run): void {
  tell(run, "Decoding", "lets the request wait: the definition is younger than 2 s", "another API server might not serve it yet, and answer 404 to what follows", "operator");
  run.request.fresh = true;
  run.ctx.after(OTHERS_KNOW, { type: "apiserver.step", key: run.request.key });
  run.result = "wait";
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
    const options = writeOptionsStatus(run);
    if (options !== undefined) return stop(run, "Decoding", options);
    if (api.custom !== undefined && run.request.fresh === undefined && waitsForOthers(api.custom, run.ctx.now)) return waitForOthers(run);
    const decoded = decodeRequestAs(api, request.body, { fieldValidation: fieldValidation(run) });
    if (isFailure(decoded)) return stop(run, "Decoding", decoded);
    const { object } = decoded;
    const namespace = object.metadata.namespace ?? "";
    if (api.namespaced && namespace !== "" && namespace !== info.namespace) return stop(run, "Decoding", newBadRequest("the namespace of the provided object does not match the namespace sent on the request"));
    const placed = api.namespaced ? { ...object, metadata: { ...object.metadata, namespace: info.namespace } } : object;
    const going = refusesCreation(api, object.metadata.name ?? "");
    if (going !== undefined) return stop(run, "Admission", going);
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
    const after = withDefaults(run.request.info.api, before);
    run.request.object = trackCreate(run, after);
    if (after !== before) tell(run, "Defaulting", `fills in what the manifest left out`, "API defaulting comes before admission: webhooks see complete objects", "basic", { outcome: "changed", before, after });
  },
};

/** What etcd says is stored now. */
function takeFresh(run: Run, existing: KubeObject | undefined): void {
  run.request.existing = existing;
  run.request.fresh = true;
  run.request.answer = undefined;
  run.request.admission = undefined;
}

/** Update, first half: what is stored now, from the watch cache, or from etcd when the cache may be behind. */
export const currentGate: Gate = {
  name: "Current",
  share: 36,
  run(run) {
    const { info, answer: got, existing } = run.request;
    const missing = unserved(run);
    if (missing !== undefined || info.api === undefined) return refuse(run, missing ?? pageNotFound());
    if (existing !== undefined && got === undefined) return;
    const options = writeOptionsStatus(run);
    if (options !== undefined) return stop(run, "Decoding", options);
    const key = etcdKey(info.api, info.namespace, info.name);
    if (got === undefined) {
      const cached = cacheOf(run)?.objects.get(info.api.namespaced ? `${info.namespace}/${info.name}` : info.name);
      if (cached === undefined) return askEtcd(run, { type: "etcd.range.request", key });
      run.request.existing = servedBy(info.api, cached);
      run.request.fresh = false;
      return;
    }
    if (got.type !== "etcd.range.response") return refuse(run, newUnknownServerError(got.type === "etcd.error" || got.type === "unreachable" ? got.message : "unexpected answer"));
    const [kv] = got.kvs;
    if (kv === undefined && mayCreate(run)) return takeFresh(run, undefined);
    if (kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
    takeFresh(run, servedBy(info.api, decodeValue(kv)));
  },
};

/** AllowCreateOnUpdate: kinds whose PUT creates what is not there. */
const CREATED_BY_PUT = new Set(["Lease", "LeaseCandidate", "Endpoints", "Event", "LimitRange", "Service", "RuntimeClass", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"]);

/** Server-side apply creates what is not there; so does the PUT of a few kinds. */
function mayCreate(run: Run): boolean {
  const { info: { subresource, api }, request } = run.request;
  if (subresource !== "" || api === undefined) return false;
  return isApplyPatch(run) || (request.method === "PUT" && api.custom === undefined && CREATED_BY_PUT.has(api.kind));
}

/** Applies the client's change to the current object. A conflict that the cache reports is checked against etcd first. */
export const changeGate: Gate = {
  name: "Change",
  share: 0,
  run(run) {
    const { info, existing, answer: got, fresh } = run.request;
    if (info.api === undefined || (existing === undefined && !mayCreate(run))) return;
    if (got?.type === "etcd.range.response") {
      const [kv] = got.kvs;
      if (kv === undefined && mayCreate(run)) takeFresh(run, undefined);
      else if (kv === undefined) return refuse(run, newNotFound({ group: info.group, resource: info.resource }, info.name));
      else takeFresh(run, servedBy(info.api, decodeValue(kv)));
    } else if (got !== undefined) return refuse(run, newUnknownServerError("message" in got ? got.message : "unexpected answer"));
    const current = run.request.existing;
    const wanted = current === undefined ? created(run) : computeUpdate(run, current);
    if (wanted.object !== undefined) {
      run.request.object = wanted.object;
      tell(run, "Change", `computes the new ${info.api.kind} from the stored one`, isApplyPatch(run) ? "an apply says what its manager wants; the server keeps who owns which field" : run.request.request.method === "PATCH" ? "a PATCH carries only the difference" : "a PUT replaces the object", "operator", { outcome: "changed", before: current, after: wanted.object });
      return;
    }
    if (wanted.stale === true && fresh !== true && got === undefined) return askEtcd(run, { type: "etcd.range.request", key: etcdKey(info.api, info.namespace, info.name) });
    if (wanted.refusal !== undefined) stop(run, "Change", wanted.refusal);
  },
};

/** The first object of an apply or of a PUT. */
function created(run: Run): Wanted {
  if (!isApplyPatch(run)) {
    const wanted = replaced(run);
    if (wanted.object === undefined) return wanted;
    const { api, namespace } = run.request.info;
    const placed = api?.namespaced === true ? { ...wanted.object, metadata: { ...wanted.object.metadata, namespace } } : wanted.object;
    return { object: trackCreate(run, wipeSystemFields(placed)) };
  }
  const applied = applyPatch(run, undefined);
  return applied.object === undefined ? applied : { object: wipeSystemFields(applied.object) };
}

export const mutatingGate: Gate = {
  name: "MutatingAdmission",
  share: 28,
  run(run) {
    if (run.request.binding !== undefined) return;
    const status = runMutatingAdmission(run);
    if (status !== undefined && status !== "wait") stop(run, "MutatingAdmission", status);
  },
};

/** BeforeCreate or BeforeUpdate, then the object's own rules: all errors at once. */
export const validationGate: Gate = {
  name: "Validation",
  share: 28,
  run(run) {
    const { info, object, existing } = run.request;
    if (object === undefined || info.api === undefined) return;
    if (info.api.custom !== undefined) return judge(run, info.api.custom, existing === undefined ? fillSystemFields(run, object) : object);
    const escalation = checkEscalation(run, object, existing);
    if (escalation !== undefined) return stop(run, "EscalationCheck", escalation);
    let next: KubeObject;
    if (existing === undefined) {
      addWarnings(run, appArmorWarnings(object));
      next = prepareForCreate(withRequester(fillSystemFields(run, object), run.request.user));
    } else next = prepareUpdate(info.subresource, object, existing, rfc3339(run.ctx.now));
    const errors = existing === undefined ? validateCreate(next) : updateErrors(info.subresource, next, existing);
    const status = invalidStatus(next, errors);
    if (status !== undefined) return stop(run, "Validation", status);
    if (existing === undefined && mayCreate(run) && !mayAlsoCreate(run)) return;
    if (info.subresource === "") addWarnings(run, isCrd(next) ? formatWarnings(next, existing) : warningsFor(next, existing));
    if (next.kind === "Service" && info.subresource === "" && next.apiVersion === "v1") {
      const allocated = allocateService(run, next, existing);
      if (isFailure(allocated)) return stop(run, "Validation", allocated);
      next = allocated;
    }
    tell(run, "Validation", `finds the ${info.api.kind} valid`, "object validation runs between mutating and validating admission", "basic", { outcome: "passed" });
    run.request.object = next;
  },
};

/** Who updates an object that is not there yet needs the right to create it too. */
function mayAlsoCreate(run: Run): boolean {
  const { user, info: asked } = run.request;
  if (user === undefined || asked.verb === "create") return true;
  const info = { ...asked, verb: "create" } as const;
  const decision = authorize(run.state, user, info);
  if (!decision.allowed) stop(run, "Authorization", forbiddenStatus(user, info, decision.reason));
  return decision.allowed;
}

/** The same for custom objects: their definition says what is valid. */
function judge(run: Run, custom: CustomVersion, object: KubeObject): void {
  const verdict = judgeCustom(object, run.request.existing, custom, run.request.info.subresource);
  const status = invalidStatus(verdict.object, verdict.errors);
  addWarnings(run, verdict.warnings);
  if (status !== undefined) return stop(run, "Validation", status);
  tell(run, "Validation", `finds the ${object.kind} valid`, "the schema of its CustomResourceDefinition says what is valid", "basic", { outcome: "passed" });
  run.request.object = verdict.object;
}

/** The compare-and-swap in etcd, and the answer after its commit. */
export const storeGate: Gate = {
  name: "Storage",
  share: 0,
  run(run) {
    if (run.request.answer !== undefined && run.request.answer.type !== "etcd.lease-grant.response") return stored(run);
    const { info, existing, object } = run.request;
    if (object === undefined || info.api === undefined) return;
    if (existing !== undefined && unchanged(object, existing)) return answerWritten(run, existing);
    const lease = isDryRun(run) ? undefined : leaseFor(run);
    if (lease === "waiting") return;
    if (isDryRun(run)) return answerWritten(run, object);
    const gone = existing !== undefined && mayGo(object, existing);
    tell(run, "Storage", existing === undefined ? "asks etcd to create the key, if it does not exist" : "asks etcd to replace the key, if nobody else has changed it", "a transaction compares mod_revision: that is the optimistic lock", "operator");
    askEtcd(run, { type: "etcd.txn.request", key: etcdKey(info.api, info.namespace, object.metadata.name ?? ""), modRevision: existing === undefined ? 0 : Number(existing.metadata.resourceVersion), ...(gone ? {} : { value: storedBy(info.api, object) }), ...(lease === undefined ? {} : { lease }), subject: objectSubject(info.api, object), level: run.request.level });
  },
};

/** Whether the update writes anything: a write that changes nothing, or only times of managers, does not reach etcd. */
function unchanged(object: KubeObject, existing: KubeObject): boolean {
  const { metadata, ...rest } = object;
  const { metadata: oldMetadata, ...oldRest } = existing;
  const bare = (meta: KubeObject["metadata"]): object => ({ ...meta, resourceVersion: "", managedFields: [] });
  return semanticEqual(rest, oldRest) && semanticEqual(bare(metadata), bare(oldMetadata)) && sameOwners(metadata.managedFields, oldMetadata.managedFields);
}

/** store.go ShouldDeleteDuringUpdate: the last finalizer of an object that is being deleted was taken away. */
function mayGo(object: KubeObject, existing: KubeObject): boolean {
  if (existing.metadata.deletionTimestamp === undefined || (object.metadata.finalizers ?? []).length > 0) return false;
  if (object.kind === "Namespace") return ((object.spec as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? []).length === 0;
  return (existing.metadata.finalizers ?? []).length > 0 && (existing.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** What etcd says of more than 1.5 MiB. */
const TOO_LARGE = "etcdserver: request is too large";

function stored(run: Run): void {
  const { answer: got, info, existing, object } = run.request;
  if (info.api === undefined || object === undefined) return;
  if (got?.type === "etcd.error" && got.message === TOO_LARGE && object.metadata.managedFields !== undefined && !isApplyPatch(run)) {
    // Who owns what is given up before the write is.
    run.request.object = withManagedFields(object, undefined);
    run.request.answer = undefined;
    return storeGate.run(run);
  }
  if (got?.type !== "etcd.txn.response") return refuse(run, newUnknownServerError(got !== undefined && "message" in got ? got.message : "unexpected answer"));
  if (got.succeeded) return answerWritten(run, got.kv === undefined ? object : servedBy(info.api, decodeValue(got.kv)));
  const gr = { group: info.group, resource: info.resource };
  if (existing === undefined && mayCreate(run) && got.kv !== undefined) return retryFrom(run, servedBy(info.api, decodeValue(got.kv)));
  if (existing === undefined) {
    const deleting = got.kv?.value.metadata.deletionTimestamp !== undefined;
    return stop(run, "Storage", (deleting ? newBeingDeleted : newAlreadyExists)(gr, object.metadata.name ?? ""));
  }
  if (got.kv === undefined && mayCreate(run)) return retryFrom(run, undefined);
  if (got.kv === undefined) return refuse(run, newNotFound(gr, info.name));
  // GuaranteedUpdate: someone else was faster; the change is applied again to what is stored now.
  retryFrom(run, servedBy(info.api, decodeValue(got.kv)));
}

/** Starts again at the gate that computes the change, with the object as it is now. */
export function retryFrom(run: Run, existing: KubeObject | undefined): void {
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
  const body = info.subresource === "scale" ? scaleOf(object, info.api ?? {}) : object;
  if (existing !== undefined) return answer(run, 200, body);
  const { resourceVersion: _, ...metadata } = object.metadata;
  return answer(run, 201, isDryRun(run) ? { ...object, metadata } : body, `kube-apiserver answers 201: ${info.api === undefined ? object.kind : objectSubject(info.api, object)} is ${isDryRun(run) ? "valid, nothing is stored" : "stored"}`);
}
