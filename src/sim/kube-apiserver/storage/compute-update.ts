// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/{update,patch}.go and pkg/registry/core/pod/storage/storage.go
import { isCrd } from "../../api/apiextensions/types.ts";
import { decodeObject, type DecodeOptions, decodeRequest, type FieldValidation } from "../../api/decode.ts";
import { invalid } from "../../api/field-error.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import { isFailure, newBadRequest, newConflict, newInvalid, newInvalidPatch } from "../../api/status-errors.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, KubeObject, ManagedFieldsEntry, Pod, Status } from "../../api/types.ts";
import { withCustomScale } from "../apiextensions/scale.ts";
import { decodeAs, decodeRequestAs, unconditionalUpdate, withDefaults } from "../apiextensions/serve.ts";
import type { Run } from "../state.ts";
import { isPatchRefusal, patchObject } from "./patch-object.ts";
import { applyPatch } from "./apply-patch.ts";
import { isApplyPatch } from "./write-options.ts";
import { askedEntries, trackScale, trackUpdate, withManagedFields, withOwnersOfScale, withScaleOwners } from "./field-manager.ts";
import { pageNotFound } from "./read.ts";
import { SCALE, scaleOf } from "./scale.ts";

/** What the client wants the stored object to become, or the refusal. `stale` means that fresher data might change the answer. */
export interface Wanted {
  readonly object?: KubeObject;
  readonly refusal?: Status;
  readonly stale?: boolean;
  /** managedFields that the client asks for. */
  readonly asked?: readonly ManagedFieldsEntry[] | "reset" | undefined;
}

type Json = Readonly<Record<string, unknown>>;
const asJson = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});

const STRATEGIC = "application/strategic-merge-patch+json";

export const fieldValidation = (run: Run): FieldValidation => (run.request.request.query?.["fieldValidation"] as FieldValidation | undefined) ?? "Warn";

export function addWarnings(run: Run, warnings: readonly string[]): void {
  if (warnings.length > 0) run.request.warnings = [...run.request.warnings, ...warnings];
}

/** The object that a PUT, a PATCH or a subresource makes of `existing`. */
export function computeUpdate(run: Run, existing: KubeObject): Wanted {
  const { info, request } = run.request;
  if (info.subresource === "binding") return bind(run, existing);
  if (info.subresource === "scale") return scale(run, existing);
  const applying = isApplyPatch(run);
  const changed: Wanted = applying ? applyPatch(run, existing) : request.method === "PATCH" ? patched(run, existing) : replaced(run);
  if (changed.object === undefined) return changed;
  const conflict = checkVersion(run, existing, changed.object);
  if (conflict !== undefined) return { refusal: conflict, stale: true };
  const next = keepSystemFields(info.subresource === "" ? changed.object : subresourceOnly(info.subresource, changed.object, existing), existing);
  return { object: applying ? withManagedFields(next, changed.object.metadata.managedFields) : trackUpdate(run, existing, next, changed.asked) };
}

/** The object of a PUT. */
export function replaced(run: Run): Wanted {
  const { info, request } = run.request;
  const decoded = decodeRequestAs(info.api, request.body, { fieldValidation: fieldValidation(run) });
  if (isFailure(decoded)) return { refusal: decoded };
  addWarnings(run, decoded.warnings);
  const { object } = decoded;
  if ((object.metadata.name ?? "") !== info.name) return { refusal: newBadRequest(`the name of the object (${object.metadata.name ?? ""}) does not match the name on the URL (${info.name})`) };
  const { namespace = "" } = object.metadata;
  if (info.api?.namespaced === true && namespace !== "" && namespace !== info.namespace) return { refusal: newBadRequest("the namespace of the provided object does not match the namespace sent on the request") };
  const conditional = info.api !== undefined && (info.api.custom !== undefined || isCrd(object)) ? unconditionalUpdate(info.api, object) : undefined;
  return conditional === undefined ? { object: withDefaults(info.api, object), asked: askedEntries(request.body, object) } : { refusal: conditional };
}

