// Models the volume sources that Pods and PersistentVolumes share, of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { byteLength, inclusiveRangeError, isDNS1123Label, isDNS1123Subdomain } from "../names.ts";
import { isSet, type Json, json, list, named, named0, oneOf0, requireFields, sortedEntries, text } from "./helpers.ts";
import { validatePathNoBacksteps } from "./paths.ts";

const HOST_PATH_TYPES = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

export type SourceValidator = (source: Json, path: string) => FieldError[];

export const validateHostPath: SourceValidator = (source, path) =>
  source["path"] ? [...validatePathNoBacksteps(text(source["path"]), `${path}.path`), ...oneOf0(source["type"], `${path}.type`, HOST_PATH_TYPES)] : [required(`${path}.path`)];

export const validateNFS: SourceValidator = (source, path) => [
  ...requireFields(source, path, ["server", "path"]), ...(text(source["path"]).startsWith("/") ? [] : [invalid(`${path}.path`, text(source["path"]), "must be an absolute path")]),
];

const inRange = (value: unknown, path: string, low: number, high: number): FieldError[] => (typeof value === "number" && (value < low || value > high) ? [invalid(path, value, inclusiveRangeError(low, high))] : []);

/** Disks of clouds whose drivers are gone: the partition is a byte that may be 0. */
const partition: SourceValidator = (source, path) => (typeof source["partition"] === "number" && (source["partition"] < 0 || source["partition"] > 255) ? [invalid(`${path}.partition`, source["partition"], inclusiveRangeError(1, 255))] : []);

const INITIATORS: readonly (readonly [string, RegExp])[] = [["iqn", /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/], ["eui", /^eui.[A-Za-z0-9]{16}$/], ["naa", /^naa.[A-Za-z0-9]{32}$/]];

function validateInitiator(name: string, path: string, unknown: string): FieldError[] {
  const format = INITIATORS.find(([prefix]) => name.startsWith(prefix));
  if (format === undefined) return [invalid(path, name, unknown)];
  return format[1].test(name) ? [] : [invalid(path, name, "must be valid format")];
}

/** Of a Pod's volume when `owner` is unset, else of the PersistentVolume of that name. */
export function validateISCSI(source: Json, path: string, owner?: string): FieldError[] {
  const prefixed = "must be valid format starting with iqn, eui, or naa";
  const { iqn, initiatorName, secretRef } = source;
  const errors = requireFields(source, path, ["targetPortal"]);
  const long = isSet(initiatorName) && owner !== undefined && byteLength(`${owner}:${text(source["targetPortal"])}`) > 64;
  if (long) errors.push(invalid(`${path}.targetportal`, source["targetPortal"], ISCSI_LENGTH));
  errors.push(...(iqn ? validateInitiator(text(iqn), `${path}.iqn`, owner === undefined ? prefixed : "must be valid format") : [required(`${path}.iqn`)]));
  errors.push(...inRange(source["lun"], `${path}.lun`, 0, 255));
  if ((source["chapAuthDiscovery"] || source["chapAuthSession"]) && !isSet(secretRef)) errors.push(required(`${path}.secretRef`));
  if (owner !== undefined && isSet(secretRef) && !json(secretRef)["name"]) errors.push(required(`${path}.secretRef.name`));
  return isSet(initiatorName) ? [...errors, ...validateInitiator(text(initiatorName), `${path}.initiatorname`, prefixed)] : errors;
}
export const ISCSI_LENGTH = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";

function validateFC(source: Json, path: string): FieldError[] {
  const names = list(source["targetWWNs"]);
  const ids = list(source["wwids"]);
  const errors: FieldError[] = [];
  if (names.length + ids.length === 0) errors.push(required(`${path}.targetWWNs`, "must specify either targetWWNs or wwids, but not both"));
  if (names.length > 0 && ids.length > 0) errors.push(invalid(`${path}.targetWWNs`, names, "targetWWNs and wwids can not be specified simultaneously"));
  if (names.length === 0) return errors;
  return [...errors, ...(isSet(source["lun"]) ? inRange(source["lun"], `${path}.lun`, 0, 255) : [required(`${path}.lun`, "lun is required if targetWWNs is specified")])];
}

