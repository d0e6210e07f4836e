// Models kubernetes/pkg/registry/core/pod/strategy.go
import { computePodQOS } from "../../api/qos.ts";
import type { Affinity, Container, LabelSelector, Pod, PodAffinity, PodAffinityTerm, PodSpec, PodStatus } from "../../api/types.ts";
import { syncAppArmor } from "./app-armor.ts";
import type { Strategy } from "./strategy.ts";

type Labels = Readonly<Record<string, string>> | undefined;

/** matchLabelKeys become ordinary requirements with the value this Pod has. */
function mergeKeys(selector: LabelSelector | undefined, keys: readonly string[] | undefined, operator: "In" | "NotIn", labels: Labels): LabelSelector | undefined {
  const added = (keys ?? []).flatMap((key) => (labels?.[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }]));
  return selector === undefined || added.length === 0 ? selector : { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] };
}

function mergeTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  const labelSelector = mergeKeys(mergeKeys(term.labelSelector, term.matchLabelKeys, "In", labels), term.mismatchLabelKeys, "NotIn", labels);
  return labelSelector === term.labelSelector || labelSelector === undefined ? term : { ...term, labelSelector };
}

function mergeAffinity(affinity: PodAffinity | undefined, labels: Labels): PodAffinity | undefined {
  if (!affinity) return affinity;
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred } = affinity;
  return {
    ...affinity,
    ...(required ? { requiredDuringSchedulingIgnoredDuringExecution: required.map((t) => mergeTerm(t, labels)) } : {}),
    ...(preferred ? { preferredDuringSchedulingIgnoredDuringExecution: preferred.map((t) => ({ ...t, podAffinityTerm: mergeTerm(t.podAffinityTerm, labels) })) } : {}),
  };
}

function mergeSelectors(spec: PodSpec, labels: Labels): PodSpec {
  let out = spec;
  if (spec.affinity) {
    const podAffinity = mergeAffinity(spec.affinity.podAffinity, labels);
    const podAntiAffinity = mergeAffinity(spec.affinity.podAntiAffinity, labels);
    const affinity: Affinity = { ...spec.affinity, ...(podAffinity ? { podAffinity } : {}), ...(podAntiAffinity ? { podAntiAffinity } : {}) };
    out = { ...out, affinity };
  }
  if (!spec.topologySpreadConstraints) return out;
  const constraints = spec.topologySpreadConstraints.map((c) => {
    const labelSelector = mergeKeys(c.labelSelector, c.matchLabelKeys, "In", labels);
    return labelSelector === undefined ? c : { ...c, labelSelector };
  });
  return { ...out, topologySpreadConstraints: constraints };
}

function initialStatus(pod: Pod): PodStatus {
  const gated = (pod.spec.schedulingGates ?? []).length > 0;
  const condition = {
    type: "PodScheduled", status: "False", lastProbeTime: null, lastTransitionTime: pod.metadata.creationTimestamp ?? null, reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { phase: "Pending", ...(gated ? { conditions: [condition] } : {}), qosClass: computePodQOS(pod.spec) };
}

/** A status that a client sends at creation is thrown away. */
export const podStrategy = {
  kinds: ["v1/Pod"],
  hasGeneration: true,
  hasStatus: true,

  prepareForCreate(object) {
    const pod = syncAppArmor(object as Pod);
    return { ...pod, spec: mergeSelectors(pod.spec, pod.metadata.labels), status: initialStatus(pod) };
  },
} satisfies Strategy;

/** podEphemeralContainersStrategy: of an update through the subresource only the debugging containers count. */
export const keepEphemeralContainers = (pod: Pod, old: Pod): Pod => ({ ...old, metadata: pod.metadata, spec: { ...old.spec, ...(pod.spec.ephemeralContainers === undefined ? {} : { ephemeralContainers: pod.spec.ephemeralContainers }) } });

/** podResizeStrategy: resources and resize policies count. Containers that were added, removed or renamed are left to validation. */
export function keepResize(pod: Pod, old: Pod): Pod {
  const keys = ["containers", "initContainers"] as const;
  if (keys.some((key) => (pod.spec[key] ?? []).length !== (old.spec[key] ?? []).length)) return pod;
  const kept = (now: readonly Container[] | undefined, before: readonly Container[] | undefined): readonly Container[] | undefined => {
    if (now === undefined || now.some((container, i) => container.name !== before?.[i]?.name)) return now;
    return before?.map((container, i) => {
      const { resources: _r, resizePolicy: _p, ...rest } = container;
      const { resources, resizePolicy } = now[i] ?? container;
      return { ...rest, ...(resources === undefined ? {} : { resources }), ...(resizePolicy === undefined ? {} : { resizePolicy }) } as Container;
    });
  };
  const { resources: _, ...spec } = old.spec;
  const initContainers = kept(pod.spec.initContainers, old.spec.initContainers);
  return {
    ...old, metadata: pod.metadata,
    spec: { ...spec, containers: kept(pod.spec.containers, old.spec.containers) ?? [], ...(initContainers === undefined ? {} : { initContainers }), ...(pod.spec.resources === undefined ? {} : { resources: pod.spec.resources }) },
  };
}

/**
 * Grace period in seconds of a DELETE, or 0 for "remove now": Pods that are on no node or have finished have nothing to stop.
 * `requested` is DeleteOptions.gracePeriodSeconds.
 */
export function podDeletionGrace(pod: Pod, requested: number | undefined): number {
  if (!pod.spec.nodeName || pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded") return 0;
  const period = requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
