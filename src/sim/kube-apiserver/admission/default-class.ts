// Models the choice of a default class in kubernetes/plugin/pkg/admission/storage/storageclass/setdefault and network/defaultingressclass
import type { KubeObject } from "../../api/types.ts";
import type { AdmissionAttributes } from "./attributes.ts";

type Spec = Readonly<Record<string, unknown>>;
export const specOf = (object: KubeObject | undefined): Spec => (object?.spec ?? {}) as Spec;

/** The newest default class, and of equally old ones the first by name. */
export function newestDefault(classes: readonly KubeObject[], annotations: readonly string[]): string | undefined {
  const defaults = classes.filter((c) => annotations.some((key) => c.metadata.annotations?.[key] === "true"));
  const older = (a: KubeObject, b: KubeObject): number => {
    const [x, y] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
    if (x !== y) return x < y ? 1 : -1;
    return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
  };
  return [...defaults].sort(older)[0]?.metadata.name;
}

export const creates = (resource: string) => (attrs: AdmissionAttributes): boolean => attrs.resource === resource && attrs.subresource === "" && attrs.operation === "CREATE";
