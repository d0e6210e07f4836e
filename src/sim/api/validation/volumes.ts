// Models ValidateVolumes of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { byteLength, isDNS1123Subdomain } from "../names.ts";
import { toQuantity } from "../quantity.ts";
import type { DownwardAPIVolumeFile, KeyToPath, Quantity, Volume } from "../types.ts";
import { validateObjectFieldSelector, validateResourceFieldSelector, VOLUME_FIELDS } from "./env.ts";
import { type Json, isJson, json, list, text, validateDNS1123Label } from "./helpers.ts";
import { validateLocalDescendingPath, validateLocalNonReservedPath, validatePathNoBacksteps } from "./paths.ts";
import { validatePersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";

const MODE_TEXT = "must be a number between 0 and 0777 (octal), both inclusive";
const HOST_PATH_TYPES = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
const TOKEN_MIN_SECONDS = 600;
const TOKEN_MAX_SECONDS = 4_294_967_296;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

function validateMode(mode: unknown, path: string): FieldError[] {
  return typeof mode === "number" && (mode > 0o777 || mode < 0) ? [invalid(path, mode, MODE_TEXT)] : [];
}

function validateKeyToPath(item: KeyToPath, path: string): FieldError[] {
  return [
    ...(item.key ? [] : [required(`${path}.key`)]),
    ...(item.path ? [] : [required(`${path}.path`)]),
    ...validateLocalNonReservedPath(item.path ?? "", `${path}.path`),
    ...validateMode(item.mode, `${path}.mode`),
  ];
}

const items = (source: Json): readonly KeyToPath[] => list(source["items"]) as readonly KeyToPath[];
const validateItems = (source: Json, path: string): FieldError[] => items(source).flatMap((item, i) => validateKeyToPath(item, `${path}.items[${i}]`));

function validateDownwardFile(file: DownwardAPIVolumeFile, path: string): FieldError[] {
  const errors: FieldError[] = file.path ? [] : [required(`${path}.path`)];
  errors.push(...validateLocalNonReservedPath(file.path ?? "", `${path}.path`));
  if (file.fieldRef) {
    errors.push(...validateObjectFieldSelector(file.fieldRef, VOLUME_FIELDS, `${path}.fieldRef`));
    if (file.resourceFieldRef) errors.push(invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (file.resourceFieldRef) errors.push(...validateResourceFieldSelector(file.resourceFieldRef, `${path}.resourceFieldRef`, true));
  else errors.push(required(path, "one of fieldRef and resourceFieldRef is required"));
  return [...errors, ...validateMode(file.mode, `${path}.mode`)];
}

/** Simplified: upstream also checks clusterTrustBundle and podCertificate sources in depth. */
function validateProjection(source: Json, path: string, at: string, paths: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const claim = (target: string, shown: string): void => {
    if (target === "") return;
    if (paths.has(target)) errors.push(invalid(path, shown, "conflicting duplicate paths"));
    paths.add(target);
  };
  for (const key of ["secret", "configMap"]) {
    if (!isSet(source[key])) continue;
    const projection = json(source[key]);
    if (!projection["name"]) errors.push(required(`${at}.${key}.name`));
    for (const [i, item] of items(projection).entries()) {
      errors.push(...validateKeyToPath(item, `${at}.${key}.items[${i}]`));
      claim(item.path ?? "", text(projection["name"]));
    }
  }
  if (isSet(source["downwardAPI"])) {
    for (const file of list(json(source["downwardAPI"])["items"]) as readonly DownwardAPIVolumeFile[]) {
      errors.push(...validateDownwardFile(file, `${at}.downwardAPI`));
      claim(file.path ?? "", file.path ?? "");
    }
  }
  if (isSet(source["serviceAccountToken"])) errors.push(...validateToken(json(source["serviceAccountToken"]), path, `${at}.serviceAccountToken`));
  if (Object.keys(source).filter((key) => isSet(source[key])).length > 1) errors.push(forbidden(at, "may not specify more than 1 volume type per source"));
  return errors;
}

function validateToken(token: Json, path: string, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const seconds = typeof token["expirationSeconds"] === "number" ? token["expirationSeconds"] : 0;
  if (seconds < TOKEN_MIN_SECONDS) errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > TOKEN_MAX_SECONDS) errors.push(invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"));
  // Upstream reports the path on the volume, not on the source.
  if (!token["path"]) errors.push(required(`${path}.path`));
  else errors.push(...validateLocalNonReservedPath(text(token["path"]), `${path}.path`));
  return errors;
}

function validateProjected(source: Json, path: string): FieldError[] {
  const paths = new Set<string>();
  return [...validateMode(source["defaultMode"], `${path}.defaultMode`), ...list(source["sources"]).flatMap((s, i) => validateProjection(json(s), path, `${path}.sources[${i}]`, paths))];
}

function validateHostPath(source: Json, path: string): FieldError[] {
  if (!source["path"]) return [required(`${path}.path`)];
  const type = source["type"];
  return [
    ...validatePathNoBacksteps(text(source["path"]), `${path}.path`),
    ...(typeof type === "string" && !HOST_PATH_TYPES.includes(type) ? [notSupported(`${path}.type`, type, HOST_PATH_TYPES)] : []),
  ];
}

const requireFields = (source: Json, path: string, names: readonly string[]): FieldError[] =>
  names.flatMap((name) => (!source[name] || (Array.isArray(source[name]) && source[name].length === 0) ? [required(`${path}.${name}`)] : []));

function validateNFS(source: Json, path: string): FieldError[] {
  const errors = requireFields(source, path, ["server", "path"]);
  if (!text(source["path"]).startsWith("/")) errors.push(invalid(`${path}.path`, text(source["path"]), "must be an absolute path"));
  return errors;
}

export function validateCSIDriverName(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  return [...(byteLength(name) > 63 ? [tooLong(path, 63)] : []), ...invalidEach(path, name, isDNS1123Subdomain(name.toLowerCase()))];
}

function validateEphemeral(source: Json, path: string): FieldError[] {
  if (!isJson(source["volumeClaimTemplate"])) return [required(`${path}.volumeClaimTemplate`)];
  return validatePersistentVolumeClaimSpec(json(source["volumeClaimTemplate"]["spec"]), `${path}.volumeClaimTemplate.spec`);
}

function validateImage(source: Json, path: string, isPod: boolean): FieldError[] {
  const errors = isPod ? requireFields(source, path, ["reference"]) : [];
  const policy = text(source["pullPolicy"]);
  if (policy === "") errors.push(required(`${path}.pullPolicy`));
  else if (!["Always", "IfNotPresent", "Never"].includes(policy)) errors.push(notSupported(`${path}.pullPolicy`, policy, ["Always", "IfNotPresent", "Never"]));
  return errors;
}

type SourceValidator = (source: Json, path: string, isPod: boolean) => FieldError[];
const nothing: SourceValidator = () => [];

/** In the order upstream looks at them: the first one set is validated, every further one is refused. */
const SOURCES: readonly (readonly [string, SourceValidator])[] = [
  ["emptyDir", (s, p) => (isSet(s["sizeLimit"]) && toQuantity(s["sizeLimit"] as Quantity).nano < 0n ? [forbidden(`${p}.sizeLimit`, "SizeLimit field must be a valid resource quantity")] : [])],
  ["hostPath", validateHostPath],
  ["gitRepo", (s, p) => [...requireFields(s, p, ["repository"]), ...validateLocalDescendingPath(text(s["directory"]), `${p}.directory`)]],
  ["gcePersistentDisk", (s, p) => requireFields(s, p.replace("gcePersistentDisk", "persistentDisk"), ["pdName"])],
  ["awsElasticBlockStore", (s, p) => requireFields(s, p, ["volumeID"])],
  ["secret", (s, p) => [...requireFields(s, p, ["secretName"]), ...validateMode(s["defaultMode"], `${p}.defaultMode`), ...validateItems(s, p)]],
  ["nfs", validateNFS],
  ["iscsi", (s, p) => requireFields(s, p, ["targetPortal", "iqn"])],
  ["glusterfs", (s, p) => requireFields(s, p, ["endpoints", "path"])],
  ["flocker", nothing],
  ["persistentVolumeClaim", (s, p) => requireFields(s, p, ["claimName"])],
  ["rbd", (s, p) => requireFields(s, p, ["monitors", "image"])],
  ["cinder", (s, p) => requireFields(s, p, ["volumeID"])],
  ["cephfs", (s, p) => requireFields(s, p, ["monitors"])],
  ["quobyte", (s, p) => requireFields(s, p, ["registry", "volume"])],
  ["downwardAPI", (s, p) => [...validateMode(s["defaultMode"], `${p}.defaultMode`), ...(list(s["items"]) as readonly DownwardAPIVolumeFile[]).flatMap((file) => validateDownwardFile(file, p))]],
  ["fc", nothing],
  ["flexVolume", (s, p) => requireFields(s, p, ["driver"])],
  ["configMap", (s, p) => [...requireFields(s, p, ["name"]), ...validateMode(s["defaultMode"], `${p}.defaultMode`), ...validateItems(s, p)]],
  ["azureFile", (s, p) => requireFields(s, p, ["secretName", "shareName"])],
  ["vsphereVolume", (s, p) => requireFields(s, p, ["volumePath"])],
  ["photonPersistentDisk", (s, p) => requireFields(s, p, ["pdID"])],
  ["portworxVolume", (s, p) => requireFields(s, p, ["volumeID"])],
  ["azureDisk", (s, p) => requireFields(s, p, ["diskName", "diskURI"])],
  ["storageos", (s, p) => requireFields(s, p, ["volumeName"])],
  ["projected", validateProjected],
  ["scaleIO", (s, p) => requireFields(s, p, ["gateway", "system", "volumeName"])],
  ["csi", (s, p) => validateCSIDriverName(text(s["driver"]), `${p}.driver`)],
  ["ephemeral", validateEphemeral],
  ["image", validateImage],
];

function validateVolumeSource(volume: Volume, path: string, isPod: boolean): FieldError[] {
  const source = volume as unknown as Json;
  const set = SOURCES.filter(([name]) => isSet(source[name]));
  if (set.length === 0) return [required(path, "must specify a volume type")];
  return set.flatMap(([name, validate], i) =>
    i === 0 ? validate(json(source[name]), `${path}.${name}`, isPod) : [forbidden(`${path}.${name}`, "may not specify more than 1 volume type")],
  );
}

export interface VolumesResult {
  readonly errors: readonly FieldError[];
  /** Volumes without errors: what mounts may refer to. */
  readonly volumes: ReadonlyMap<string, Volume>;
}

export function validateVolumes(volumes: readonly Volume[] | undefined, podName: string | undefined, path: string, isPod: boolean): VolumesResult {
  const errors: FieldError[] = [];
  const valid = new Map<string, Volume>();
  const created = new Set(podName ? (volumes ?? []).filter((v) => v.ephemeral).map((v) => `${podName}-${v.name}`) : []);
  for (const [i, volume] of (volumes ?? []).entries()) {
    const at = `${path}[${i}]`;
    const found = validateVolumeSource(volume, at, isPod);
    if (volume.ephemeral && podName && volume.name) {
      const pvcName = `${podName}-${volume.name}`;
      found.push(...isDNS1123Subdomain(pvcName).map((message) => invalid(`${at}.name`, volume.name, `PVC name ${JSON.stringify(pvcName)}: ${message}`)));
    }
    found.push(...(volume.name ? validateDNS1123Label(volume.name, `${at}.name`) : [required(`${at}.name`)]));
    if (valid.has(volume.name)) found.push(duplicate(`${at}.name`, volume.name));
    if (found.length === 0) valid.set(volume.name, volume);
    errors.push(...found);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && created.has(claim)) errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, "must not reference a PVC that gets created for an ephemeral volume"));
  }
  return { errors, volumes: valid };
}
