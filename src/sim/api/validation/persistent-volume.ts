// Models ValidatePersistentVolume* of kubernetes/pkg/apis/core/validation/validation.go and pkg/volume/validation/pv_validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { internalForm, prettyJson } from "../internal-form.ts";
import { isDNS1123Subdomain } from "../names.ts";
import { canonicalQuantity, toQuantity, value } from "../quantity.ts";
import type { KubeObject, NodeSelectorTerm, Quantity, ResourceList } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { isSet, type Json, json, list, named0, oneOf0, semanticEqual, sortedEntries, spec, text, validateImmutable } from "./helpers.ts";
import { validateAccessModes, VOLUME_MODES } from "./persistent-volume-claim.ts";
import { validateNodeSelector } from "./scheduling.ts";
import { validatePersistentVolumeSource } from "./volume-sources.ts";

/** A quantity that is not negative when rounded up to whole units. */
export const validateBasicResource = (quantity: Quantity, path: string): FieldError[] => (value(quantity) < 0 ? [invalid(path, value(quantity), "must be a valid resource quantity")] : []);

function validateCapacity(capacity: ResourceList, path: string): FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(path)] : []), ...(capacity["storage"] === undefined || names.length > 1 ? [notSupported(path, names.length === 0 ? null : capacity, ["storage"])] : []),
    ...sortedEntries(capacity).flatMap(([name, quantity]) => [...validateBasicResource(quantity, `${path}[${name}]`), ...(toQuantity(quantity).nano > 0n ? [] : [invalid(`${path}[${name}]`, canonicalQuantity(quantity), "must be greater than zero")])]),
  ];
}

const INLINE = "in the context of inline volumes";

