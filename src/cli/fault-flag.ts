import { parseParams } from "../sim/faults/params.ts";
import { FAULTS, faultById } from "../sim/faults/registry.ts";
import type { RunInput } from "../sim/scenarios/recipe.ts";
import { UsageError } from "./io.ts";
import { parseTime } from "./time-text.ts";

/** "--fault ID[,key=value...][@START[..END]]": from START (default 0) to END (default: for good). */
export function parseFault(text: string): RunInput {
  // A digest in an image's name has an "@" too; times begin with a digit and hold nothing but digits and units.
  const times = /@(\d[\da-z]*(?:\.\d[\da-z]*)?)(?:\.\.(\d[\da-z.]*))?$/.exec(text);
  const [id = "", ...pairs] = (times ? text.slice(0, times.index) : text).split(",");
  const fault = faultById(id);
  if (!fault) throw new UsageError(`there is no fault "${id}"; there are ${FAULTS.map((f) => f.id).join(", ")}`);
  const params = parseParams(fault, pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new UsageError(`"${pair}" in --fault ${text} is not key=value`);
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  }));
  if (typeof params === "string") throw new UsageError(params);
  const at = parseTime(times?.[1] ?? "0s");
  if (times?.[2] === undefined) return { at, type: "fault", id, params };
  const until = parseTime(times[2]);
  if (until <= at) throw new UsageError(`fault ${id} ends at ${times[2]}, before it begins`);
  return { at, type: "fault", id, params, until };
}
