// Models kubernetes/staging/src/k8s.io/kubectl/pkg/drain/filters.go
import type { Pod } from "../api/types.ts";
import type { Process } from "./process.ts";

export interface Filtered {
  readonly pods: readonly Pod[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const MIRROR = "kubernetes.io/config.mirror";
type Verdict = { readonly take: boolean; readonly error?: string; readonly warning?: string };
const TAKE: Verdict = { take: true };

/** Which Pods a drain takes, which it leaves, and which forbid it. `hasDaemonSet` asks the server. */
export function filterPods(p: Process, pods: readonly Pod[], hasDaemonSet: (namespace: string, name: string) => boolean): Filtered {
  const controllerOf = (pod: Pod): { readonly kind: string; readonly name: string } | undefined => pod.metadata.ownerReferences?.find((owner) => owner.controller === true);
  const finished = (pod: Pod): boolean => ["Succeeded", "Failed"].includes(((pod.status ?? {}) as { readonly phase?: string }).phase ?? "");
  const filters: readonly ((pod: Pod) => Verdict)[] = [
    (pod) => {
      const owner = controllerOf(pod);
      if (owner?.kind !== "DaemonSet" || finished(pod)) return TAKE;
      if (!hasDaemonSet(pod.metadata.namespace ?? "", owner.name)) return p.options.force ? { take: true, warning: `daemonsets.apps ${JSON.stringify(owner.name)} not found` } : { take: false, error: `daemonsets.apps ${JSON.stringify(owner.name)} not found` };
      return p.on("ignore-daemonsets") ? { take: false, warning: "ignoring DaemonSet-managed Pods" } : { take: false, error: "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)" };
    },
    (pod) => (pod.metadata.annotations?.[MIRROR] === undefined ? TAKE : { take: false }),
    (pod) => {
      const local = pod.spec.volumes?.some((volume) => (volume as { readonly emptyDir?: unknown }).emptyDir !== undefined) === true;
      if (!local || finished(pod)) return TAKE;
      return p.on("delete-emptydir-data") || p.on("delete-local-data") ? { take: true, warning: "deleting Pods with local storage" } : { take: false, error: "cannot delete Pods with local storage (use --delete-emptydir-data to override)" };
    },
    (pod) => {
      if (finished(pod) || controllerOf(pod) !== undefined) return TAKE;
      return p.options.force ? { take: true, warning: "deleting Pods that declare no controller" } : { take: false, error: "cannot delete Pods that declare no controller (use --force to override)" };
    },
  ];
  const taken: Pod[] = [];
  const errors = new Map<string, string[]>();
  const warnings = new Map<string, string[]>();
  const note = (into: Map<string, string[]>, text: string, pod: Pod): void => void into.set(text, [...(into.get(text) ?? []), `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`]);
  for (const pod of pods) {
    let verdict = TAKE;
    let warning: string | undefined;
    for (const filter of filters) {
      verdict = filter(pod);
      warning = verdict.warning ?? warning;
      if (!verdict.take) break;
    }
    if (verdict.error !== undefined) note(errors, verdict.error, pod);
    if (warning !== undefined) note(warnings, warning, pod);
    if (verdict.take) taken.push(pod);
  }
  const lines = (from: Map<string, string[]>): string[] => [...from].map(([text, names]) => `${text}: ${names.join(", ")}`).sort();
  return { pods: taken, errors: lines(errors), warnings: lines(warnings) };
}
