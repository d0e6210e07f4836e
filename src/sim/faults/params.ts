import type { FaultParams } from "../scenarios/recipe.ts";
import type { Fault, FaultParam } from "./fault.ts";

/** All parameters of a fault: the user's where given, else the defaults. Those it does not know are left out. */
export function completeParams(fault: Fault, params: FaultParams): FaultParams {
  return Object.fromEntries(fault.params.map((param) => [param.name, params[param.name] ?? param.default]));
}

function parseValue(param: FaultParam, value: string): string | number | boolean | undefined {
  if (param.options && !param.options.includes(value)) return undefined;
  if (typeof param.default === "number") return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  if (typeof param.default === "boolean") return value === "true" || (value === "false" ? false : undefined);
  return value;
}

/** Parameters as typed ("exitCode" -> "3"). Returns a sentence if one is unknown or of the wrong kind. */
export function parseParams(fault: Fault, given: readonly (readonly [string, string])[]): FaultParams | string {
  const params: Record<string, string | number | boolean> = {};
  for (const [name, value] of given) {
    const param = fault.params.find((candidate) => candidate.name === name);
    if (!param) return `fault ${fault.id} has no parameter "${name}"${fault.params.length > 0 ? `; it has ${fault.params.map((p) => p.name).join(", ")}` : ""}`;
    const parsed = parseValue(param, value);
    if (parsed === undefined) return `parameter ${name} of fault ${fault.id} cannot be "${value}": ${param.options ? `one of ${param.options.join(", ")}` : typeof param.default === "number" ? "a whole number" : "true or false"}`;
    params[name] = parsed;
  }
  return params;
}
