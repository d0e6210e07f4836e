// Models kubernetes/pkg/controller/daemon/{daemon_controller.go,util/daemonset_util.go}: which Pods a DaemonSet has where
import type { IntOrString, KubeObject, LabelSelector, Node, Pod, PodTemplateSpec } from "../../api/types.ts";
import type { View } from "../caches.ts";
import { REVISION_LABEL } from "../history/controller-history.ts";
import { nodeShouldRun } from "./node-eligibility.ts";

/** Counts changes of the template; older than revisions, and kept on the DaemonSet and its Pods. */
export const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";
export const GENERATION_LABEL = "pod-template-generation";

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString } };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: Readonly<Record<string, number>>;
}

/** A node that should or does run a daemon Pod. Pods are the oldest first. */
export interface Placement {
  readonly node: Node;
  readonly shouldRun: boolean;
  readonly shouldContinue: boolean;
  readonly pods: readonly Pod[];
}

/** The node that a Pod runs on or is pinned to. */
export function nodeOfPod(pod: Pod): string {
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0] ?? "";
}

const created = (pod: Pod): string => pod.metadata.creationTimestamp ?? "";

/** Oldest first; of those made in the same second the one made first. */
const byCreation = (a: Pod, b: Pod): number => (created(a) === created(b) ? Number(a.metadata.resourceVersion ?? 0) - Number(b.metadata.resourceVersion ?? 0) : created(a) < created(b) ? -1 : 1);

export function placementsOf(ds: DaemonSet, view: View): readonly Placement[] {
  const pods = new Map<string, Pod[]>();
  for (const pod of view.byIndex<Pod>("podsByOwner", ds.metadata.uid ?? "")) {
    const node = nodeOfPod(pod);
    pods.set(node, [...(pods.get(node) ?? []), pod]);
  }
  return view.list<Node>("nodes").map((node) => ({ node, ...nodeShouldRun(ds.spec.template.spec, node), pods: (pods.get(node.metadata.name ?? "") ?? []).sort(byCreation) }));
}

export const isUpdated = (pod: Pod, ds: DaemonSet, hash: string): boolean => {
  const generation = ds.metadata.annotations?.[TEMPLATE_GENERATION];
  return pod.metadata.labels?.[REVISION_LABEL] === hash || (generation !== undefined && pod.metadata.labels?.[GENERATION_LABEL] === generation);
};