function patched(run: Run, existing: KubeObject): Wanted {
  const { request } = run.request;
  const { api } = run.request.info;
  const contentType = request.headers["Content-Type"] ?? STRATEGIC;
  const result = patchObject(existing, request.body, contentType, existing, api?.custom !== undefined);
  if (isPatchRefusal(result)) return { refusal: result };
  const mode = fieldValidation(run);
  const decoded = decodeAs(api, result.value, { fieldValidation: mode === "Ignore" ? "Ignore" : "Warn", patched: contentType === STRATEGIC });
  if (decoded.object === undefined) return { refusal: newInvalidPatch(decoded.error, result.shown()) };
  const strict = mode === "Ignore" ? [] : [...result.strict, ...decoded.warnings];
  if (mode === "Strict" && strict.length > 0) return { refusal: newInvalidPatch(`strict decoding error: ${strict.join(", ")}`, result.shown()) };
  addWarnings(run, strict);
  const { name = "" } = decoded.object.metadata;
  if (name !== run.request.info.name) return { refusal: newBadRequest(`the name of the object (${name}) does not match the name on the URL (${run.request.info.name})`) };
  return { object: withDefaults(api, decoded.object), asked: askedEntries(result.value, decoded.object) };
}

function checkVersion(run: Run, existing: KubeObject, object: KubeObject): Status | undefined {
  const { info } = run.request;
  const gr = { group: info.group, resource: info.resource };
  const { resourceVersion, uid } = object.metadata;
  if (uid !== undefined && uid !== "" && existing.metadata.uid !== undefined && uid !== existing.metadata.uid) {
    return newConflict(gr, info.name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.metadata.uid}`);
  }
  if (resourceVersion === undefined || resourceVersion === "" || resourceVersion === existing.metadata.resourceVersion) return undefined;
  return newConflict(gr, info.name);
}

/** rest.BeforeUpdate: what an update may not change is put back silently. */
function keepSystemFields(object: KubeObject, existing: KubeObject): KubeObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, namespace, managedFields, resourceVersion } = existing.metadata;
  const { deletionTimestamp: _d, deletionGracePeriodSeconds: _g, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }), ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }), ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
      // Without one the update is unconditional (AllowUnconditionalUpdate).
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(generation === undefined ? {} : { generation }), ...(managedFields === undefined ? {} : { managedFields }),
    },
  };
}

/** A write to a subresource changes only its own part. */
function subresourceOnly(subresource: string, object: KubeObject, existing: KubeObject): KubeObject {
  if (subresource === "finalize") return { ...existing, spec: { ...asJson(existing.spec), finalizers: asJson(object.spec)["finalizers"] } };
  if (subresource === "resize" || subresource === "ephemeralcontainers") return { ...existing, spec: object.spec };
  // The status strategies of definitions and Services reset nothing of metadata: their finalizers come and go so.
  if (isCrd(existing) || (existing.kind === "Service" && existing.apiVersion === "v1")) {
    const { finalizers: _f, ...metadata } = existing.metadata;
    return { ...existing, metadata: { ...metadata, ...object.metadata }, status: object.status };
  }
  const { labels: _l, annotations: _a, ...kept } = existing.metadata;
  const { labels, annotations } = object.metadata;
  // Upstream's status strategies take labels and annotations too (metadata.ownerReferences and finalizers not).
  return { ...existing, metadata: { ...kept, ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) }, status: object.status };
}

/** Binding: sets the node once and marks the Pod as scheduled. */
function bind(run: Run, existing: KubeObject): Wanted {
  const pod = existing as Pod;
  const { info, binding: admitted } = run.request;
  const binding = asJson(admitted);
  const target = asJson(binding["target"]);
  const node = typeof target["name"] === "string" ? target["name"] : "";
  const refuse = (text: string, stale: boolean): Wanted => ({ refusal: newConflict({ resource: "pods/binding" }, info.name, text), stale });
  const uid = asJson(binding["metadata"])["uid"];
  if (typeof uid === "string" && uid !== "" && uid !== pod.metadata.uid) return refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ""}`, true);
  if (pod.metadata.deletionTimestamp !== undefined) return refuse(`pod ${info.name} is being deleted, cannot be assigned to a host`, true);
  if ((pod.spec.nodeName ?? "") !== "") return refuse(`pod ${info.name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`, true);
  if ((pod.spec.schedulingGates ?? []).length > 0) return refuse(`pod ${info.name} has non-empty .spec.schedulingGates`, true);
  const conditions = (pod.status?.conditions ?? []).filter((condition) => condition.type !== "PodScheduled");
  const observed = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
  const scheduled: Condition = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: rfc3339(run.ctx.now), ...observed };
  // PodTopologyLabels put the node's zone and region on the Binding.
  const labels = admitted?.metadata?.labels;
  const metadata = labels === undefined ? pod.metadata : { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } };
  // A nomination has served its end (ClearingNominatedNodeNameAfterBinding).
  const { nominatedNodeName: _served, ...status } = pod.status ?? {};
  return { object: { ...pod, metadata, spec: { ...pod.spec, nodeName: node }, status: { ...status, conditions: [...conditions, scheduled] } } as KubeObject };
}

