// Models kubernetes/staging/src/k8s.io/csi-translation-lib/translate.go and plugins/*, as far as a volume gets a driver and a handle
import type { CSINode } from "./listers.ts";

/** A disk as a CSI driver knows it: the two together are one volume. */
export interface CsiSource {
  readonly driver: string;
  readonly volumeHandle: string;
}

interface InTree {
  /** The provisioner's name in a StorageClass. */
  readonly plugin: string;
  readonly driver: string;
  readonly source: string;
  readonly id: string;
  /** Migration is on for good: then the driver does the plugin's work wherever it is installed. */
  readonly on: boolean;
}

const IN_TREE: readonly InTree[] = [
  { plugin: "kubernetes.io/gce-pd", driver: "pd.csi.storage.gke.io", source: "gcePersistentDisk", id: "pdName", on: true },
  { plugin: "kubernetes.io/aws-ebs", driver: "ebs.csi.aws.com", source: "awsElasticBlockStore", id: "volumeID", on: true },
  { plugin: "kubernetes.io/cinder", driver: "cinder.csi.openstack.org", source: "cinder", id: "volumeID", on: true },
  { plugin: "kubernetes.io/azure-disk", driver: "disk.csi.azure.com", source: "azureDisk", id: "diskURI", on: true },
  { plugin: "kubernetes.io/portworx-volume", driver: "pxd.portworx.com", source: "portworxVolume", id: "volumeID", on: true },
  { plugin: "kubernetes.io/azure-file", driver: "file.csi.azure.com", source: "azureFile", id: "shareName", on: false },
  { plugin: "kubernetes.io/vsphere-volume", driver: "csi.vsphere.vmware.com", source: "vsphereVolume", id: "volumePath", on: false },
];

type Sources = Readonly<Record<string, unknown>>;

const inTreeOf = (spec: object): InTree | undefined => IN_TREE.find(({ source }) => Boolean((spec as Sources)[source]));

/** Is this volume of a Pod (or this PersistentVolume's spec) one that a CSI driver has taken over? */
export const isMigratable = (spec: object): boolean => inTreeOf(spec) !== undefined;

/** The driver's name for such a volume on this node; undefined for other volumes and where the node has no CSINode. */
export function translated(spec: object, csiNode: CSINode | undefined, zone = ""): CsiSource | undefined {
  const found = inTreeOf(spec);
  if (!found?.on || !csiNode) return undefined;
  const id = String(((spec as Sources)[found.source] as Sources)[found.id] ?? "");
  // aws://ZONE/vol-1 and vol-1 are one volume; a GCE disk is one only with its zone.
  const handle = found.source === "awsElasticBlockStore" ? (id.split("/").at(-1) ?? id) : found.source === "gcePersistentDisk" ? `projects/UNSPECIFIED/zones/${zone || "UNSPECIFIED"}/disks/${id}` : id;
  return { driver: found.driver, volumeHandle: handle };
}

/** The driver that makes the volumes of a StorageClass on this node; undefined if nobody counts them there. */
export function driverOf(provisioner: string, csiNode: CSINode | undefined): string | undefined {
  const found = IN_TREE.find(({ plugin }) => plugin === provisioner);
  if (!found) return provisioner || undefined;
  return found.on && csiNode ? found.driver : undefined;
}
