import { decodeObject } from "../api/decode.ts";
import { applyDefaults } from "../api/defaulting/apply-defaults.ts";
import type { Step } from "./caret.ts";
import { dig, recordOf } from "./schema-place.ts";

function without(value: unknown, steps: readonly Step[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return undefined;
  if (typeof step === "number") return Array.isArray(value) ? (value as readonly unknown[]).map((item, i) => (i === step ? without(item, rest) : item)) : value;
  const record = recordOf(value);
  return rest.length === 0 ? Object.fromEntries(Object.entries(record).filter(([key]) => key !== step)) : { ...record, [step]: without(record[step], rest) };
}

/** Defaults of one object, asked for place by place: what the API server would fill in if the field were not there. */
export class Defaults {
  private readonly object: unknown;
  private decoded: unknown;
  private filled: unknown;

  /** `field` is a field that is to be taken away first. */
  constructor(object: unknown, field?: readonly Step[]) {
    this.object = field === undefined ? object : without(object, field);
    try {
      const { object: decoded } = decodeObject(this.object, { fieldValidation: "Ignore" });
      this.decoded = decoded;
      this.filled = decoded && applyDefaults(decoded);
    } catch {
      // A half-written object has no defaults.
    }
  }

  /** "Always"; undefined if defaulting leaves the place alone or fills in more than one value. */
  at(steps: readonly Step[]): string | undefined {
    const value = dig(this.filled, steps);
    if (value === undefined || value === null || value === dig(this.decoded, steps) || typeof value === "object") return undefined;
    return String(value);
  }
}
