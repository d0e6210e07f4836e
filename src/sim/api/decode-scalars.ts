// Models the UnmarshalJSON methods of kubernetes/staging/src/k8s.io/apimachinery (Time, Quantity, IntOrString) and the plain values of sigs.k8s.io/json
import { base64Error } from "./base64.ts";
import { abort, type Context, type Place, wrongType, wrongTypeInside } from "./decode-errors.ts";
import { timeError } from "./go-time.ts";
import { formatQuantity, parseQuantity } from "./quantity.ts";
import type { ScalarCode, TypeRef } from "./schema/schema.ts";
import { parseRfc3339, rfc3339, rfc3339Micro } from "./time.ts";

const INT32_LIMIT = 2 ** 31;
const INT64_LIMIT = 2 ** 63;

function decodeTime(value: unknown, micro: boolean, ctx: Context, place: Place): string {
  if (typeof value !== "string") return wrongTypeInside(ctx, place, value, "string");
  const wrong = timeError(value, micro);
  if (wrong !== undefined) return abort(wrong);
  // Go also reads an hour of one digit and a comma before the fraction.
  const at = parseRfc3339(value.replace(/T(\d):/, "T0$1:").replace(",", "."));
  return micro ? rfc3339Micro(at) : rfc3339(at);
}

function decodeQuantity(value: unknown): string {
  const parsed = parseQuantity(typeof value === "string" ? value.trim() : typeof value === "number" ? value : JSON.stringify(value));
  return typeof parsed === "string" ? abort(parsed) : formatQuantity(parsed);
}

function decodeInteger(value: unknown, of: TypeRef, bits: 32 | 64, ctx: Context, place: Place): unknown {
  if (typeof value !== "number") return wrongType(ctx, place, value, of);
  const limit = bits === 32 ? INT32_LIMIT : INT64_LIMIT;
  // The converter of a patched object cuts off what does not fit, as Go's conversions do.
  if (ctx.patched && bits === 32 && Number.isInteger(value)) return value | 0;
  // Simplified: JSON.parse has rounded numbers beyond 2^53 before they come here; the largest int64 counts as 2^63
  if (!Number.isInteger(value) || value > (bits === 32 ? limit - 1 : limit) || value < -limit) return wrongType(ctx, place, value, of, `number ${value}`);
  return value;
}

function decodeBytes(value: unknown, of: TypeRef, ctx: Context, place: Place): unknown {
  if (typeof value !== "string") return wrongType(ctx, place, value, of);
  const text = value.replace(/[\r\n]/g, "");
  const bad = base64Error(value);
  if (bad === undefined) return text;
  const error = `illegal base64 data at input byte ${bad}`;
  if (ctx.patched) return abort(`error decoding from json: ${error}`);
  ctx.error ??= error;
  return undefined;
}

function decodeIntOrString(value: unknown, ctx: Context, place: Place): unknown {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return wrongTypeInside(ctx, place, value, "int32");
  return Number.isInteger(value) && value < INT32_LIMIT && value >= -INT32_LIMIT ? value : wrongTypeInside(ctx, place, value, "int32", `number ${value}`);
}

/** A value that is neither struct, list nor map; undefined when it has another type than the field. */
export function decodeScalar(value: unknown, code: ScalarCode, of: TypeRef, ctx: Context, place: Place): unknown {
  switch (code) {
    case "s":
    case "UID":
      return typeof value === "string" ? value : wrongType(ctx, place, value, of);
    case "b":
      return typeof value === "boolean" ? value : wrongType(ctx, place, value, of);
    case "i":
      return decodeInteger(value, of, 32, ctx, place);
    case "l":
      return decodeInteger(value, of, 64, ctx, place);
    case "f":
      return typeof value === "number" ? value : wrongType(ctx, place, value, of);
    case "y":
      return decodeBytes(value, of, ctx, place);
    case "T":
      return decodeTime(value, false, ctx, place);
    case "M":
      return decodeTime(value, true, ctx, place);
    case "Q":
      return decodeQuantity(value);
    case "I":
      return decodeIntOrString(value, ctx, place);
    case "D":
    case "R":
    case "J":
    case "F":
      return value;
  }
}
