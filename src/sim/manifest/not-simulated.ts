/** A field that the API takes, stores and prints, and that no state machine acts on yet. `[*]` stands for any item. */
export interface NotSimulatedField {
  readonly path: string;
  readonly text: string;
}

const volume = (source: string, what: string): NotSimulatedField => ({ path: `spec.volumes[*].${source}`, text: `${what}: no such volume is mounted here; the Pod waits in ContainerCreating` });

const stored = (path: string, why: string): NotSimulatedField => ({ path, text: `stored, but not acted on: ${why}` });

const CONTAINER: readonly NotSimulatedField[] = [
  ...["seLinuxOptions", "appArmorProfile", "procMount", "windowsOptions"].map((field) => stored(`securityContext.${field}`, "nodes have no SELinux, no AppArmor and no Windows here")),
  stored("volumeDevices", "block devices"),
  stored("lifecycle.stopSignal", "alpha and off upstream too"),
];

/** Fields of a PodSpec, relative to the Pod or to `spec.template`. */
export const POD_FIELDS: readonly NotSimulatedField[] = [
  volume("ephemeral", "generic ephemeral volumes"),
  volume("csi", "inline CSI volumes"),
  volume("nfs", "NFS"),
  volume("iscsi", "iSCSI"),
  volume("image", "image volumes"),
  volume("rbd", "Ceph RBD"),
  volume("gcePersistentDisk", "Google disks"),
  volume("awsElasticBlockStore", "AWS disks"),
  stored("spec.resourceClaims", "devices are allocated and reserved, but the kubelet does not prepare them"),
  ...["seLinuxOptions", "appArmorProfile", "windowsOptions"].map((field) => stored(`spec.securityContext.${field}`, "nodes have no SELinux, no AppArmor and no Windows here")),
  stored("spec.os", "every node runs Linux"),
  ...["containers", "initContainers"].flatMap((list) => CONTAINER.map((field) => ({ ...field, path: `spec.${list}[*].${field.path}` }))),
];

/** Kinds whose controllers run here; the others are validated, stored, watched and printed. */
export const KINDS_WITH_CONTROLLERS: ReadonlySet<string> = new Set(["Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "Service", "Namespace", "ServiceAccount", "ConfigMap", "Secret", "Node", "Lease", "Event", "EndpointSlice", "Endpoints", "PriorityClass", "LimitRange", "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "VolumeAttachment", "CSIDriver", "CSINode", "HorizontalPodAutoscaler", "PodDisruptionBudget", "ControllerRevision", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass", "ReplicationController", "VolumeAttributesClass", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "APIService", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "FlowSchema", "PriorityLevelConfiguration", "RuntimeClass", "IngressClass", "List"]);

/** Kinds that only some clusters act on. */
export const KIND_NOTES: Readonly<Record<string, string>> = {
  NetworkPolicy: "enforced by the network plugin: in the cluster with Calico, not by the bridge plugin of the others",
};

export const SERVICE_FIELDS: readonly NotSimulatedField[] = [
  stored("spec.externalName", "names outside the cluster"),
  stored("spec.loadBalancerClass", "load balancers of a cloud"),
  stored("spec.externalIPs", "external addresses"),
];

/** metrics-server measures processors and memory in the clusters that have it; nothing serves other metrics. */
export const AUTOSCALER_FIELDS: readonly NotSimulatedField[] = ["pods", "object", "external"].map((source) => ({ path: `spec.metrics[*].${source}`, text: "no adapter serves custom or external metrics here: the autoscaler's events say so, as in a cluster without one" }));

/** Kinds that hold a Pod template under spec.template. */
export const TEMPLATE_KINDS: ReadonlySet<string> = new Set(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"]);
