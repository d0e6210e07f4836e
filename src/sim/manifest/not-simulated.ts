/** A field that the API takes, stores and prints, and that no state machine acts on yet. `[*]` stands for any item. */
export interface NotSimulatedField {
  readonly path: string;
  readonly text: string;
}

const volume = (source: string, what: string): NotSimulatedField => ({ path: `spec.volumes[*].${source}`, text: `${what}: no such volume is mounted here; the Pod waits in ContainerCreating` });

const stored = (path: string, why: string): NotSimulatedField => ({ path, text: `stored, but not acted on: ${why}` });

const CONTAINER: readonly NotSimulatedField[] = [
  stored("securityContext", "processes run with no users, capabilities or SELinux; only runAsNonRoot and runAsUser are checked"),
  stored("stdin", "nothing attaches to a container"),
  stored("tty", "nothing attaches to a container"),
  stored("resizePolicy", "in-place resize"),
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
  stored("spec.runtimeClassName", "there is one runtime, containerd with runc"),
  stored("spec.resourceClaims", "devices are allocated and reserved, but the kubelet does not prepare them"),
  stored("spec.ephemeralContainers", "kubectl debug"),
  stored("spec.setHostnameAsFQDN", "host names"),
  stored("spec.securityContext", "only runAsNonRoot and runAsUser are checked"),
  stored("spec.os", "every node runs Linux"),
  ...["containers", "initContainers"].flatMap((list) => CONTAINER.map((field) => ({ ...field, path: `spec.${list}[*].${field.path}` }))),
];

/** Kinds whose controllers run here; the others are validated, stored, watched and printed. */
export const KINDS_WITH_CONTROLLERS: ReadonlySet<string> = new Set(["Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "Service", "Namespace", "ServiceAccount", "ConfigMap", "Secret", "Node", "Lease", "Event", "EndpointSlice", "Endpoints", "PriorityClass", "LimitRange", "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "VolumeAttachment", "CSIDriver", "CSINode", "HorizontalPodAutoscaler", "PodDisruptionBudget", "ControllerRevision", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass", "Ingress", "IngressClass", "List"]);

/** Kinds on which something acts in some clusters only. */
export const KIND_NOTES: Readonly<Record<string, string>> = {
  Ingress: "Ingress: stored, but this cluster has no Ingress controller: nothing acts on it, and ADDRESS stays empty (the cluster \"cloud\" has ingress-nginx)",
};

export const SERVICE_FIELDS: readonly NotSimulatedField[] = [
  stored("spec.loadBalancerClass", "only the cloud's own load balancers are made, for Services that name no class"),
];

/** No metrics server runs in these clusters: the autoscaler says so in its events, as it would in a real one. */
export const AUTOSCALER_FIELDS: readonly NotSimulatedField[] = [{ path: "spec.metrics", text: "no metrics are collected: the autoscaler finds none and keeps the replicas" }];

/** Kinds that hold a Pod template under spec.template. */
export const TEMPLATE_KINDS: ReadonlySet<string> = new Set(["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController"]);
