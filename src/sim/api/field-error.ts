// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go

export type FieldErrorType =
  | "FieldValueNotFound" | "FieldValueRequired" | "FieldValueDuplicate" | "FieldValueInvalid" | "FieldValueNotSupported"
  | "FieldValueForbidden" | "FieldValueTooLong" | "FieldValueTooMany" | "InternalError" | "FieldValueTypeInvalid";

/** One cause of a 422: the field, and the message without the field. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly message: string;
}

/** A value as Go's field.Error prints it: texts quoted, numbers bare, everything else as JSON. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = JSON.stringify(value);
  // Go's JSON escapes what could end a script; its quoting of plain texts does not.
  return typeof value === "string" ? text : text.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
}

const withDetail = (head: string, detail: string): string => (detail === "" ? head : `${head}: ${detail}`);

export const invalid = (field: string, value: unknown, detail: string): FieldError => ({ type: "FieldValueInvalid", field, message: withDetail(`Invalid value: ${valueText(value)}`, detail) });
/** Invalid without the value: where it would say nothing. */
export const invalidOmitted = (field: string, detail: string): FieldError => ({ type: "FieldValueInvalid", field, message: `Invalid value: ${detail}` });
export const required = (field: string, detail = ""): FieldError => ({ type: "FieldValueRequired", field, message: withDetail("Required value", detail) });
export const forbidden = (field: string, detail: string): FieldError => ({ type: "FieldValueForbidden", field, message: withDetail("Forbidden", detail) });
export const duplicate = (field: string, value: unknown): FieldError => ({ type: "FieldValueDuplicate", field, message: `Duplicate value: ${valueText(value)}` });
export const notFound = (field: string, value: unknown): FieldError => ({ type: "FieldValueNotFound", field, message: `Not found: ${valueText(value)}` });
export const tooLong = (field: string, maxLength: number): FieldError => ({ type: "FieldValueTooLong", field, message: `Too long: may not be more than ${maxLength} bytes` });
export const tooMany = (field: string, actual: number, max: number): FieldError => ({ type: "FieldValueTooMany", field, message: `Too many: ${actual}: must have at most ${max} item${max === 1 ? "" : "s"}` });
export const internalError = (field: string, detail: string): FieldError => ({ type: "InternalError", field, message: withDetail("Internal error", detail) });

/** `supported` must already be in the order upstream prints (field.NotSupported sorts sets, keeps slices). */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: "FieldValueNotSupported",
  field,
  message: withDetail(`Unsupported value: ${valueText(value)}`, supported.length === 0 ? "" : `supported values: ${supported.map((v) => JSON.stringify(v)).join(", ")}`),
});

/** "field: message" of one error, as in the 422's message. */
export const fieldErrorText = (error: FieldError): string => `${error.field}: ${error.message}`;

/** ErrorList.ToAggregate(): one text bare, several distinct ones in brackets. */
export function aggregateText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

/** Turns the texts of a name validator into errors of one field. */
export const invalidEach = (field: string, value: unknown, messages: readonly string[]): FieldError[] => messages.map((message) => invalid(field, value, message));
