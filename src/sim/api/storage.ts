// Models kubernetes/staging/src/k8s.io/api/{core,storage}/v1 as far as volumes are concerned, and the names that several components derive alike
import { sha256 } from "./sha256.ts";
import type { Condition, KubeObject, LabelSelector, NodeSelectorTerm, Pod, ResourceList } from "./types.ts";

export type AccessMode = "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: {
    readonly accessModes?: readonly AccessMode[];
    readonly resources?: { readonly requests?: ResourceList };
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly selector?: LabelSelector;
  };
  readonly status?: {
    readonly phase?: "Pending" | "Bound" | "Lost";
    readonly accessModes?: readonly AccessMode[];
    readonly capacity?: ResourceList;
    readonly currentVolumeAttributesClassName?: string;
    readonly conditions?: readonly Condition[];
    /** Sizes that growing was begun to, and how far it is. */
    readonly allocatedResources?: ResourceList;
    readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
    readonly modifyVolumeStatus?: { readonly targetVolumeAttributesClassName?: string; readonly status?: string };
  };
}

export interface ClaimReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface CSIVolumeSource {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
}

export interface PersistentVolume extends KubeObject {
  readonly spec: {
    readonly capacity?: ResourceList;
    readonly accessModes?: readonly AccessMode[];
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly persistentVolumeReclaimPolicy?: "Delete" | "Retain" | "Recycle";
    readonly claimRef?: ClaimReference;
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] } };
    readonly csi?: CSIVolumeSource;
    readonly hostPath?: { readonly path: string };
    readonly local?: { readonly path: string };
    readonly nfs?: { readonly server: string; readonly path: string };
  };
  readonly status?: { readonly phase?: "Pending" | "Available" | "Bound" | "Released" | "Failed"; readonly message?: string; readonly reason?: string; readonly lastPhaseTransitionTime?: string };
}

export interface StorageClass extends KubeObject {
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: "Delete" | "Retain";
  readonly volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
}

export interface VolumeAttachment extends KubeObject {
  readonly spec: { readonly attacher: string; readonly nodeName: string; readonly source: { readonly persistentVolumeName?: string } };
  readonly status?: { readonly attached?: boolean; readonly attachError?: { readonly time?: string; readonly message?: string }; readonly detachError?: { readonly time?: string; readonly message?: string } };
}

export interface CSIDriver extends KubeObject {
  readonly spec: { readonly attachRequired?: boolean; readonly volumeLifecycleModes?: readonly string[] };
}

export interface CSINode extends KubeObject {
  readonly spec: { readonly drivers?: readonly { readonly name: string; readonly nodeID: string; readonly topologyKeys?: readonly string[] | null }[] };
}

/** The driver that a new cluster comes with. */
export const MILLIPOD_DRIVER = "csi.millipod.example";

export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
export const STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
export const BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

export const classOf = (object: PersistentVolumeClaim | PersistentVolume): string => object.metadata.annotations?.[BETA_CLASS] ?? object.spec.storageClassName ?? "";

/** Whether the claim says anything about its class: "" says that it wants none. */
export const hasClass = (claim: PersistentVolumeClaim): boolean => claim.metadata.annotations?.[BETA_CLASS] !== undefined || claim.spec.storageClassName !== undefined;

/** "default/data": the claims a Pod's volumes name. */
export function claimKeysOf(pod: Pod): readonly string[] {
  const volumes = pod.spec.volumes;
  if (volumes === undefined || !volumes.some((volume) => volume.persistentVolumeClaim ?? volume.ephemeral)) return [];
  const namespace = pod.metadata.namespace ?? "";
  return volumes.flatMap((volume) => {
    if (volume.persistentVolumeClaim) return [`${namespace}/${volume.persistentVolumeClaim.claimName}`];
    return volume.ephemeral ? [`${namespace}/${pod.metadata.name ?? ""}-${volume.name}`] : [];
  });
}

/** A volume that may be attached to several nodes at once: its access modes name more than one node. */
export const allowsMultiAttach = (volume: PersistentVolume): boolean => (volume.spec.accessModes ?? []).some((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");

/** "kubernetes.io/csi/DRIVER^HANDLE": how nodes name a volume in their status. */
export const uniqueVolumeName = (driver: string, handle: string): string => `kubernetes.io/csi/${driver}^${handle}`;

const hex = (text: string): string => sha256(text).map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** Names are asked for at every look at a volume: each is made once. */
const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const made = hex(text);
  hashes.set(text, made);
  return made;
}

/** Name of the VolumeAttachment of a volume on a node. */
export const attachmentName = (handle: string, driver: string, node: string): string => `csi-${hashOf(`${handle}${driver}${node}`)}`;

/** Directory on the node where a CSI volume is staged, once for all its Pods there. */
export const globalMountPath = (driver: string, handle: string): string => `/var/lib/kubelet/plugins/kubernetes.io/csi/${driver}/${hashOf(handle)}/globalmount`;

/** Directory on the node where a volume is published for one Pod. */
export const podMountPath = (uid: string, volume: string): string => `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/${volume}/mount`;
