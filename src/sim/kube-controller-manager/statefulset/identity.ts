// Models kubernetes/pkg/controller/statefulset/stateful_set_utils.go
import type { KubeObject, LabelSelector, Pod, PodTemplateSpec } from "../../api/types.ts";
import { REVISION_LABEL } from "../history/controller-history.ts";
import { isPodAvailable, isPodReady } from "../pods.ts";
import { podFromTemplate } from "../pod-control.ts";
import type { Micros } from "../../kernel/types.ts";

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly volumeClaimTemplates?: readonly KubeObject[];
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly ordinals?: { readonly start?: number };
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenScaled?: string; readonly whenDeleted?: string };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly collisionCount?: number;
  };
}

export const startOf = (set: StatefulSet): number => set.spec.ordinals?.start ?? 0;
export const replicasOf = (set: StatefulSet): number => set.spec.replicas ?? 1;

/** Outside the range that the set wants now. */
export const isCondemned = (set: StatefulSet, ordinal: number): boolean => ordinal < startOf(set) || ordinal >= startOf(set) + replicasOf(set);

/** The number at the end of the Pod's name; -1 when it is not one of the set's. */
export function ordinalOf(set: StatefulSet, pod: Pod): number {
  const name = pod.metadata.name ?? "";
  const prefix = `${set.metadata.name ?? ""}-`;
  const text = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d+$/.test(text) ? Number(text) : -1;
}

export const claimName = (template: KubeObject, set: StatefulSet, ordinal: number): string => `${template.metadata.name ?? ""}-${set.metadata.name ?? ""}-${ordinal}`;

/** The Pod of an ordinal: stable name, hostname, labels and claims. */
export function newStatefulPod(set: StatefulSet, ordinal: number, template: PodTemplateSpec, revision: string): Pod {
  const base = podFromTemplate(set, template);
  const name = `${set.metadata.name ?? ""}-${ordinal}`;
  const { generateName: _, ...metadata } = base.metadata;
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => ({ name: claim.metadata.name ?? "", persistentVolumeClaim: { claimName: claimName(claim, set, ordinal) } }));
  const kept = (base.spec.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  return {
    ...base,
    metadata: { ...metadata, name, labels: { ...metadata.labels, "statefulset.kubernetes.io/pod-name": name, "apps.kubernetes.io/pod-index": String(ordinal), [REVISION_LABEL]: revision } },
    spec: { ...base.spec, hostname: name, ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}), ...(claims.length + kept.length > 0 ? { volumes: [...kept, ...claims] } : {}) },
  };
}

export const isCreatedAndReady = (pod: Pod): boolean => pod.status?.phase === "Running" && isPodReady(pod);
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
export const isHealthy = (pod: Pod): boolean => isCreatedAndReady(pod) && !isTerminating(pod);
export const isAvailable = (set: StatefulSet, pod: Pod, now: Micros): boolean => isCreatedAndReady(pod) && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? "";
