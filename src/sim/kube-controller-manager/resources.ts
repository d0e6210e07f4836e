// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/api/meta/restmapper.go: where each kind lives
import type { KubeObject } from "../api/types.ts";

export interface ResourceInfo {
  readonly kind: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

const row = (apiVersion: string, kind: string, resource: string, namespaced = true): ResourceInfo => ({ apiVersion, kind, resource, namespaced });

/** The kinds that controllers of the simulation read or write. */
export const RESOURCES: readonly ResourceInfo[] = [
  row("v1", "Pod", "pods"),
  row("v1", "Service", "services"),
  row("v1", "Endpoints", "endpoints"),
  row("v1", "ConfigMap", "configmaps"),
  row("v1", "Secret", "secrets"),
  row("v1", "ServiceAccount", "serviceaccounts"),
  row("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
  row("v1", "ReplicationController", "replicationcontrollers"),
  row("v1", "LimitRange", "limitranges"),
  row("v1", "ResourceQuota", "resourcequotas"),
  row("v1", "PodTemplate", "podtemplates"),
  row("v1", "Event", "events"),
  row("v1", "Node", "nodes", false),
  row("v1", "Namespace", "namespaces", false),
  row("v1", "PersistentVolume", "persistentvolumes", false),
  row("apps/v1", "Deployment", "deployments"),
  row("apps/v1", "ReplicaSet", "replicasets"),
  row("apps/v1", "StatefulSet", "statefulsets"),
  row("apps/v1", "DaemonSet", "daemonsets"),
  row("apps/v1", "ControllerRevision", "controllerrevisions"),
  row("batch/v1", "Job", "jobs"),
  row("batch/v1", "CronJob", "cronjobs"),
  row("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"),
  row("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"),
  row("discovery.k8s.io/v1", "EndpointSlice", "endpointslices"),
  row("coordination.k8s.io/v1", "Lease", "leases"),
  row("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", false),
  row("certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", false),
  row("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", false),
  row("storage.k8s.io/v1", "StorageClass", "storageclasses", false),
  row("storage.k8s.io/v1", "VolumeAttachment", "volumeattachments", false),
  row("storage.k8s.io/v1", "CSIDriver", "csidrivers", false),
  row("storage.k8s.io/v1", "VolumeAttributesClass", "volumeattributesclasses", false),
  row("resource.k8s.io/v1", "ResourceClaim", "resourceclaims"),
  row("resource.k8s.io/v1", "ResourceClaimTemplate", "resourceclaimtemplates"),
  row("networking.k8s.io/v1", "Ingress", "ingresses"),
  row("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"),
  row("rbac.authorization.k8s.io/v1", "Role", "roles"),
  row("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
];

const byKind = new Map(RESOURCES.map((info) => [info.kind, info]));
const byResource = new Map(RESOURCES.map((info) => [info.resource, info]));

export const resourceOfKind = (kind: string): ResourceInfo | undefined => byKind.get(kind);
export const infoOfResource = (resource: string): ResourceInfo | undefined => byResource.get(resource);

const root = (apiVersion: string): string => (apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`);

/** "/apis/apps/v1/namespaces/default/replicasets", or over all namespaces without one. */
export function collectionPath(kind: string, namespace?: string): string {
  const info = byKind.get(kind);
  const base = root(info?.apiVersion ?? "v1");
  const resource = info?.resource ?? `${kind.toLowerCase()}s`;
  return namespace && info?.namespaced !== false ? `${base}/namespaces/${namespace}/${resource}` : `${base}/${resource}`;
}

/** The same by what discovery says of a resource. */
export const collectionOf = ({ apiVersion, resource }: ResourceInfo, namespace: string): string => `${root(apiVersion)}/namespaces/${namespace}/${resource}`;

export const pathOf = (kind: string, namespace: string | undefined, name: string): string => `${collectionPath(kind, namespace)}/${name}`;

export const objectPath = (object: KubeObject): string => pathOf(object.kind, object.metadata.namespace, object.metadata.name ?? "");

/** "pod/default/nginx", "node/worker-node-03": how hops and notes name an object. */
export function subjectOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${object.kind.toLowerCase()}/${namespace}/${name ?? ""}` : `${object.kind.toLowerCase()}/${name ?? ""}`;
}
