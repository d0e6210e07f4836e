// Models kubernetes/pkg/api/pod/util.go (HasAPIObjectReference, VisitPodSecretNames)
import type { Container, PodSpec, Volume } from "../../api/types.ts";

type Json = Readonly<Record<string, unknown>>;
const json = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const containersOf = (spec: PodSpec): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];

/** Volumes whose source names a Secret, by the field that does. */
const SECRET_SOURCES = ["azureFile", "cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos", "csi"];

function volumeSecret(volume: Volume): boolean {
  const source = volume as unknown as Json;
  if (source["secret"] !== undefined || json(source["azureFile"])["secretName"] !== undefined) return true;
  if (SECRET_SOURCES.some((key) => json(source[key])["secretRef"] !== undefined || json(source[key])["nodePublishSecretRef"] !== undefined)) return true;
  return (volume.projected?.sources ?? []).some((item) => json(item)["secret"] !== undefined);
}

/** Whether anything in the Pod names a Secret. */
export function referencesSecret(spec: PodSpec): boolean {
  const env = containersOf(spec).some((c) => (c.env ?? []).some((e) => json(e.valueFrom)["secretKeyRef"] !== undefined) || (c.envFrom ?? []).some((e) => json(e)["secretRef"] !== undefined));
  return (spec.imagePullSecrets ?? []).length > 0 || env || (spec.volumes ?? []).some(volumeSecret);
}

function referencesConfigMap(spec: PodSpec): boolean {
  const env = containersOf(spec).some((c) => (c.env ?? []).some((e) => json(e.valueFrom)["configMapKeyRef"] !== undefined) || (c.envFrom ?? []).some((e) => json(e)["configMapRef"] !== undefined));
  return env || (spec.volumes ?? []).some((v) => json(v)["configMap"] !== undefined || (v.projected?.sources ?? []).some((s) => json(s)["configMap"] !== undefined));
}

const VOLUME_REFERENCES: readonly (readonly [key: string, text: string])[] = [
  ["csi", "csidrivers (via CSI volumes)"], ["glusterfs", "endpoints (via glusterFS volumes)"], ["persistentVolumeClaim", "persistentvolumeclaims"], ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"], ["azureFile", "secrets (via azureFile volumes)"],
];
const PROJECTED_REFERENCES: readonly (readonly [key: string, text: string])[] = [["serviceAccountToken", "serviceaccounts (via projected volumes)"], ["clusterTrustBundle", "clustertrustbundles"], ["podCertificate", "podcertificates"]];

/** The first kind of API object that the Pod depends on, as upstream names it; a mirror Pod may depend on none. */
export function apiReference(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return "serviceaccounts";
  if (referencesSecret(spec)) return "secrets";
  if (referencesConfigMap(spec)) return "configmaps";
  if ((json(spec)["resourceClaims"] as readonly unknown[] | undefined)?.length) return "resourceclaims";
  for (const volume of spec.volumes ?? []) {
    const direct = VOLUME_REFERENCES.find(([key]) => json(volume)[key] !== undefined);
    if (direct !== undefined) return direct[1];
    for (const source of volume.projected?.sources ?? []) {
      const projected = PROJECTED_REFERENCES.find(([key]) => json(source)[key] !== undefined);
      if (projected !== undefined) return projected[1];
    }
  }
  return undefined;
}
