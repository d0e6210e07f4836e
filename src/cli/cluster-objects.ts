// Models kubernetes/plugin/pkg/admission/{priority,runtimeclass,defaulttolerationseconds} for objects read from a file
import { applyDefaults } from "../sim/api/defaulting/apply-defaults.ts";
import { tolerates } from "../sim/api/tolerations.ts";
import type { KubeObject, LabelSelector, Node, Pod, PodAffinity, PodAffinityTerm, ResourceList, Toleration } from "../sim/api/types.ts";
import { listersOf } from "../sim/kube-scheduler/listers.ts";
import { type Snapshot, snapshotOf } from "../sim/kube-scheduler/snapshot.ts";

interface PriorityClass extends KubeObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

interface RuntimeClass extends KubeObject {
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: { readonly nodeSelector?: Readonly<Record<string, string>>; readonly tolerations?: readonly Toleration[] };
}

const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = { "system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000 };
const NOT_READY_KEYS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

function withPriority(pod: Pod, classes: readonly PriorityClass[]): Pod {
  const name = pod.spec.priorityClassName;
  const found = name ? classes.find((c) => c.metadata.name === name) : classes.find((c) => c.globalDefault);
  const policy = pod.spec.preemptionPolicy ?? found?.preemptionPolicy ?? "PreemptLowerPriority";
  const priority = found?.value ?? SYSTEM_PRIORITIES[name ?? ""] ?? pod.spec.priority ?? 0;
  return { ...pod, spec: { ...pod.spec, priority, preemptionPolicy: policy } };
}

function withRuntimeClass(pod: Pod, classes: readonly RuntimeClass[]): Pod {
  const found = classes.find((c) => c.metadata.name === pod.spec.runtimeClassName);
  if (!found) return pod;
  const { nodeSelector, tolerations } = found.scheduling ?? {};
  const overhead = pod.spec.overhead ?? found.overhead?.podFixed;
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(overhead ? { overhead } : {}),
      ...(nodeSelector ? { nodeSelector: { ...pod.spec.nodeSelector, ...nodeSelector } } : {}),
      ...(tolerations ? { tolerations: [...(pod.spec.tolerations ?? []), ...tolerations] } : {}),
    },
  };
}

function withNotReadyTolerations(pod: Pod): Pod {
  const tolerations = pod.spec.tolerations ?? [];
  const missing = NOT_READY_KEYS.filter((key) => !tolerates(tolerations, { key, effect: "NoExecute" }));
  const added = missing.map((key): Toleration => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  return { ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } };
}

function mergeKeys(selector: LabelSelector | undefined, keys: readonly string[], operator: "In" | "NotIn", labels: Readonly<Record<string, string>>): LabelSelector | undefined {
  const added = keys.flatMap((key) => (labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }]));
  return selector && added.length > 0 ? { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] } : selector;
}

/** registry/core/pod/strategy.go: matchLabelKeys and mismatchLabelKeys become part of the stored selector. */
function withLabelKeys(pod: Pod): Pod {
  const labels = pod.metadata.labels ?? {};
  const term = (t: PodAffinityTerm): PodAffinityTerm => {
    const selector = mergeKeys(mergeKeys(t.labelSelector, t.matchLabelKeys ?? [], "In", labels), t.mismatchLabelKeys ?? [], "NotIn", labels);
    return selector ? { ...t, labelSelector: selector } : t;
  };
  const side = (a: PodAffinity): PodAffinity => ({
    ...a,
    requiredDuringSchedulingIgnoredDuringExecution: (a.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term),
    preferredDuringSchedulingIgnoredDuringExecution: (a.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((w) => ({ ...w, podAffinityTerm: term(w.podAffinityTerm) })),
  });
  const { affinity } = pod.spec;
  if (!affinity?.podAffinity && !affinity?.podAntiAffinity) return pod;
  const { podAffinity, podAntiAffinity } = affinity;
  return { ...pod, spec: { ...pod.spec, affinity: { ...affinity, ...(podAffinity ? { podAffinity: side(podAffinity) } : {}), ...(podAntiAffinity ? { podAntiAffinity: side(podAntiAffinity) } : {}) } } };
}

/** The Pod as the API server would have stored it: defaults, priority, runtime class, tolerations. `uid` if it has none yet. */
export function storedPod(pod: Pod, objects: readonly KubeObject[], uid?: string): Pod {
  const kind = <T extends KubeObject>(name: string): T[] => objects.filter((o) => o.kind === name) as T[];
  const placed = { ...pod, metadata: { ...pod.metadata, namespace: pod.metadata.namespace ?? "default", ...(pod.metadata.uid ?? uid ? { uid: pod.metadata.uid ?? uid } : {}) } } as Pod;
  return withLabelKeys(withNotReadyTolerations(withRuntimeClass(withPriority(applyDefaults(placed), kind<PriorityClass>("PriorityClass")), kind<RuntimeClass>("RuntimeClass"))));
}

const NAMESPACED = new Set(["Pod", "Service", "ReplicaSet", "StatefulSet", "ReplicationController", "PersistentVolumeClaim", "PodDisruptionBudget", "CSIStorageCapacity"]);

const byName = (a: KubeObject, b: KubeObject): number => {
  const [x, y] = [a.metadata.name ?? "", b.metadata.name ?? ""];
  return x < y ? -1 : Number(x > y);
};

/** Gives objects from a file the namespace "default" where they name none. */
const placed = (object: KubeObject): KubeObject =>
  NAMESPACED.has(object.kind) && !object.metadata.namespace ? { ...object, metadata: { ...object.metadata, namespace: "default" } } : object;

/** What the scheduler's caches hold once these objects are stored. Nodes arrive by name, as a list from etcd does. */
export function snapshotOfObjects(objects: readonly KubeObject[]): Snapshot {
  const stored = objects.map(placed);
  const others = stored.filter((o) => o.kind !== "Pod").map((o) => applyDefaults(o));
  const nodes = others.filter((o): o is Node => o.kind === "Node").toSorted(byName);
  const pods = (stored.filter((o) => o.kind === "Pod") as Pod[]).map((pod) => storedPod(pod, stored));
  return snapshotOf(nodes, pods, listersOf(others));
}
