// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/api/errors/errors.go
import { type FieldError, aggregateText } from "./field-error.ts";
import type { Status, StatusCause } from "./types.ts";

export interface GroupResource {
  readonly group?: string;
  readonly resource: string;
}
export type StatusDetails = NonNullable<Status["details"]>;

/** "pods", "deployments.apps" */
export const groupResourceText = ({ group, resource }: GroupResource): string => (group ? `${resource}.${group}` : resource);

/** A refusal. `reason` "" is allowed: kubectl then prints "Error from server: ...". */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message, ...(reason === "" ? {} : { reason }), ...(details === undefined ? {} : { details }), code };
}

const named = ({ group, resource }: GroupResource, name: string): StatusDetails => ({ ...(name === "" ? {} : { name }), ...(group ? { group } : {}), kind: resource });

export const isFailure = (value: object | undefined): value is Status => value !== undefined && "kind" in value && value.kind === "Status" && "status" in value && value.status === "Failure";

/** The answer of a delete. */
export const success = (details?: StatusDetails): Status => ({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", ...(details === undefined ? {} : { details }) });

export const newNotFound = (gr: GroupResource, name: string): Status => failure(404, "NotFound", `${groupResourceText(gr)} ${JSON.stringify(name)} not found`, named(gr, name));
export const newAlreadyExists = (gr: GroupResource, name: string): Status => failure(409, "AlreadyExists", `${groupResourceText(gr)} ${JSON.stringify(name)} already exists`, named(gr, name));
/** Create over an object that is being deleted. */
export const newBeingDeleted = (gr: GroupResource, name: string): Status => failure(409, "AlreadyExists", `object is being deleted: ${groupResourceText(gr)} ${JSON.stringify(name)} already exists`, named(gr, name));
export const OPTIMISTIC_LOCK_TEXT = "the object has been modified; please apply your changes to the latest version and try again";
export const newConflict = (gr: GroupResource, name: string, text: string = OPTIMISTIC_LOCK_TEXT): Status =>
  failure(409, "Conflict", `Operation cannot be fulfilled on ${groupResourceText(gr)} ${JSON.stringify(name)}: ${text}`, named(gr, name));
export const newBadRequest = (message: string): Status => failure(400, "BadRequest", message);
export const newUnauthorized = (message = "Unauthorized"): Status => failure(401, "Unauthorized", message);
export const newMethodNotSupported = (gr: GroupResource, verb: string): Status => failure(405, "MethodNotAllowed", `${verb} is not supported on resources of kind ${JSON.stringify(groupResourceText(gr))}`, named(gr, ""));

/** Admission and authorization refusals; an empty name leaves it out. */
export function newForbidden(gr: GroupResource, name: string, text: string): Status {
  const message = name === "" ? `${groupResourceText(gr)} is forbidden: ${text}` : `${groupResourceText(gr)} ${JSON.stringify(name)} is forbidden: ${text}`;
  return failure(403, "Forbidden", message, named(gr, name));
}

/** 422 with one cause a field error. `kind` with its group prints as "Deployment.apps". */
export function newInvalid(groupKind: { readonly group?: string; readonly kind: string }, name: string, errors: readonly FieldError[]): Status {
  const { group, kind } = groupKind;
  const causes = errors.map((e): StatusCause => ({ reason: e.type, message: e.message, field: e.field }));
  const head = `${group ? `${kind}.${group}` : kind} ${JSON.stringify(name)} is invalid`;
  return failure(422, "Invalid", errors.length === 0 ? head : `${head}: ${aggregateText(errors)}`, { ...(name === "" ? {} : { name }), ...(group ? { group } : {}), kind, ...(causes.length === 0 ? {} : { causes }) });
}

/** A patch whose result cannot be decoded is a 422 without a kind, not a 400. `patchText` is Go's print of the patch. */
export function newInvalidPatch(error: string, patchText: string): Status {
  const message = `Invalid value: ${JSON.stringify(patchText)}: ${error}`;
  return failure(422, "Invalid", ` "" is invalid: patch: ${message}`, { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] });
}

export const newTimeout = (text: string): Status => failure(504, "Timeout", `Timeout: ${text}`);
/** The single-object write deadline of 34 s. */
export const newRequestTimeout = (): Status => newTimeout("request did not complete within requested timeout - context deadline exceeded");
export const newTooLargeResourceVersion = (asked: number, current: number): Status =>
  failure(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }], retryAfterSeconds: 1 });
export const newInternalError = (text: string): Status => failure(500, "InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
/** Errors that reach the client as they are, without a reason (etcd's). */
export const newUnknownServerError = (text: string): Status => failure(500, "", text);
export const newExpired = (text: string): Status => failure(410, "Expired", text);
/** A watch or list that starts before the compacted history. */
export const newTooOldResourceVersion = (asked: number, oldest: number): Status => newExpired(`too old resource version: ${asked} (${oldest})`);

/** RBAC's refusal. `subresource` and `namespace` may be empty. */
export function newRbacForbidden(request: { readonly user: string; readonly verb: string; readonly group: string; readonly resource: string; readonly subresource?: string; readonly namespace?: string; readonly name?: string }): Status {
  const resource = request.subresource ? `${request.resource}/${request.subresource}` : request.resource;
  const where = request.namespace ? `in the namespace ${JSON.stringify(request.namespace)}` : "at the cluster scope";
  const text = `User ${JSON.stringify(request.user)} cannot ${request.verb} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(request.group)} ${where}`;
  return newForbidden({ group: request.group, resource: request.resource }, request.name ?? "", text);
}
