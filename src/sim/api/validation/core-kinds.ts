// Models the validation of configuration and cluster kinds of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { byteLength, isConfigMapKey, isDNS1123Subdomain, isQualifiedName, isValidCIDR } from "../names.ts";
import { canonicalQuantity, compareQuantity, toQuantity } from "../quantity.ts";
import type { KubeObject, NodeSelectorTerm, Quantity, ResourceList, Taint } from "../types.ts";
import { type Json, json, list, semanticEqual, sortedEntries, text, validateImmutable } from "./helpers.ts";
import { validatePathNoBacksteps } from "./paths.ts";
import { ACCESS_MODES, VOLUME_MODES } from "./persistent-volume-claim.ts";
import { validateResourceName, validateResourceQuantityValue } from "./resources.ts";
import { validateNodeSelector, validateTaints } from "./scheduling.ts";

/** Secrets and config maps: 1 MiB of data. */
const MAX_DATA_SIZE = 1_048_576;

type Texts = Readonly<Record<string, string>>;
const data = (object: KubeObject, key: string): Texts => json((object as unknown as Json)[key]) as Texts;
const decodedSize = (base64: string): number => Math.floor((base64.length * 3) / 4) - (/=*$/.exec(base64)?.[0].length ?? 0);

export function validateConfigMap(object: KubeObject): FieldError[] {
  const binary = data(object, "binaryData");
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of sortedEntries(data(object, "data"))) {
    errors.push(...invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
    if (Object.hasOwn(binary, key)) errors.push(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    size += byteLength(value);
  }
  for (const [key, value] of sortedEntries(binary)) {
    errors.push(...invalidEach(`binaryData[${key}]`, key, isConfigMapKey(key)));
    size += decodedSize(value);
  }
  return size > MAX_DATA_SIZE ? [...errors, tooLong("", MAX_DATA_SIZE)] : errors;
}

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"], "kubernetes.io/dockerconfigjson": [".dockerconfigjson"], "kubernetes.io/ssh-auth": ["ssh-privatekey"], "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

export function validateSecret(object: KubeObject): FieldError[] {
  const values = data(object, "data");
  const errors = sortedEntries(values).flatMap(([key]) => invalidEach(`data[${key}]`, key, isConfigMapKey(key)));
  if (Object.values(values).reduce((sum, value) => sum + decodedSize(value), 0) > MAX_DATA_SIZE) errors.push(tooLong("data", MAX_DATA_SIZE));
  const type = text((object as unknown as Json)["type"]);
  for (const key of SECRET_KEYS[type] ?? []) if (!Object.hasOwn(values, key)) errors.push(required(`data[${key}]`));
  if (type === "kubernetes.io/basic-auth" && !Object.hasOwn(values, "username") && !Object.hasOwn(values, "password")) errors.push(required("data[username]"), required("data[password]"));
  const account = "kubernetes.io/service-account.name";
  if (type === "kubernetes.io/service-account-token" && !object.metadata.annotations?.[account]) errors.push(required(`metadata.annotations[${account}]`));
  return errors;
}

/** Objects marked immutable keep their data and the mark. */
export function validateImmutableData(object: KubeObject, old: KubeObject): FieldError[] {
  const now = object as unknown as Json;
  const before = old as unknown as Json;
  const errors = object.kind === "Secret" ? validateImmutable(now["type"], before["type"], "type") : [];
  if (before["immutable"] !== true) return errors;
  const immutable = "field is immutable when `immutable` is set";
  if (now["immutable"] !== true) errors.push(forbidden("immutable", immutable));
  for (const key of object.kind === "Secret" ? ["data"] : ["data", "binaryData"]) if (!semanticEqual(now[key], before[key])) errors.push(forbidden(key, immutable));
  return errors;
}

export function validateNamespaceSpec(object: KubeObject): FieldError[] {
  return list(json(object.spec)["finalizers"]).map(text).flatMap((name) => {
    const bad = invalidEach("spec.finalizers", name, isQualifiedName(name));
    return bad.length === 0 && !name.includes("/") && !["kubernetes", "orphan", "foregroundDeletion"].includes(name)
      ? [invalid("spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified")]
      : bad;
  });
}

export function validateNodeSpec(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const status = json(object.status);
  const errors = validateTaints(spec["taints"] as readonly Taint[] | undefined, "metadata.taints");
  for (const [name, quantity] of sortedEntries(status["capacity"] as ResourceList | undefined)) errors.push(...validateResourceQuantityValue(name, quantity, `status.capacity[${name}]`));
  for (const [name, quantity] of sortedEntries(status["allocatable"] as ResourceList | undefined)) errors.push(...validateResourceQuantityValue(name, quantity, `status.allocatable[${name}]`));
  for (const [i, cidr] of list(spec["podCIDRs"]).entries()) errors.push(...invalidEach(`spec.podCIDRs[${i}]`, cidr, isValidCIDR(text(cidr))));
  return errors;
}

export function validateNodeSpecUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const before = json(old.spec);
  const errors: FieldError[] = [];
  if (list(before["podCIDRs"]).length > 0 && !semanticEqual(spec["podCIDRs"], before["podCIDRs"])) errors.push(forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  if (before["providerID"] && before["providerID"] !== spec["providerID"]) errors.push(forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  return errors;
}

function validateLimitItem(item: Json, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const map = (key: string): ResourceList => json(item[key]) as ResourceList;
  const names = new Set(["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"].flatMap((key) => Object.keys(map(key))));
  if (item["type"] === "Pod") {
    for (const key of ["default", "defaultRequest"]) if (Object.keys(map(key)).length > 0) errors.push(forbidden(`${at}.${key}`, "may not be specified when `type` is 'Pod'"));
  }
  if (item["type"] === "PersistentVolumeClaim" && map("min")["storage"] === undefined && map("max")["storage"] === undefined) errors.push(required(`${at}.limits`, "either minimum or maximum storage value is required, but neither was provided"));
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    errors.push(...validateResourceName(name, `${at}.${Object.hasOwn(map("max"), name) ? "max" : "min"}[${name}]`));
    errors.push(...validateLimitOrder(name, map, at));
  }
  return errors;
}

/** min <= default request <= default limit <= max, and ratios above one. */
function validateLimitOrder(name: string, map: (key: string) => ResourceList, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const [min, max, limit, request, ratio] = ["min", "max", "default", "defaultRequest", "maxLimitRequestRatio"].map((key) => map(key)[name]);
  const above = (a: Quantity | undefined, b: Quantity | undefined): boolean => a !== undefined && b !== undefined && compareQuantity(a, b) > 0;
  const shown = (q: Quantity | undefined): string => canonicalQuantity(q ?? 0);
  if (above(min, max)) errors.push(invalid(`${at}.min[${name}]`, shown(min), `min value ${shown(min)} is greater than max value ${shown(max)}`));
  if (above(min, request)) errors.push(invalid(`${at}.defaultRequest[${name}]`, shown(request), `min value ${shown(min)} is greater than default request value ${shown(request)}`));
  if (above(request, max)) errors.push(invalid(`${at}.defaultRequest[${name}]`, shown(request), `default request value ${shown(request)} is greater than max value ${shown(max)}`));
  if (above(request, limit)) errors.push(invalid(`${at}.defaultRequest[${name}]`, shown(request), `default request value ${shown(request)} is greater than default limit value ${shown(limit)}`));
  if (above(min, limit)) errors.push(invalid(`${at}.default[${name}]`, shown(limit), `min value ${shown(min)} is greater than default value ${shown(limit)}`));
  if (above(limit, max)) errors.push(invalid(`${at}.default[${name}]`, shown(limit), `default value ${shown(limit)} is greater than max value ${shown(max)}`));
  if (ratio !== undefined && compareQuantity(ratio, "1") < 0) errors.push(invalid(`${at}.maxLimitRequestRatio[${name}]`, shown(ratio), `ratio ${shown(ratio)} is less than 1`));
  return errors;
}

export function validateLimitRangeSpec(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return list(json(object.spec)["limits"]).flatMap((value, i) => {
    const item = json(value);
    const at = `spec.limits[${i}]`;
    const type = text(item["type"]);
    const errors = invalidEach(`${at}.type`, type, isQualifiedName(type));
    if (seen.has(type)) errors.push(duplicate(`${at}.type`, type));
    seen.add(type);
    return [...errors, ...validateLimitItem(item, at)];
  });
}

const QUOTA_SCOPES = ["BestEffort", "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "PriorityClass", "Terminating", "VolumeAttributesClass"];

export function validateResourceQuotaSpec(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const errors: FieldError[] = [];
  for (const [name, quantity] of sortedEntries(spec["hard"] as ResourceList | undefined)) {
    const at = `spec.hard[${name}]`;
    const counted = /^(count\/|requests\.)/.test(name) || name.includes(".storageclass.storage.k8s.io/");
    errors.push(...(counted ? invalidEach(at, name, isQualifiedName(name)) : validateResourceName(name, at)), ...validateResourceQuantityValue(name, quantity, at));
  }
  for (const scope of list(spec["scopes"]).map(text)) if (!QUOTA_SCOPES.includes(scope)) errors.push(invalid("spec.scopes", spec["scopes"], "unsupported scope"));
  return errors;
}

const PV_SOURCES = ["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte", "cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "scaleIO", "local", "storageos", "csi"];

function validateVolumeSource(spec: Json): FieldError[] {
  const set = PV_SOURCES.filter((name) => spec[name] !== undefined);
  if (set.length === 0) return [required("spec", "must specify a volume type")];
  const errors = set.slice(1).map((name) => forbidden(`spec.${name}`, "may not specify more than 1 volume type"));
  const name = set[0] ?? "";
  const source = json(spec[name]);
  const need = (...keys: string[]): void => {
    for (const key of keys) if (!source[key]) errors.push(required(`spec.${name}.${key}`));
  };
  if (name === "csi") need("driver", "volumeHandle");
  if (name === "nfs") need("server", "path");
  if (name === "hostPath" || name === "local") need("path");
  if (name === "hostPath") errors.push(...validatePathNoBacksteps(text(source["path"]), "spec.hostPath.path"));
  if (name === "local" && spec["nodeAffinity"] === undefined) errors.push(required("spec.nodeAffinity", "Local volume requires node affinity"));
  return errors;
}

export function validatePersistentVolumeSpec(object: KubeObject): FieldError[] {
  const spec = json(object.spec);
  const errors: FieldError[] = [];
  const modes = list(spec["accessModes"]).map(text);
  if (modes.length === 0) errors.push(required("spec.accessModes"));
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported("spec.accessModes", mode, ACCESS_MODES));
  const capacity = json(spec["capacity"]) as ResourceList;
  if (Object.keys(capacity).length === 0) errors.push(required("spec.capacity"));
  if (capacity["storage"] === undefined || Object.keys(capacity).length > 1) errors.push(notSupported("spec.capacity", Object.keys(capacity).length === 0 ? null : capacity, ["storage"]));
  for (const [name, quantity] of sortedEntries(capacity)) if (toQuantity(quantity).nano <= 0n) errors.push(invalid(`spec.capacity[${name}]`, quantity, "must be greater than zero"));
  const policy = text(spec["persistentVolumeReclaimPolicy"]);
  if (policy !== "" && !["Delete", "Recycle", "Retain"].includes(policy)) errors.push(notSupported("spec.persistentVolumeReclaimPolicy", policy, ["Delete", "Recycle", "Retain"]));
  const affinity = json(spec["nodeAffinity"])["required"];
  if (affinity !== undefined) errors.push(...validateNodeSelector(json(affinity) as { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] }, "spec.nodeAffinity.required"));
  errors.push(...validateVolumeSource(spec));
  const className = text(spec["storageClassName"]);
  if (className !== "") errors.push(...invalidEach("spec.storageClassName", className, isDNS1123Subdomain(className)));
  const mode = spec["volumeMode"];
  if (mode !== undefined && !VOLUME_MODES.includes(text(mode))) errors.push(notSupported("spec.volumeMode", mode, VOLUME_MODES));
  return errors;
}
