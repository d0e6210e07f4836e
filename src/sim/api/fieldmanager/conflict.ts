// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/conflict.go
import { failure } from "../status-errors.ts";
import type { ManagedFieldsEntry, Status } from "../types.ts";
import { type PathElement, pathText } from "./path-element.ts";

/** A path that somebody else owns and that would change. */
export interface Conflict {
  /** The owner's identifier. */
  readonly id: string;
  readonly owner: ManagedFieldsEntry;
  readonly path: readonly PathElement[];
}

function ownerText({ manager, subresource, operation, apiVersion }: ManagedFieldsEntry): string {
  const name = `${JSON.stringify(manager)}${subresource === undefined || subresource === "" ? "" : ` with subresource ${JSON.stringify(subresource)}`}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`;
  const owners = [...new Set(conflicts.map(({ id }) => id))].sort();
  const lines = owners.flatMap((id) => {
    const theirs = conflicts.filter((conflict) => conflict.id === id);
    return theirs.flatMap(({ owner, path }, i) => [...(i === 0 ? [`conflicts with ${ownerText(owner)}:`] : []), `- ${pathText(path)}`]);
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

/** The 409 of an apply that would take fields from others. */
export const conflictStatus = (conflicts: readonly Conflict[]): Status =>
  failure(409, "Conflict", conflictMessage(conflicts), { causes: conflicts.map(({ owner, path }) => ({ reason: "FieldManagerConflict", message: `conflict with ${ownerText(owner)}`, field: pathText(path) })) });
