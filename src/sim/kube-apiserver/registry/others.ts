// Models the strategies of kubernetes/pkg/registry/{apps,batch,core,storage,policy,networking}/*/strategy.go
import { base64Encode } from "../../api/base64.ts";
import type { KubeObject, LabelSelector, Namespace } from "../../api/types.ts";
import { isSet, semanticEqual } from "../../api/validation/helpers.ts";
import { specOf, type Strategy, without, withMetadata } from "./strategy.ts";

type Json = Readonly<Record<string, unknown>>;
const json = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
/** Fields of a new status that Go writes though they are zero (no omitempty in the types of api/*). */
const ZEROS: Readonly<Record<string, Json>> = {
  "apps/v1/ReplicaSet": { replicas: 0 }, "apps/v1/StatefulSet": { replicas: 0, availableReplicas: 0 }, "v1/ReplicationController": { replicas: 0 },
  "apps/v1/DaemonSet": { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  "policy/v1/PodDisruptionBudget": { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  "networking.k8s.io/v1/Ingress": { loadBalancer: {} }, "storage.k8s.io/v1/VolumeAttachment": { attached: false },
  "autoscaling/v1/HorizontalPodAutoscaler": { currentReplicas: 0, desiredReplicas: 0 }, "autoscaling/v2/HorizontalPodAutoscaler": { desiredReplicas: 0, currentMetrics: null },
};
const NOTHING: Json = {};
const emptyStatus = (object: KubeObject): KubeObject => ({ ...object, status: ZEROS[`${object.apiVersion}/${object.kind}`] ?? NOTHING });

/** Kinds with a spec, a status of their own and a generation. */
export const workloadStrategy = {
  kinds: [
    "apps/v1/ReplicaSet", "v1/ReplicationController", "batch/v1/CronJob", "policy/v1/PodDisruptionBudget", "networking.k8s.io/v1/Ingress", "flowcontrol.apiserver.k8s.io/v1/FlowSchema",
    "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",
  ],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: emptyStatus,
} satisfies Strategy;

/** rollingUpdate.maxUnavailable is behind a gate that is off. */
function withoutMaxUnavailable(object: KubeObject): KubeObject {
  const strategy = json(specOf(object)["updateStrategy"]);
  const { maxUnavailable, ...rollingUpdate } = json(strategy["rollingUpdate"]);
  return maxUnavailable === undefined ? object : { ...object, spec: { ...specOf(object), updateStrategy: { ...strategy, rollingUpdate } } };
}

export const statefulSetStrategy = {
  kinds: ["apps/v1/StatefulSet"],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: (object) => emptyStatus(withoutMaxUnavailable(object)),
  prepareForUpdate: (object, old) => (isSet(json(json(specOf(old)["updateStrategy"])["rollingUpdate"])["maxUnavailable"]) ? object : withoutMaxUnavailable(object)),
} satisfies Strategy;

/** Annotations are copied to ReplicaSets, so they count as a change too. */
export const deploymentStrategy = {
  kinds: ["apps/v1/Deployment"],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: emptyStatus,
  generationChanged: (object, old) => !semanticEqual(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
} satisfies Strategy;

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

const withTemplateGeneration = (object: KubeObject, generation: number): KubeObject => withMetadata(object, { annotations: { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) } });

/** spec.templateGeneration of old, which counts changes of the template, lives on as an annotation. */
export const daemonSetStrategy = {
  kinds: ["apps/v1/DaemonSet"],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: (object) => withTemplateGeneration(emptyStatus(object), 1),
  prepareForUpdate(object, old) {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1) || 1;
    return withTemplateGeneration(object, semanticEqual(specOf(object)["template"], specOf(old)["template"]) ? before : before + 1);
  },
} satisfies Strategy;

const UID_LABELS = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const NAME_LABELS = ["job-name", "batch.kubernetes.io/job-name"];

/** A Job selects its own Pods by its uid, unless it says manualSelector. */
function generateSelector(job: KubeObject): KubeObject {
  const spec = specOf(job);
  if (spec["manualSelector"] === true) return job;
  const uid = job.metadata.uid ?? "";
  const template = json(spec["template"]);
  const metadata = json(template["metadata"]);
  const generated = Object.fromEntries([...NAME_LABELS.map((key) => [key, job.metadata.name ?? ""]), ...UID_LABELS.map((key) => [key, uid])]);
  const selector = (spec["selector"] ?? {}) as LabelSelector;
  // A Job without labels took its template's by defaulting, and upstream keeps them in one map: what is added here shows there too.
  const shared = semanticEqual(job.metadata.labels, metadata["labels"]) && metadata["labels"] !== undefined;
  return {
    ...job,
    ...(shared ? { metadata: { ...job.metadata, labels: { ...generated, ...job.metadata.labels } } } : {}),
    spec: {
      ...spec,
      selector: { ...selector, matchLabels: { "batch.kubernetes.io/controller-uid": uid, ...selector.matchLabels } },
      template: { ...template, metadata: { ...metadata, labels: { ...generated, ...json(metadata["labels"]) } } },
    },
  };
}

export const jobStrategy = {
  kinds: ["batch/v1/Job"],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: (object) => emptyStatus(generateSelector(object)),
} satisfies Strategy;

/** Whether anything changed beside the metadata. */
function restChanged(object: KubeObject, old: KubeObject): boolean {
  const rest = (o: KubeObject): Json => json(without(without(o, "metadata"), "spec"));
  return !semanticEqual(rest(object), rest(old));
}

/** Kinds with a generation but no status. */
export const specOnlyStrategy = {
  kinds: [
    "networking.k8s.io/v1/NetworkPolicy", "networking.k8s.io/v1/IngressClass", "v1/PodTemplate",
    "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding",
  ],
  hasGeneration: true,
  hasStatus: false,
  generationChanged: restChanged,
} satisfies Strategy;

/** Labels count too: they say which Service a slice belongs to. */
export const endpointSliceStrategy = {
  kinds: ["discovery.k8s.io/v1/EndpointSlice"],
  hasGeneration: true,
  hasStatus: false,
  generationChanged: (object, old) => restChanged(object, old) || !semanticEqual(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
} satisfies Strategy;

/** Its first generation is its last: what counts cannot change. */
export const priorityClassStrategy = { kinds: ["scheduling.k8s.io/v1/PriorityClass"], hasGeneration: true, hasStatus: false } satisfies Strategy;

/** Kinds with a status subresource and no generation. */
export const statusStrategy = {
  kinds: ["v1/ResourceQuota", "storage.k8s.io/v1/VolumeAttachment", "autoscaling/v1/HorizontalPodAutoscaler", "autoscaling/v2/HorizontalPodAutoscaler", "networking.k8s.io/v1/ServiceCIDR"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate: emptyStatus,
} satisfies Strategy;

/** spec.configSource is a removed feature: nothing of it is stored. */
function withoutConfigSource(object: KubeObject): KubeObject {
  if (!isSet(specOf(object)["configSource"])) return object;
  const { configSource: _configSource, ...spec } = specOf(object);
  return { ...object, spec };
}

/** A node registers with its status; other kinds start with an empty one. */
export const nodeStrategy = { kinds: ["v1/Node"], hasGeneration: false, hasStatus: true, prepareForCreate: withoutConfigSource, prepareForUpdate: (object) => withoutConfigSource(object) } satisfies Strategy;

/** What is asked for cannot change; what is answered comes by the subresources. */
export const certificateStrategy = {
  kinds: ["certificates.k8s.io/v1/CertificateSigningRequest"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate: emptyStatus,
  prepareForUpdate: (object, old) => ({ ...object, spec: old.spec }),
} satisfies Strategy;

export const volumeStrategy = {
  kinds: ["v1/PersistentVolume"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate: (object) => ({ ...object, status: { phase: "Pending", ...(object.metadata.creationTimestamp === undefined ? {} : { lastPhaseTransitionTime: object.metadata.creationTimestamp }) } }),
} satisfies Strategy;

const isClaimOrSnapshot = (source: Json): boolean => (source["kind"] === "PersistentVolumeClaim" && !source["apiGroup"]) || (source["kind"] === "VolumeSnapshot" && source["apiGroup"] === "snapshot.storage.k8s.io");

/** dataSource and dataSourceRef say the same, in so far as the older one can. Sources in other namespaces are behind a gate that is off. */
function withDataSources(object: KubeObject): KubeObject {
  const { dataSource, dataSourceRef, ...spec } = specOf(object);
  if (!isSet(dataSource) && !isSet(dataSourceRef)) return object;
  const old = isSet(dataSource) && isClaimOrSnapshot(json(dataSource)) ? json(dataSource) : undefined;
  const ref = isSet(dataSourceRef) && !isSet(json(dataSourceRef)["namespace"]) ? json(dataSourceRef) : undefined;
  const copied = old ?? (ref !== undefined && isClaimOrSnapshot(ref) ? ref : undefined);
  const now = ref ?? old;
  return { ...object, spec: { ...spec, ...(copied === undefined ? {} : { dataSource: copied }), ...(now === undefined ? {} : { dataSourceRef: now }) } };
}

export const claimStrategy = {
  kinds: ["v1/PersistentVolumeClaim"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate: (object) => ({ ...withDataSources(object), status: { phase: "Pending" } }),
  prepareForUpdate: (object) => withDataSources(object),
} satisfies Strategy;

/** Of the secrets of an account only the names count. */
function withSecretNames(object: KubeObject): KubeObject {
  const secrets = (object as unknown as Json)["secrets"];
  return Array.isArray(secrets) ? ({ ...object, secrets: secrets.map((secret: unknown) => ({ name: json(secret)["name"] })) } as unknown as KubeObject) : object;
}

export const serviceAccountStrategy = { kinds: ["v1/ServiceAccount"], hasGeneration: false, hasStatus: false, prepareForCreate: withSecretNames, prepareForUpdate: (object) => withSecretNames(object) } satisfies Strategy;

/** The finalizer "kubernetes" is what holds a namespace until its content is gone. */
export const namespaceStrategy = {
  kinds: ["v1/Namespace"],
  hasGeneration: false,
  hasStatus: true,
  prepareForCreate(object) {
    const namespace = object as Namespace;
    const finalizers = namespace.spec?.finalizers ?? [];
    const labelled = withMetadata(namespace, { labels: { ...namespace.metadata.labels, "kubernetes.io/metadata.name": namespace.metadata.name ?? "" } });
    return { ...labelled, spec: { ...namespace.spec, finalizers: finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"] }, status: { phase: "Active" } };
  },
  prepareForUpdate: (object, old) => ({ ...object, spec: old.spec }),
} satisfies Strategy;

/** stringData is written, never read: it goes into data, as soon as it is decoded. */
export function mergeStringData(object: KubeObject): KubeObject {
  const secret = object as KubeObject & { readonly data?: Json; readonly stringData?: Readonly<Record<string, string>> };
  if (!secret.stringData) return object;
  const encoded = Object.fromEntries(Object.entries(secret.stringData).map(([key, value]) => [key, base64Encode(value)]));
  return { ...without(secret, "stringData"), data: { ...secret.data, ...encoded } } as KubeObject;
}

export const secretStrategy = {
  kinds: ["v1/Secret"],
  hasGeneration: false,
  hasStatus: false,
  prepareForCreate: mergeStringData,
  prepareForUpdate: mergeStringData,
} satisfies Strategy;
