// Objects read from a file, as the API server would have stored them and the scheduler's caches would hold them
import { applyDefaults } from "../sim/api/defaulting/apply-defaults.ts";
import type { KubeObject, LabelSelector, Node, Pod, PodAffinity, PodAffinityTerm } from "../sim/api/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../sim/kube-apiserver/admission/attributes.ts";
import { defaultTolerationSeconds } from "../sim/kube-apiserver/admission/default-toleration-seconds.ts";
import { priority } from "../sim/kube-apiserver/admission/priority.ts";
import { runtimeClass } from "../sim/kube-apiserver/admission/runtime-class.ts";
import { listersOf } from "../sim/kube-scheduler/listers.ts";
import { type Snapshot, snapshotOf } from "../sim/kube-scheduler/snapshot.ts";

const KINDS: Readonly<Record<string, string>> = { priorityclasses: "PriorityClass", runtimeclasses: "RuntimeClass" };

function attributesFor(pod: Pod, objects: readonly KubeObject[]): AdmissionAttributes {
  const list = (resource: string): readonly KubeObject[] => objects.filter((o) => o.kind === KINDS[resource]);
  return {
    operation: "CREATE",
    group: "",
    resource: "pods",
    subresource: "",
    namespace: pod.metadata.namespace ?? "default",
    name: "",
    user: { name: "kubernetes-admin" },
    dryRun: true,
    list,
    lookup: (resource, _namespace, name) => list(resource).find((o) => o.metadata.name === name),
    rand: () => 0,
  };
}

/** A Pod that admission refuses (its class is not in the file) stays as it is: the decision is about where it fits. */
function admitted(pod: Pod, plugin: AdmissionPlugin, objects: readonly KubeObject[]): Pod {
  const result = plugin.admit?.(pod, attributesFor(pod, objects)) ?? pod;
  return result.kind === "Pod" ? (result as Pod) : pod;
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
  const own = pod.metadata.uid ?? uid;
  const placedPod: Pod = { ...pod, apiVersion: "v1", kind: "Pod", metadata: { ...pod.metadata, namespace: pod.metadata.namespace ?? "default", ...(own === undefined ? {} : { uid: own }) } };
  const defaulted = applyDefaults(placedPod);
  // A Pod of a real cluster has been through admission: its priority is written in it.
  const plugins: readonly AdmissionPlugin[] = [...(pod.spec.priority === undefined ? [priority] : []), runtimeClass, defaultTolerationSeconds];
  return withLabelKeys(plugins.reduce((p, plugin) => admitted(p, plugin, objects), defaulted));
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
