// Models ValidateConditions of kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from "../field-error.ts";
import { regexError } from "../names.ts";
import { each, isSet, named, number, seenBefore, text, validateQualifiedName } from "./helpers.ts";

const MAX_REASON = 1024;
const MAX_MESSAGE = 32_768;
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reason = new RegExp(`^${REASON}$`);
const REASON_ERROR = regexError("a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'", REASON, "my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB");

/** metav1.Condition in a status: one of each type. */
export function validateConditions(conditions: unknown, path: string): FieldError[] {
  const seen = seenBefore();
  return each(conditions, path, (condition, at) => {
    const type = text(condition["type"]);
    const status = text(condition["status"]);
    const generation = number(condition["observedGeneration"]) ?? 0;
    return [
      ...(seen(type) ? [duplicate(`${at}.type`, type)] : []), ...validateQualifiedName(type, `${at}.type`),
      ...(["False", "True", "Unknown"].includes(status) ? [] : [notSupported(`${at}.status`, status, ["False", "True", "Unknown"])]),
      ...(generation < 0 ? [invalid(`${at}.observedGeneration`, generation, "must be greater than or equal to zero")] : []),
      ...(isSet(condition["lastTransitionTime"]) ? [] : [required(`${at}.lastTransitionTime`)]),
      ...named(condition["reason"], `${at}.reason`, (value) => (reason.test(value) ? [] : [REASON_ERROR])),
      ...(text(condition["reason"]).length > MAX_REASON ? [tooLong(`${at}.reason`, MAX_REASON)] : []), ...(text(condition["message"]).length > MAX_MESSAGE ? [tooLong(`${at}.message`, MAX_MESSAGE)] : []),
    ];
  });
}
