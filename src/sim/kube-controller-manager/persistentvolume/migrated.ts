// Models kubernetes/staging/src/k8s.io/csi-translation-lib/plugins: in-tree volume plugins whose work a CSI driver does
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/storage.ts";
import { BETA_STORAGE_PROVISIONER, PROVISIONED_BY, STORAGE_PROVISIONER } from "../../api/storage.ts";

const DRIVERS: Readonly<Record<string, string>> = {
  "kubernetes.io/aws-ebs": "ebs.csi.aws.com", "kubernetes.io/azure-disk": "disk.csi.azure.com", "kubernetes.io/azure-file": "file.csi.azure.com", "kubernetes.io/cinder": "cinder.csi.openstack.org",
  "kubernetes.io/gce-pd": "pd.csi.storage.gke.io", "kubernetes.io/portworx-volume": "pxd.portworx.com", "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
};
const MIGRATED_TO = "pv.kubernetes.io/migrated-to";

/** The CSI driver that stands in for a plugin; undefined for other names. */
export const driverFor = (plugin: string): string | undefined => DRIVERS[plugin];

export const isMigrated = (volume: PersistentVolume): boolean => (volume.metadata.annotations?.[MIGRATED_TO] ?? "") !== "";

/** updateMigrationAnnotations: the annotation to write (null takes it away); undefined when it is right. */
export function migrationChange(object: PersistentVolume | PersistentVolumeClaim): Readonly<Record<string, string | null>> | undefined {
  const annotations = object.metadata.annotations ?? {};
  const provisioner = object.kind === "PersistentVolume" ? annotations[PROVISIONED_BY] : (annotations[STORAGE_PROVISIONER] ?? annotations[BETA_STORAGE_PROVISIONER]);
  if (provisioner === undefined) return undefined;
  const driver = driverFor(provisioner);
  if ((annotations[MIGRATED_TO] ?? "") === (driver ?? "")) return undefined;
  return { [MIGRATED_TO]: driver ?? null };
}
