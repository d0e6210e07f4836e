// Models ValidateCreateOptions, ValidateUpdateOptions and ValidatePatchOptions of kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../../api/field-error.ts";
import { newInvalid } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";
import type { Run } from "../state.ts";

const MANAGER_LENGTH = 128;
const FIELD_VALIDATION = ["", "Ignore", "Strict", "Warn"];
const APPLY = "application/apply-patch+yaml";
const PLAIN = /^[ -~]*$/;
// What unicode.IsPrint is not true of: controls, formats, private use, unassigned, and spaces but the common one.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Whether the request is a server-side apply, which may also create. */
export const isApplyPatch = ({ request }: Run): boolean => request.request.method === "PATCH" && (request.request.headers["Content-Type"] ?? "").split(";")[0] === APPLY;

/** UTF-8 bytes of one character. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** ValidateFieldManager: 128 bytes that can be printed. */
export function fieldManagerErrors(manager: string, path: string): FieldError[] {
  if (manager.length <= MANAGER_LENGTH && PLAIN.test(manager)) return [];
  const characters = [...manager];
  let at = 0;
  const errors: FieldError[] = [];
  for (const character of characters) {
    if (UNPRINTABLE.test(character)) errors.push(invalid(path, manager, `invalid character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")} (at position ${at})`));
    at += bytesOf(character);
  }
  return at > MANAGER_LENGTH ? [tooLong(path, MANAGER_LENGTH), ...errors] : errors;
}

const KINDS: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };

/** The 422 of a write whose query makes no sense; undefined when it does. */
export function writeOptionsStatus(run: Run): Status | undefined {
  const { method, query } = run.request.request;
  const applying = isApplyPatch(run);
  if (method === "DELETE" || (query === undefined && !applying)) return undefined;
  const { fieldManager = "", force, dryRun, fieldValidation } = query ?? {};
  const errors: FieldError[] = [];
  if (applying && fieldManager === "") errors.push(required("fieldManager", "is required for apply patch"));
  if (method === "PATCH" && !applying && force !== undefined) errors.push(forbidden("force", "may not be specified for non-apply patch"));
  errors.push(...fieldManagerErrors(fieldManager, "fieldManager"));
  if (dryRun !== undefined && dryRun !== "All") errors.push(notSupported("dryRun", [dryRun], ["All"]));
  if (fieldValidation !== undefined && !FIELD_VALIDATION.includes(fieldValidation)) errors.push(notSupported("fieldValidation", fieldValidation, FIELD_VALIDATION));
  return errors.length === 0 ? undefined : newInvalid({ group: "meta.k8s.io", kind: KINDS[method] ?? "" }, "", errors);
}
