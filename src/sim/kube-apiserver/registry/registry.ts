// Models the REST storage map of kubernetes/pkg/registry/*/rest/storage_*.go
import type { KubeObject } from "../../api/types.ts";
import * as others from "./others.ts";
import { definitionStrategy } from "../apiextensions/definition-strategy.ts";
import { dropDisabledFields } from "./dropped-fields.ts";
import { podStrategy } from "./pods.ts";
import { serviceStrategy } from "./services.ts";
import { specChanged, type Strategy, withMetadata } from "./strategy.ts";
import { withTransitionTime } from "./transition-time.ts";

export const STRATEGIES: readonly Strategy[] = [
  podStrategy, definitionStrategy, serviceStrategy, others.workloadStrategy, others.statefulSetStrategy, others.deploymentStrategy, others.daemonSetStrategy, others.jobStrategy, others.specOnlyStrategy, others.endpointSliceStrategy,
  others.priorityClassStrategy, others.statusStrategy, others.nodeStrategy, others.certificateStrategy, others.volumeStrategy, others.claimStrategy, others.serviceAccountStrategy, others.namespaceStrategy, others.secretStrategy,
];

const byKind: ReadonlyMap<string, Strategy> = new Map(STRATEGIES.flatMap((s) => s.kinds.map((kind) => [kind, s] as const)));
/** ConfigMaps, service accounts, leases, events, roles: stored as they come. */
const plain: Strategy = { kinds: [], hasGeneration: false, hasStatus: false };

export const strategyFor = (object: { readonly apiVersion: string; readonly kind: string }): Strategy => byKind.get(`${object.apiVersion}/${object.kind}`) ?? plain;

/** Step 9 of a create: server-set fields, after mutating admission and before validation. */
export function prepareForCreate(object: KubeObject): KubeObject {
  const strategy = strategyFor(object);
  const enabled = dropDisabledFields(object);
  const prepared = strategy.prepareForCreate?.(enabled) ?? enabled;
  return strategy.hasGeneration ? withMetadata(prepared, { generation: 1 }) : prepared;
}

/** An update of the main resource: status stays, generation counts changes of what is wanted. */
export function prepareForUpdate(object: KubeObject, old: KubeObject): KubeObject {
  const strategy = strategyFor(object);
  let next: KubeObject = dropDisabledFields(object);
  if (strategy.hasStatus && next.status !== old.status) next = { ...next, status: old.status };
  next = strategy.prepareForUpdate?.(next, old) ?? next;
  if (!strategy.hasGeneration) return next;
  const changed = specChanged(next, old) || (strategy.generationChanged?.(next, old) ?? false);
  const generation = (old.metadata.generation ?? 0) + (changed ? 1 : 0);
  return generation === next.metadata.generation ? next : withMetadata(next, { generation });
}

type Metadata = KubeObject["metadata"];
type MetadataField = "labels" | "annotations" | "finalizers" | "ownerReferences";
/** metav1.ResetObjectMetaForStatus */
const ALL: readonly MetadataField[] = ["labels", "annotations", "finalizers", "ownerReferences"];
/** Metadata that a status strategy puts back; of all other kinds it may change together with the status. */
const RESET_FOR_STATUS: ReadonlyMap<string, readonly MetadataField[]> = new Map<string, readonly MetadataField[]>([
  ["v1/Pod", ["ownerReferences"]], ["apps/v1/Deployment", ["labels"]], ["storage.k8s.io/v1/VolumeAttachment", ALL], ["resource.k8s.io/v1/ResourceClaim", ALL], ["networking.k8s.io/v1/ServiceCIDR", ALL], ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", ALL],
]);

function metadataForStatus(object: KubeObject, { metadata: old }: KubeObject): Metadata {
  const reset = RESET_FOR_STATUS.get(`${object.apiVersion}/${object.kind}`) ?? [];
  const kept = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !(reset as readonly string[]).includes(key))) as Metadata;
  const before = Object.fromEntries(reset.flatMap((key) => (old[key] === undefined ? [] : [[key, old[key]]])));
  return { ...kept, ...before, ...(old.generation === undefined ? {} : { generation: old.generation }) };
}

/** An update through the status subresource: what is wanted stays as it is. */
export function prepareForStatusUpdate(object: KubeObject, old: KubeObject, now = ""): KubeObject {
  const merged: KubeObject = { ...object, spec: old.spec, metadata: metadataForStatus(object, old) };
  if (old.kind === "PersistentVolume") return withTransitionTime(merged, old, now);
  if (old.kind !== "Pod") return merged;
  const before = (old.status ?? {}) as { readonly qosClass?: string };
  const status = (object.status ?? {}) as { readonly qosClass?: string };
  return status.qosClass || !before.qosClass ? merged : { ...merged, status: { ...status, qosClass: before.qosClass } };
}
