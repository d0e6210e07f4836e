// Models sigs.k8s.io/kustomize/api/types: what a kustomization says, and the resources it works on
export type Json = Readonly<Record<string, unknown>>;
export interface Resource {
  readonly object: Json;
  /** Name before prefixes, suffixes and hashes: references use it. */
  readonly original: string;
  /** Its name gets a hash of its content. */
  readonly hashed: boolean;
}

/** What a kustomization cannot do ends the build. */
export class KustomizeError extends Error {}

export const isMap = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
export const mapOf = (value: unknown): Json => (isMap(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const metadataOf = (object: Json): Json => mapOf(object["metadata"]);
export const nameIn = (object: Json): string => textOf(metadataOf(object)["name"]);
export const kindOf = (object: Json): string => textOf(object["kind"]);
export const groupIn = (object: Json): string => (textOf(object["apiVersion"]).includes("/") ? (textOf(object["apiVersion"]).split("/")[0] ?? "") : "");

/** Changes one field of a map; undefined from `change` leaves the map as it is. */
export function change(object: Json, path: readonly string[], work: (value: unknown) => unknown, create = false): Json {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  const before = object[key];
  if (before === undefined && !create) return object;
  const after = rest.length === 0 ? work(before) : Array.isArray(before) ? before.map((item: unknown) => (isMap(item) ? change(item, rest, work, create) : item)) : isMap(before) || create ? change(mapOf(before), rest, work, create) : before;
  return after === before || after === undefined ? object : { ...object, [key]: after };
}

/** Where each kind keeps the template of its Pods. */
export function templatePath(kind: string): readonly string[] | undefined {
  if (["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "ReplicationController", "Job"].includes(kind)) return ["spec", "template"];
  return kind === "CronJob" ? ["spec", "jobTemplate", "spec", "template"] : undefined;
}

/** Where each kind keeps the spec of its Pods. */
export const podSpecPath = (kind: string): readonly string[] | undefined => (kind === "Pod" ? ["spec"] : templatePath(kind) === undefined ? undefined : [...(templatePath(kind) ?? []), "spec"]);
