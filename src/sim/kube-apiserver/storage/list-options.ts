// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go
import { type FieldError, forbidden, notSupported } from "../../api/field-error.ts";
import { newInvalid, newUnknownServerError } from "../../api/status-errors.ts";
import type { Status } from "../../api/types.ts";

export type Query = Readonly<Record<string, string | undefined>>;

/** ValidateListOptions: which of resourceVersion, resourceVersionMatch, continue and sendInitialEvents go together. */
export function validateListOptions(query: Query): FieldError[] {
  const errors: FieldError[] = [];
  const match = query["resourceVersionMatch"] ?? "";
  const revision = query["resourceVersion"] ?? "";
  const watching = query["watch"] === "true" || query["watch"] === "1";
  const initial = query["sendInitialEvents"] !== undefined;
  const say = (text: string): unknown => errors.push(forbidden("resourceVersionMatch", text));
  if (watching) {
    if (initial && match !== "NotOlderThan") say("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    if (match === "") return errors;
    if (!initial) say("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    if (match !== "NotOlderThan") errors.push(notSupported("resourceVersionMatch", match, ["NotOlderThan"]));
    if (query["continue"]) say("resourceVersionMatch is forbidden when continue is provided");
    return errors;
  }
  if (match !== "") {
    if (revision === "") say("resourceVersionMatch is forbidden unless resourceVersion is provided");
    if (query["continue"]) say("resourceVersionMatch is forbidden when continue is provided");
    if (match !== "Exact" && match !== "NotOlderThan") errors.push(notSupported("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && revision === "0") say('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (initial) errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

export const invalidListOptions = (errors: readonly FieldError[]): Status => newInvalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);

/** The text of a resourceVersion that is no number. */
export const badResourceVersion = (text: string): Status => newUnknownServerError(`resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);

