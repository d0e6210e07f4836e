/** A field that the API takes, stores and prints, and that no state machine acts on yet. `[*]` stands for any item. */
export interface NotSimulatedField {
  readonly path: string;
  readonly text: string;
}

const volume = (source: string, what: string): NotSimulatedField => ({ path: `spec.volumes[*].${source}`, text: `${what}: no such volume is mounted here; the Pod waits in ContainerCreating` });

const stored = (path: string, why: string): NotSimulatedField => ({ path, text: `stored, but not acted on: ${why}` });

const CONTAINER: readonly NotSimulatedField[] = [
  ...["seLinuxOptions", "procMount", "windowsOptions"].map((field) => stored(`securityContext.${field}`, "nodes have no SELinux and no Windows here")),
  stored("volumeDevices", "block devices"),
  stored("lifecycle.stopSignal", "alpha and off upstream too"),
];

/** Fields of a PodSpec, relative to the Pod or to `spec.template`. */
export const POD_FIELDS: readonly NotSimulatedField[] = [
  { path: "spec.volumes[*].nfs", text: "NFS: no server is asked; each node has a directory of its own for it" },
  ...[["iscsi", "iSCSI"], ["fc", "Fibre Channel"], ["rbd", "Ceph RBD"], ["cephfs", "CephFS"], ["gcePersistentDisk", "Google disks"], ["awsElasticBlockStore", "AWS disks"], ["azureDisk", "Azure disks"], ["azureFile", "Azure files"], ["vsphereVolume", "vSphere disks"], ["portworxVolume", "Portworx"], ["glusterfs", "GlusterFS"], ["flexVolume", "FlexVolume"], ["gitRepo", "git repositories"]].map(([source = "", what = ""]) => volume(source, what)),
  ...[["clusterTrustBundle", "trust bundles"], ["podCertificate", "certificates of Pods"]].map(([source = "", what = ""]): NotSimulatedField => ({ path: `spec.volumes[*].projected.sources[*].${source}`, text: `${what}: the file is left out` })),
  stored("spec.resourceClaims", "devices are allocated and reserved, but the kubelet does not prepare them"),
  ...["seLinuxOptions", "windowsOptions"].map((field) => stored(`spec.securityContext.${field}`, "nodes have no SELinux and no Windows here")),
  stored("spec.os", "every node runs Linux"),
  ...["containers", "initContainers"].flatMap((list) => CONTAINER.map((field) => ({ ...field, path: `spec.${list}[*].${field.path}` }))),
];

/** Kinds whose controllers run here; the others are validated, stored, watched and printed. */
export const KINDS_WITH_CONTROLLERS: ReadonlySet<string> = new Set(["Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "Service", "Namespace", "ServiceAccount", "ConfigMap", "Secret", "Node", "Lease", "Event", "EndpointSlice", "Endpoints", "PriorityClass", "LimitRange", "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "VolumeAttachment", "CSIDriver", "CSINode", "HorizontalPodAutoscaler", "PodDisruptionBudget", "ControllerRevision", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass", "ReplicationController", "VolumeAttributesClass", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "APIService", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "FlowSchema", "PriorityLevelConfiguration", "RuntimeClass", "IngressClass", "List"]);

/** Kinds that only some clusters act on. */
export const KIND_NOTES: Readonly<Record<string, string>> = {
  NetworkPolicy: "enforced by the network plugin: in the cluster with Calico, not by the bridge plugin of the others",
  Ingress: "stored; only an Ingress controller acts on it, and of the clusters here \"cloud\" has one (ingress-nginx): elsewhere ADDRESS stays empty",
};

export const SERVICE_FIELDS: readonly NotSimulatedField[] = [
  stored("spec.loadBalancerClass", "only the cloud's own load balancers are made, for Services that name no class"),
];

/** metrics-server measures processors and memory in the clusters that have it; nothing serves other metrics. */
export const AUTOSCALER_FIELDS: readonly NotSimulatedField[] = ["pods", "object", "external"].map((source) => ({ path: `spec.metrics[*].${source}`, text: "no adapter serves custom or external metrics here: the autoscaler's events say so, as in a cluster without one" }));

/** Kinds that hold a Pod template under spec.template. */
export const TEMPLATE_KINDS: ReadonlySet<string> = new Set(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"]);
