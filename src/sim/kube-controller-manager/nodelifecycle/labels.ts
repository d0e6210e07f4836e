// Models kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go: reconcileNodeLabels
import type { Node } from "../../api/types.ts";

const PAIRS = [
  ["kubernetes.io/os", "beta.kubernetes.io/os"],
  ["kubernetes.io/arch", "beta.kubernetes.io/arch"],
] as const;

/** The beta labels that must follow the stable ones; undefined when they do. */
export function labelsToUpdate(node: Node): Readonly<Record<string, string>> | undefined {
  const labels = node.metadata.labels;
  if (labels === undefined) return undefined;
  const wrong = PAIRS.filter(([primary, secondary]) => labels[primary] !== undefined && labels[primary] !== labels[secondary]);
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong.map(([primary, secondary]) => [secondary, labels[primary] ?? ""]));
}