/** The Scale that a PUT or PATCH asks for, in its own kind; or why it cannot be read. */
function wantedScale(run: Run, before: KubeObject): KubeObject | Status {
  const { request } = run.request;
  const options: DecodeOptions = { fieldValidation: fieldValidation(run), expected: SCALE };
  if (request.method !== "PATCH") {
    const decoded = decodeRequest(request.body, options);
    return isFailure(decoded) ? decoded : decoded.object;
  }
  const contentType = request.headers["Content-Type"] ?? STRATEGIC;
  const result = patchObject(before, request.body, contentType, SCALE);
  if (isPatchRefusal(result)) return result;
  const decoded = decodeObject(result.value, { ...options, patched: contentType === STRATEGIC });
  return decoded.object ?? newInvalidPatch(decoded.error, result.shown());
}

function scale(run: Run, existing: KubeObject): Wanted {
  const { api } = run.request.info;
  if (api === undefined || (api.custom === undefined && existing.spec === undefined)) return { refusal: pageNotFound() };
  const view = scaleOf(existing, api);
  const before = withScaleOwners(api, existing, view);
  if (isApplyPatch(run)) {
    // Server-side apply: ownership is settled in the view and carried over to the object itself.
    const applied = applyPatch(run, before);
    return applied.object === undefined ? applied : scaled(api, existing, applied.object, applied.object.metadata.managedFields);
  }
  const wanted = wantedScale(run, before);
  if (isFailure(wanted)) return { refusal: wanted };
  const { metadata: { resourceVersion = "", uid = "" }, spec } = wanted as KubeObject & { readonly spec?: { readonly replicas?: number } };
  const replicas = spec?.replicas ?? 0;
  const name = existing.metadata.name ?? "";
  if (replicas < 0) return { refusal: newInvalid({ group: "autoscaling", kind: "Scale" }, name, [invalid("spec.replicas", replicas, "must be greater than or equal to 0")]) };
  if (uid !== "" && uid !== existing.metadata.uid) return { refusal: newConflict({ group: api.group, resource: `${api.resource}/scale` }, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.metadata.uid ?? ""}`) };
  if (resourceVersion !== "" && resourceVersion !== existing.metadata.resourceVersion) return { refusal: newConflict({ group: api.group, resource: api.resource }, name), stale: true };
  const after = { ...view, spec: { replicas } };
  return scaled(api, existing, after, trackScale(run, before, after));
}

function scaled(api: ApiResource, existing: KubeObject, view: KubeObject, owners: readonly ManagedFieldsEntry[] | undefined): Wanted {
  const replicas = asJson(view.spec)["replicas"];
  const object = api.custom === undefined ? { ...existing, spec: { ...asJson(existing.spec), replicas: replicas ?? 0 } } : withCustomScale(existing, replicas, api.custom);
  return isFailure(object) ? { refusal: object } : { object: withOwnersOfScale(api, existing, object as KubeObject, owners) };
}
