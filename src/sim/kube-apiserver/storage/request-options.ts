// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go: the options of a request
import { decodeObject, decodeRequest } from "../../api/decode.ts";
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../../api/field-error.ts";
import { isFailure, newBadRequest, newInvalid } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";
import type { Run } from "../state.ts";

/** metav1.DeleteOptions, from the body or the query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const MANAGER_LENGTH = 128;
const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];
const POLICIES = ["Foreground", "Background", "Orphan"];
const DELETE_OPTIONS = { apiVersion: "v1", kind: "DeleteOptions" };

const dryRunErrors = (dryRun: readonly string[]): FieldError[] => (dryRun.every((value) => value === "All") ? [] : [notSupported("dryRun", dryRun, ["All"])]);

/** What an Eviction asks of the deletion that it becomes, and DELETE itself. */
export function deleteOptionsOf(run: Run): DeleteOptions {
  const body = (run.request.request.body ?? {}) as DeleteOptions & { readonly deleteOptions?: DeleteOptions };
  if (run.request.info.subresource === "eviction") return body.deleteOptions ?? {};
  const grace = run.request.request.query?.["gracePeriodSeconds"];
  return grace === undefined ? body : { ...body, gracePeriodSeconds: Number(grace) };
}

function deleteErrors({ orphanDependents, propagationPolicy, dryRun = [] }: DeleteOptions): FieldError[] {
  const both = orphanDependents !== undefined && propagationPolicy !== undefined;
  return [
    ...(both ? [invalid("propagationPolicy", propagationPolicy, "orphanDependents and deletionPropagation cannot be both set")] : []),
    ...(propagationPolicy === undefined || POLICIES.includes(propagationPolicy) ? [] : [notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"])]),
    ...dryRunErrors(dryRun),
  ];
}

/** An Eviction must be one, of the Pod that the URL names. */
function evictionStatus(run: Run): Status | undefined {
  const { info, request } = run.request;
  const decoded = decodeRequest(request.body ?? {}, { expected: { apiVersion: "policy/v1", kind: "Eviction" }, fieldValidation: "Warn" });
  if (isFailure(decoded)) return decoded;
  return decoded.object.metadata?.name === info.name ? undefined : newBadRequest("name in URL does not match name in Eviction object");
}

function deleteStatus(run: Run): Status | undefined {
  const { body } = run.request.request;
  const decoded = body === undefined ? undefined : decodeObject(body, { expected: DELETE_OPTIONS, fieldValidation: "Ignore" });
  if (decoded?.error !== undefined) return newBadRequest(decoded.error);
  const errors = deleteErrors(deleteOptionsOf(run));
  return errors.length === 0 ? undefined : newInvalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
}

const KINDS: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };

/** The refusal of a write whose options are wrong; `applying` is a server-side apply. */
export function optionsStatus(run: Run, applying: boolean): Status | undefined {
  const { method, query = {} } = run.request.request;
  if (method === "DELETE") return deleteStatus(run);
  if (run.request.info.subresource === "eviction") return evictionStatus(run);
  const kind = KINDS[method];
  if (kind === undefined) return undefined;
  const { fieldManager = "", fieldValidation = "", force, dryRun } = query;
  const errors = [
    ...(applying && fieldManager === "" ? [required("fieldManager", "is required for apply patch")] : []),
    ...(!applying && method === "PATCH" && force !== undefined ? [forbidden("force", "may not be specified for non-apply patch")] : []),
    ...(fieldManager.length > MANAGER_LENGTH ? [tooLong("fieldManager", MANAGER_LENGTH)] : []),
    ...(dryRun === undefined ? [] : dryRunErrors([dryRun])),
    ...(VALIDATIONS.includes(fieldValidation) ? [] : [notSupported("fieldValidation", fieldValidation, VALIDATIONS)]),
  ];
  return errors.length === 0 ? undefined : newInvalid({ group: "meta.k8s.io", kind }, "", errors);
}