function validateFlocker(source: Json, path: string): FieldError[] {
  const name = text(source["datasetName"]);
  const id = text(source["datasetUUID"]);
  return [
    ...(name === "" && id === "" ? [required(path, "one of datasetName and datasetUUID is required")] : []),
    ...(name !== "" && id !== "" ? [invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously")] : []),
    ...(name.includes("/") ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

const HOST_PORT = "must be a host:port pair or multiple pairs separated by commas";

function validateQuobyte(source: Json, path: string): FieldError[] {
  const registry = text(source["registry"]);
  const errors: FieldError[] = [];
  if (registry === "") errors.push(required(`${path}.registry`, HOST_PORT));
  else if (byteLength(text(source["tenant"])) >= 65) errors.push(required(`${path}.tenant`, "must be a UUID and may not exceed a length of 64 characters"));
  else for (const pair of registry.split(",")) if (!/^(\[[^\]]*\]|[^:[\]]*):[^:]*$/.test(pair)) errors.push(invalid(`${path}.registry`, registry, HOST_PORT));
  return [...errors, ...requireFields(source, path, ["volume"])];
}

const validateFlex: SourceValidator = (source, path) => [
  ...requireFields(source, path, ["driver"]),
  ...sortedEntries(json(source["options"])).flatMap(([key]) => (/\.(kubernetes|k8s)\.io$/.test(`.${(key.split("/")[0] ?? "").toLowerCase()}`) ? [invalid(`${path}.options[${key}]`, key, "kubernetes.io and k8s.io namespaces are reserved")] : [])),
];

function validateAzureDisk(source: Json, path: string): FieldError[] {
  const { kind, diskURI } = source;
  const uri = text(diskURI);
  const errors = [...requireFields(source, path, ["diskName", "diskURI"]), ...oneOf0(source["cachingMode"], `${path}.cachingMode`, ["None", "ReadOnly", "ReadWrite"]), ...oneOf0(kind, `${path}.kind`, ["Dedicated", "Managed", "Shared"])];
  if (kind === "Managed" && !uri.startsWith("/subscriptions/")) errors.push(notSupported(`${path}.diskURI`, uri, ["/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"]));
  if (isSet(kind) && kind !== "Managed" && !uri.startsWith("https://")) errors.push(notSupported(`${path}.diskURI`, uri, ["https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"]));
  return errors;
}

/** A reference to a Secret that has to name it, and its namespace for a volume of the cluster. */
const secretName = (source: Json, path: string, fields: readonly string[]): FieldError[] => (isSet(source["secretRef"]) ? requireFields(json(source["secretRef"]), `${path}.secretRef`, fields) : []);

const storageOS = (fields: readonly string[]): SourceValidator => (source, path) => [
  ...named(source["volumeName"], `${path}.volumeName`, isDNS1123Label), ...named0(source["volumeNamespace"], `${path}.volumeNamespace`, isDNS1123Label), ...secretName(source, path, fields),
];
const cinder = (fields: readonly string[]): SourceValidator => (source, path) => [...requireFields(source, path, ["volumeID"]), ...secretName(source, path, fields)];
const needs = (...names: string[]): SourceValidator => (source, path) => requireFields(source, path, names);

/** Sources with the same rules in a Pod and in a PersistentVolume. */
export const SHARED_SOURCES: Readonly<Record<string, SourceValidator>> = {
  hostPath: validateHostPath, nfs: validateNFS, flocker: validateFlocker, fc: validateFC, quobyte: validateQuobyte, flexVolume: validateFlex, azureDisk: validateAzureDisk,
  gcePersistentDisk: (s, p) => [...requireFields(s, p.replace("gcePersistentDisk", "persistentDisk"), ["pdName"]), ...partition(s, p.replace("gcePersistentDisk", "persistentDisk"))],
  awsElasticBlockStore: (s, p) => [...requireFields(s, p, ["volumeID"]), ...partition(s, p)],
  rbd: needs("monitors", "image"), cephfs: needs("monitors"), vsphereVolume: needs("volumePath"), photonPersistentDisk: needs("pdID"), portworxVolume: needs("volumeID"),
  scaleIO: needs("gateway", "system", "volumeName"), glusterfs: needs("endpoints", "path"), azureFile: needs("secretName", "shareName"),
  cinder: cinder(["name"]), storageos: storageOS(["name"]),
};

export const validateCSIDriverName = (name: string, path: string): FieldError[] =>
  name === "" ? [required(path)] : [...(byteLength(name) > 63 ? [tooLong(path, 63)] : []), ...invalidEach(path, name, isDNS1123Subdomain(name.toLowerCase()))];

const SECRET_REFS = ["controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"];

const validateCSI: SourceValidator = (source, path) => [
  ...validateCSIDriverName(text(source["driver"]), `${path}.driver`), ...requireFields(source, path, ["volumeHandle"]),
  ...SECRET_REFS.filter((key) => isSet(source[key])).flatMap((key) => [...named(json(source[key])["name"], `${path}.${key}.name`, isDNS1123Subdomain), ...named(json(source[key])["namespace"], `${path}.${key}.namespace`, isDNS1123Label)]),
];

const local: SourceValidator = (source, path) => (source["path"] ? validatePathNoBacksteps(text(source["path"]), `${path}.path`) : [required(`${path}.path`)]);
const share: SourceValidator = (s, p) => [...requireFields(s, p, ["secretName", "shareName"]), ...(isSet(s["secretNamespace"]) ? requireFields(s, p, ["secretNamespace"]) : [])];
const gluster: SourceValidator = (s, p) => {
  const namespace = s["endpointsNamespace"];
  const bad = namespace === "" ? ["if the endpointnamespace is set, it must be a valid namespace name"] : isDNS1123Label(text(namespace));
  return [...requireFields(s, p, ["endpoints", "path"]), ...(isSet(namespace) ? invalidEach(`${p}.endpointsNamespace`, namespace, bad) : [])];
};

/** What only a PersistentVolume can be, or has more to say about. */
const VOLUME_SOURCES: Readonly<Record<string, SourceValidator>> = { ...SHARED_SOURCES, csi: validateCSI, local, azureFile: share, glusterfs: gluster, cinder: cinder(["name", "namespace"]), storageos: storageOS(["name", "namespace"]) };

/** In the order upstream looks at them. */
const ORDER = ["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte", "cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "scaleIO", "local", "storageos", "csi"];

/** The one source of a PersistentVolume; flexVolume alone may stand beside another, by an old mistake. */
export function validatePersistentVolumeSource(spec: Json, name: string, path: string): FieldError[] {
  const set = ORDER.filter((key) => isSet(spec[key]));
  if (set.length === 0) return [required(path, "must specify a volume type")];
  return set.flatMap((key, i) => {
    const at = `${path}.${key}`;
    if (i > 0 && key !== "flexVolume") return [forbidden(`${path}.${key === "cephfs" ? "cephFS" : key}`, "may not specify more than 1 volume type")];
    const errors = key === "iscsi" ? validateISCSI(json(spec[key]), at, name) : (VOLUME_SOURCES[key]?.(json(spec[key]), at) ?? []);
    return key === "local" && !isSet(spec["nodeAffinity"]) ? [...errors, required(`${path}.nodeAffinity`, "Local volume requires node affinity")] : errors;
  });
}
