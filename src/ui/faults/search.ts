import type { FaultInfo } from "../../worker/protocol.ts";

export interface FaultGroup {
  readonly group: string;
  readonly faults: readonly FaultInfo[];
}

/** Faults whose words match all words of the query, grouped by place in the catalogue's order. */
export function searchFaults(faults: readonly FaultInfo[], query: string): FaultGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const groups = new Map<string, FaultInfo[]>();
  for (const fault of faults) {
    const text = `${fault.id} ${fault.title} ${fault.symptom} ${fault.group}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const list = groups.get(fault.group);
    if (list) list.push(fault);
    else groups.set(fault.group, [fault]);
  }
  return [...groups].map(([group, list]) => ({ group, faults: list }));
}

/** A form's text as the type that the parameter's default has; undefined if it is not one. */
export function paramValue(text: string, fallback: string | number | boolean): string | number | boolean | undefined {
  if (typeof fallback === "boolean") return text === "true";
  if (typeof fallback === "string") return text;
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}
