// Models the embedded ("inline") structs of kubernetes/staging/src/k8s.io/api/*/types.go: invisible in JSON, but named in decoding errors

const fields = (text: string): ReadonlySet<string> => new Set(text.split(" "));

interface Embedding {
  readonly embedded: string;
  readonly has: (field: string) => boolean;
}
const only = (embedded: string, text: string): Embedding => ({ embedded, has: (field) => fields(text).has(field) });
const allBut = (embedded: string, text: string): Embedding => ({ embedded, has: (field) => !fields(text).has(field) });
const REFERENCE = only("LocalObjectReference", "name");
const DEVICE = only("DeviceConfiguration", "opaque");

const EMBEDDINGS: ReadonlyMap<string, Embedding> = new Map([
  ["Volume", allBut("VolumeSource", "name")],
  ["PersistentVolumeSpec", allBut("PersistentVolumeSource", "capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName")],
  ["Probe", only("ProbeHandler", "exec httpGet tcpSocket grpc")],
  ["EphemeralContainer", allBut("EphemeralContainerCommon", "targetContainerName")],
  ["IngressRule", only("IngressRuleValue", "http")],
  ["RuleWithOperations", allBut("Rule", "operations")],
  ...["ConfigMapEnvSource", "ConfigMapKeySelector", "ConfigMapProjection", "ConfigMapVolumeSource", "SecretEnvSource", "SecretKeySelector", "SecretProjection"].map((name) => [name, REFERENCE] as const),
  ...["DeviceAllocationConfiguration", "DeviceClaimConfiguration", "DeviceClassConfiguration"].map((name) => [name, DEVICE] as const),
]);

/** Where Go finds a field: "emptyDir" of Volume is "VolumeSource.emptyDir". */
export function goFieldPath(struct: string, field: string): string {
  if (struct === "NamedRuleWithOperations") return field === "resourceNames" ? field : `RuleWithOperations.${goFieldPath("RuleWithOperations", field)}`;
  const embedding = EMBEDDINGS.get(struct);
  return embedding?.has(field) === true ? `${embedding.embedded}.${field}` : field;
}