/** What a spec inside a VolumeAttachment may not say, since no PersistentVolume stands behind it. */
function validateInline(s: Json, path: string): { readonly first: FieldError[]; readonly policy: FieldError[]; readonly last: FieldError[] } {
  const no = (key: string): FieldError[] => [forbidden(`${path}.${key}`, `may not be specified ${INLINE}`)];
  const policy = text(s["persistentVolumeReclaimPolicy"]);
  return {
    first: [...(isSet(s["claimRef"]) ? no("claimRef") : []), ...(Object.keys(json(s["capacity"])).length > 0 ? no("capacity") : []), ...(isSet(s["csi"]) ? [] : [required(`${path}.csi`, `has to be specified ${INLINE}`)])],
    policy: [...(policy !== "" && policy !== "Retain" ? [forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)] : []), ...(isSet(s["nodeAffinity"]) ? no("nodeAffinity") : [])],
    last: [...(s["storageClassName"] ? no("storageClassName") : []), ...(isSet(s["volumeMode"]) && s["volumeMode"] !== "Filesystem" ? [forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${INLINE}`)] : [])],
  };
}

function validateNodeAffinity(affinity: unknown, path: string): FieldError[] {
  if (!isSet(affinity)) return [];
  const { required: selector } = json(affinity);
  return isSet(selector) ? validateNodeSelector(json(selector) as { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] }, `${path}.required`) : [required(`${path}.required`, "must specify required node constraints")];
}

/** `inline`: the spec stands in a VolumeAttachment. */
export function validatePersistentVolumeSpec(s: Json, name: string, path: string, inline = false): FieldError[] {
  const modes = list(s["accessModes"]).map(text);
  const policy = text(s["persistentVolumeReclaimPolicy"]);
  const within = inline ? validateInline(s, path) : undefined;
  const errors: FieldError[] = [...(within?.first ?? []), ...(modes.length === 0 ? [required(`${path}.accessModes`)] : []), ...validateAccessModes(modes, `${path}.accessModes`)];
  if (within === undefined) {
    errors.push(...validateCapacity(json(s["capacity"]) as ResourceList, `${path}.capacity`));
    errors.push(...(policy === "" ? [] : oneOf0(policy, `${path}.persistentVolumeReclaimPolicy`, ["Delete", "Recycle", "Retain"])), ...validateNodeAffinity(s["nodeAffinity"], `${path}.nodeAffinity`));
  }
  errors.push(...(within?.policy ?? []), ...validatePersistentVolumeSource(s, name, path));
  if (/^\/+(\.?\/*)*$/.test(text(json(s["hostPath"])["path"])) && policy === "Recycle") errors.push(forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"));
  errors.push(...(within?.last ?? [...named0(s["storageClassName"], `${path}.storageClassName`, isDNS1123Subdomain), ...oneOf0(s["volumeMode"], `${path}.volumeMode`, VOLUME_MODES)]));
  const attributes = s["volumeAttributesClassName"];
  if (!isSet(attributes) || inline) return errors;
  const at = `${path}.volumeAttributesClassName`;
  errors.push(...(attributes === "" ? [required(at, "an empty string is disallowed")] : invalidEach(at, attributes, isDNS1123Subdomain(text(attributes)))));
  return isSet(s["csi"]) ? errors : [...errors, required(`${path}.csi`, "has to be specified when using volumeAttributesClassName")];
}

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
const MOUNTABLE = ["gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "nfs", "rbd", "quobyte", "iscsi", "cinder", "cephfs", "azureFile", "vsphereVolume", "azureDisk", "photonPersistentDisk"];

export function validatePersistentVolume(object: KubeObject): FieldError[] {
  const s = spec(object);
  const options = object.metadata.annotations?.[MOUNT_OPTIONS] !== undefined && !MOUNTABLE.some((key) => isSet(s[key]));
  return [...validatePersistentVolumeSpec(s, object.metadata.name ?? "", "spec"), ...(options ? [forbidden(`metadata.annotations.${MOUNT_OPTIONS}`, "may not specify mount options for this volume type")] : [])];
}

/** Labels of old that have another name today: a volume may be moved to the new ones. */
const RENAMED: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region", "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch", "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

/** The old affinity with those labels renamed that the new one has under their new names. */
function renamed(before: unknown, now: unknown): unknown {
  if (Array.isArray(before)) return before.map((item, i) => renamed(item, list(now)[i]));
  if (typeof before !== "object" || before === null) return before;
  const entries = Object.entries(before).map(([key, old]) => [key, key === "key" && RENAMED[text(old)] === json(now)["key"] ? json(now)["key"] : renamed(old, json(now)[key])] as const);
  return Object.fromEntries(entries);
}

const sources = (s: Json): Json => {
  const { capacity: _a, accessModes: _b, claimRef: _c, persistentVolumeReclaimPolicy: _d, storageClassName: _e, mountOptions: _f, volumeMode: _g, nodeAffinity: _h, volumeAttributesClassName: _i, ...rest } = s;
  return rest;
};

export function validatePersistentVolumeUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const before = spec(old);
  const s = spec(object);
  const errors = validatePersistentVolume(object);
  const csi = json(s["csi"]);
  // A secret for expansion may be added later.
  const added = isSet(s["csi"]) && isSet(before["csi"]) && !isSet(json(before["csi"])["controllerExpandSecretRef"]) && isSet(csi["controllerExpandSecretRef"]);
  const { controllerExpandSecretRef: _ref, ...bare } = csi;
  const now = sources(added ? { ...s, csi: bare } : s);
  if (!semanticEqual(now, sources(before))) {
    const diff = unifiedDiff(prettyJson(internalForm(sources(before), "PersistentVolumeSource")), prettyJson(internalForm(now, "PersistentVolumeSource")));
    errors.push(forbidden("spec.persistentvolumesource", `spec.persistentvolumesource is immutable after creation\n${diff}`));
  }
  errors.push(...validateImmutable(s["volumeMode"], before["volumeMode"], "volumeMode"));
  const affinity = s["nodeAffinity"];
  if (isSet(before["nodeAffinity"]) && !semanticEqual(affinity, renamed(before["nodeAffinity"], affinity))) errors.push(invalid("nodeAffinity", affinity ?? null, "field is immutable, except for updating from beta label to GA"));
  if (isSet(before["volumeAttributesClassName"]) && !isSet(s["volumeAttributesClassName"])) errors.push(forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden"));
  return errors;
}
