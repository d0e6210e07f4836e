// Models kubernetes/pkg/printers/interface.go and the helpers of pkg/printers/internalversion/printers.go
import { humanDuration } from "../../api/duration.ts";
import type { TableColumn } from "../../api/tabwriter.ts";
import { type Micros, parseRfc3339 } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";

/** How one kind becomes a row of `kubectl get`. The server sends every column; kubectl hides those of priority 1 without -o wide. */
export interface Printer {
  /** "apiVersion/Kind" */
  readonly kinds: readonly string[];
  readonly columns: readonly TableColumn[];
  row(object: KubeObject, now: Micros): readonly string[];
}

export type Json = Readonly<Record<string, unknown>>;
export const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
/** Integers print as 0 when unset. */
export const count = (value: unknown): string => (typeof value === "number" ? String(value) : "0");

/** "Name Ready Age [IP Node]": columns in brackets are only for -o wide. Several words of one name are joined by "_". */
export function columns(spec: string): readonly TableColumn[] {
  let priority = 0;
  return spec.split(" ").map((word) => {
    if (word.startsWith("[")) priority = 1;
    return { name: word.replace(/[[\]]/g, "").replaceAll("_", " "), priority };
  });
}

/** translateTimestampSince */
export function age(timestamp: unknown, now: Micros): string {
  const at = typeof timestamp === "string" ? parseRfc3339(timestamp) : Number.NaN;
  return Number.isNaN(at) ? "<unknown>" : humanDuration(now - at);
}

export const nameOf = (object: KubeObject): string => object.metadata.name ?? "";
export const ageOf = (object: KubeObject, now: Micros): string => age(object.metadata.creationTimestamp, now);

/** Names and images of the containers of a template, for -o wide. */
export function containerCells(podSpec: unknown): readonly [string, string] {
  const containers = list(json(podSpec)["containers"]).map(json);
  return [containers.map((c) => text(c["name"])).join(","), containers.map((c) => text(c["image"])).join(",")];
}

/** The first three items and how many more there are. */
export const listWithMore = (items: readonly string[], max = 3): string => (items.length > max ? `${items.slice(0, max).join(",")} + ${items.length - max} more...` : items.join(","));
