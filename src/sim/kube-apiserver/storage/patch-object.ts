// Models kubernetes/staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import { goJsonError } from "../../api/go-json-error.ts";
import { goMapText } from "../../api/json.ts";
import { applyJsonMergePatch, applyJsonPatch, applyStrategicMergePatch, type JsonPatchOperation } from "../../api/patch.ts";
import { failure, isFailure, newBadRequest, newUnknownServerError } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";

export interface PatchResult {
  readonly value: unknown;
  /** What the strict decoder minds in the patch itself. */
  readonly strict: readonly string[];
  /** How an error quotes it: a strategic patch as it is, of the others what comes out. */
  readonly shown: () => string;
}

const MAX_OPERATIONS = 10_000;
const MAP = "map[string]interface {}";
const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value);
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The error of a body that is no map; null counts as an empty one. */
const notMap = (patch: unknown): string | undefined => (patch === null || isMap(patch) ? undefined : `json: cannot unmarshal ${kindOf(patch)} into Go value of type ${MAP}`);

/** Text that is not JSON at all comes as it was sent. */
const syntaxError = (patch: unknown): string | undefined => (typeof patch === "string" && /^\s*[{[]/.test(patch) ? (goJsonError(patch) ?? "unexpected end of JSON input") : undefined);

const mergeResult = (value: unknown, strict: readonly string[] = []): PatchResult => ({ value, strict, shown: () => JSON.stringify(value) });

const BAD_FORMAT = new Set(["invalid JSON document", "invalid patch format of primitive list", "invalid patch format of retainKeys", "invalid patch format of setElementOrder list", "strategic merge patch format is not supported"]);
const REJECTED: Status = failure(422, "Invalid", "the server rejected our request due to an error in our request");

function strategic(existing: object, patch: unknown, kind: { readonly apiVersion: string; readonly kind: string }): PatchResult | Status {
  const wrong = syntaxError(patch) ?? notMap(patch);
  if (wrong !== undefined) return newBadRequest(wrong);
  const value = applyStrategicMergePatch(existing, patch ?? {}, kind);
  if (typeof value !== "string") return { value, strict: [], shown: () => goMapText(patch ?? {}) };
  if (BAD_FORMAT.has(value)) return newBadRequest(value);
  return value === "lists of lists are not supported" || value === "patch content doesn't match retainKeys list" ? REJECTED : newUnknownServerError(value);
}

function jsonMerge(existing: object, patch: unknown): PatchResult | Status {
  const wrong = syntaxError(patch) ?? notMap(patch);
  if (wrong !== undefined) return newBadRequest(`error decoding patch: ${wrong}`);
  return patch === null ? newBadRequest("Invalid JSON Patch") : mergeResult(applyJsonMergePatch(existing, patch));
}

const TEXTS = ["op", "path", "from"];

/** The operations as []jsonPatchOp: a wrong type, or what the strict decoder minds. */
function readOperations(patch: unknown): { readonly operations: readonly JsonPatchOperation[]; readonly strict: readonly string[] } | string {
  if (patch === null) return { operations: [], strict: [] };
  if (!Array.isArray(patch)) return `json: cannot unmarshal ${kindOf(patch)} into Go value of type []handlers.jsonPatchOp`;
  const strict: string[] = [];
  for (const [i, item] of (patch as readonly unknown[]).entries()) {
    if (item === null) continue;
    if (!isMap(item)) return `json: cannot unmarshal ${kindOf(item)} into Go value of type handlers.jsonPatchOp`;
    const wrong = Object.keys(item).find((key) => TEXTS.includes(key) && item[key] !== null && typeof item[key] !== "string");
    if (wrong !== undefined) return `json: cannot unmarshal ${kindOf(item[wrong])} into Go struct field jsonPatchOp.${wrong} of type string`;
    strict.push(...Object.keys(item).filter((key) => key !== "value" && !TEXTS.includes(key)).map((key) => `json patch unknown field ${JSON.stringify(`[${i}].${key}`)}`));
  }
  const operations = (patch as readonly (JsonPatchOperation | null)[]).map((operation) => ({ ...operation, op: operation?.op ?? "unknown" }));
  return { operations, strict };
}

function jsonPatch(existing: object, patch: unknown): PatchResult | Status {
  const read = syntaxError(patch) ?? readOperations(patch);
  if (typeof read === "string") return newBadRequest(`error decoding patch: ${read}`);
  const { length } = read.operations;
  if (length > MAX_OPERATIONS) return failure(413, "RequestEntityTooLarge", `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${length}`);
  const result = applyJsonPatch(existing, read.operations);
  return typeof result === "string" ? REJECTED : mergeResult(result.value, read.strict);
}

const ACCEPTED = ["application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"];

/** Applies a patch of any of the three kinds to an object; a Status when it cannot be applied. `kind` names the schema; custom kinds have none. */
export function patchObject(existing: object, patch: unknown, contentType: string, kind: { readonly apiVersion: string; readonly kind: string }, custom = false): PatchResult | Status {
  const accepted = custom ? ACCEPTED.filter((type) => !type.includes("strategic")) : ACCEPTED;
  if (!accepted.includes(contentType)) return failure(415, "UnsupportedMediaType", `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`);
  if (contentType === "application/strategic-merge-patch+json") return strategic(existing, patch, kind);
  return contentType === "application/merge-patch+json" ? jsonMerge(existing, patch) : jsonPatch(existing, patch);
}

export const isPatchRefusal = (result: PatchResult | Status): result is Status => isFailure(result);
