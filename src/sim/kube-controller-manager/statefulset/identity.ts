// Models kubernetes/pkg/controller/statefulset/stateful_set_utils.go
import type { KubeObject, LabelSelector, Pod, PodTemplateSpec, Volume } from "../../api/types.ts";
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

export const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
export const POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";

/** Outside the range that the set wants now. */
export const isCondemned = (set: StatefulSet, ordinal: number): boolean => ordinal < startOf(set) || ordinal >= startOf(set) + replicasOf(set);

/** A Pod's name: that of its set, a dash and the ordinal. */
const MEMBER = /^(.*)-([0-9]+)$/;
const MAX_ORDINAL = 2 ** 31 - 1;

/** Whether the name says that the Pod is one of the set's, whatever its ordinal. */
export const isMemberOf = (set: StatefulSet, pod: KubeObject): boolean => MEMBER.exec(pod.metadata.name ?? "")?.[1] === set.metadata.name;

/** The number at the end of the Pod's name; -1 when there is none, or it is too large. */
export function ordinalOf(pod: KubeObject): number {
  const ordinal = Number(MEMBER.exec(pod.metadata.name ?? "")?.[2] ?? -1);
  return ordinal > MAX_ORDINAL ? -1 : ordinal;
}

export const claimName = (template: KubeObject, set: StatefulSet, ordinal: number): string => `${template.metadata.name ?? ""}-${set.metadata.name ?? ""}-${ordinal}`;

/** updateStorage: claims of the templates come first, and displace volumes of the same name. */
function withClaims(set: StatefulSet, ordinal: number, volumes: readonly Volume[]): readonly Volume[] {
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim): Volume => ({ name: claim.metadata.name ?? "", persistentVolumeClaim: { claimName: claimName(claim, set, ordinal) } }));
  return [...claims, ...volumes.filter((volume) => !claims.some((claim) => claim.name === volume.name))];
}

/** updateIdentity: name and labels that tell the ordinal. */
function identified(set: StatefulSet, ordinal: number, pod: Pod): Pod {
  const name = `${set.metadata.name ?? ""}-${ordinal}`;
  return { ...pod, metadata: { ...pod.metadata, name, namespace: set.metadata.namespace ?? "", labels: { ...pod.metadata.labels, [POD_NAME_LABEL]: name, [POD_INDEX_LABEL]: String(ordinal) } } };
}

/** The Pod of an ordinal: stable name, hostname, labels and claims. */
export function newStatefulPod(set: StatefulSet, ordinal: number, template: PodTemplateSpec, revision: string): Pod {
  const { metadata: { generateName: _, ...metadata }, ...base } = podFromTemplate(set, template);
  const pod = identified(set, ordinal, { ...base, metadata: { ...metadata, labels: { ...metadata.labels, [REVISION_LABEL]: revision } } });
  const volumes = withClaims(set, ordinal, base.spec.volumes ?? []);
  return { ...pod, spec: { ...pod.spec, hostname: pod.metadata.name ?? "", ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}), ...(volumes.length > 0 ? { volumes } : {}) } };
}

export const identityMatches = (set: StatefulSet, pod: Pod): boolean => pod.metadata.name === `${set.metadata.name ?? ""}-${ordinalOf(pod)}` && pod.metadata.labels?.[POD_NAME_LABEL] === pod.metadata.name;

export const storageMatches = (set: StatefulSet, pod: Pod): boolean => (set.spec.volumeClaimTemplates ?? []).every((claim) => pod.spec.volumes?.findLast((volume) => volume.name === claim.metadata.name)?.persistentVolumeClaim?.claimName === claimName(claim, set, ordinalOf(pod)));

/** The Pod with its identity and its volumes as they should be. */
export function repaired(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  const named = identityMatches(set, pod) ? pod : identified(set, ordinal, pod);
  return storageMatches(set, named) ? named : { ...named, spec: { ...named.spec, volumes: withClaims(set, ordinal, named.spec.volumes ?? []) } };
}

export const isCreated = (pod: Pod): boolean => (pod.status?.phase ?? "") !== "";
export const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === "Running" && isPodReady(pod);
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;
export const isAvailable = (set: StatefulSet, pod: Pod, now: Micros): boolean => isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
export const isUnavailable = (set: StatefulSet, pod: Pod, now: Micros): boolean => isTerminating(pod) || !isAvailable(set, pod, now);

export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? "";
