// Models validateTimeZone of kubernetes/pkg/apis/batch/validation/validation.go
import { type FieldError, invalid } from "../field-error.ts";
import { TIME_ZONES } from "../schema/time-zones.generated.ts";

/** Every name of the IANA database that upstream knows, in the order of its list. */
export const timeZoneNames = (): readonly string[] =>
  TIME_ZONES.split("\n").flatMap((line) => {
    const [area = "", list = ""] = line.split(":");
    return list.split(" ").map((zone) => (area === "" ? zone : `${area}/${zone}`));
  });

let names: ReadonlySet<string> | undefined;

function isZone(name: string): boolean {
  names ??= new Set(timeZoneNames());
  return names.has(name);
}

/** A name of the IANA database; `Local` would depend on the machine. */
export function validateTimeZone(zone: string, path: string): FieldError[] {
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  const unknown = invalid(path, zone, `unknown time zone ${zone}`);
  if (zone.split("/").some((part) => part === "." || part === ".." || part.startsWith("-") || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part))) return [unknown];
  if (zone.toLowerCase() === "local") return [invalid(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"), ...(zone === "Local" ? [] : [unknown])];
  return isZone(zone) ? [] : [unknown];
}
