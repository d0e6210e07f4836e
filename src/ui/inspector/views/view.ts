import type { JSX } from "react";
import type { TraceIndex } from "../../../trace/trace-index.ts";

export interface ViewProps {
  readonly component: string;
  /** Its state at `now` as plain data; undefined while it is being read. */
  readonly state: unknown;
  readonly index: TraceIndex;
  readonly now: number;
}

/** What is inside a component, in the words of its trade. Others are shown as a tree. */
export interface ComponentViewSpec {
  readonly title: string;
  readonly matches: (component: string) => boolean;
  readonly View: (props: ViewProps) => JSX.Element;
  /** Tabs besides, which do not show its state. */
  readonly more?: readonly { readonly title: string; readonly View: () => JSX.Element }[];
  /** What the view is given instead of the component's whole state, when it needs less or other components too. */
  readonly ask?: (now: number, component: string) => Promise<unknown>;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A record, whatever came; states belong to other components and are read with care. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value at a dotted path: at(state, "raft.log.entries"). */
export function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((current, key) => fields(current)[key], value);
}

/** A list as it is; a record's values; nothing for anything else. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(fields(value));
}

export function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function numberAt(value: unknown, path: string): number | undefined {
  const found = at(value, path);
  return typeof found === "number" ? found : undefined;
}

/** "default/nginx" for anything with metadata, or with namespace and name. */
export function nameOf(value: unknown): string {
  const object = fields(value);
  const from = object["metadata"] === undefined ? object : fields(object["metadata"]);
  const namespace = text(from["namespace"]);
  const name = text(from["name"]);
  return namespace === "" ? name : `${namespace}/${name}`;
}
