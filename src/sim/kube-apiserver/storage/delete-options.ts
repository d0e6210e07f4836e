// Models ValidateDeleteOptions of kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation and the preconditions of apiserver/pkg/registry/rest/delete.go
import { decodeObject, decodeRequest } from "../../api/decode.ts";
import { type FieldError, invalid, notSupported } from "../../api/field-error.ts";
import { groupOf } from "../../api/schema/resources.ts";
import { isFailure, newBadRequest, newConflict, newInvalid } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { Run } from "../state.ts";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

const POLICIES = ["Foreground", "Background", "Orphan", "nil"];
const ALL = "All";

/** The options as query parameters, for a request without a body. */
function fromQuery(query: Readonly<Record<string, string>> | undefined): DeleteOptions {
  if (query === undefined) return {};
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun } = query;
  return {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) }), ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents: orphanDependents !== "false" && orphanDependents !== "0" }), ...(dryRun === undefined ? {} : { dryRun: [dryRun] }),
  };
}

/** What the client asks of the deletion: the body, and without one the query. An eviction has its options inside. */
export function optionsOf(run: Run): DeleteOptions {
  const { body, query } = run.request.request;
  if (run.request.info.subresource === "eviction") return (body as { readonly deleteOptions?: DeleteOptions } | undefined)?.deleteOptions ?? {};
  return body === undefined ? fromQuery(query) : (body as DeleteOptions);
}

/** dryRun=All, wherever it is said. */
export const isDryRunDelete = (run: Run): boolean => run.request.request.query?.["dryRun"] === ALL || optionsOf(run).dryRun?.includes(ALL) === true;

const EVICTION = { apiVersion: "policy/v1", kind: "Eviction" };
const DELETE_OPTIONS = { apiVersion: "v1", kind: "DeleteOptions" };

/** A body that is none of what it should be. */
function unreadable(run: Run): Status | undefined {
  const { body } = run.request.request;
  if (run.request.info.subresource === "eviction") {
    const decoded = decodeRequest(body ?? {}, { expected: EVICTION, fieldValidation: "Warn" });
    return isFailure(decoded) ? decoded : undefined;
  }
  const { error } = body === undefined ? { error: undefined } : decodeObject(body, { expected: DELETE_OPTIONS, fieldValidation: "Ignore" });
  return error === undefined ? undefined : newBadRequest(error);
}

/** The refusal of options that make no sense, or of an eviction of something else than its path says. */
export function deleteOptionsStatus(run: Run): Status | undefined {
  const options = optionsOf(run);
  const { info, request } = run.request;
  const unread = unreadable(run);
  if (unread !== undefined) return unread;
  if (info.subresource === "eviction") {
    const { name = "" } = (request.body as KubeObject | undefined)?.metadata ?? {};
    if (name !== info.name) return newBadRequest("name in URL does not match name in Eviction object");
    if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) return newInvalid({ group: "policy", kind: "Eviction" }, name, [invalid("deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential", true, "can not be set for pod eviction, try after removing the option")]);
  }
  const { propagationPolicy: policy, orphanDependents, dryRun = [] } = options;
  if (policy === undefined && orphanDependents === undefined && dryRun.length === 0) return undefined;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && policy !== undefined) errors.push(invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
  if (policy !== undefined && (policy === "nil" || !POLICIES.includes(policy))) errors.push(notSupported("propagationPolicy", policy, POLICIES));
  if (dryRun.some((value) => value !== ALL)) errors.push(notSupported("dryRun", dryRun, [ALL]));
  return errors.length === 0 ? undefined : newInvalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
}

/** The 409 when the stored object is not the one that the client means. */
export function preconditionFailure(object: KubeObject, { preconditions }: DeleteOptions): Status | undefined {
  const { uid, resourceVersion, name = "" } = object.metadata;
  const conflict = (what: string, asked: string, found: string | undefined, end: string): Status =>
    object.kind === "Namespace" && object.apiVersion === "v1"
      ? newConflict({ resource: "namespaces" }, name, `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${found ?? ""}`)
      : newConflict({ group: groupOf(object.apiVersion), resource: object.kind }, name, `the ${what} in the precondition (${asked}) does not match the ${what} in record (${found ?? ""}). The object might have been ${end}`);
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) return conflict("UID", preconditions.uid, uid, "deleted and then recreated");
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) return conflict("ResourceVersion", preconditions.resourceVersion, resourceVersion, "modified");
  return undefined;
}
