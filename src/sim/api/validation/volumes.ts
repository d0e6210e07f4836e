// Models ValidateVolumes of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { byteLength, isDNS1123Subdomain } from "../names.ts";
import { toQuantity } from "../quantity.ts";
import type { DownwardAPIVolumeFile, KeyToPath, Quantity, Volume } from "../types.ts";
import { validateObjectFieldSelector, validateResourceFieldSelector, VOLUME_FIELDS } from "./env.ts";
import { isJson, isSet, type Json, json, type Labels, list, requireFields, text, validateDNS1123Label, validateLabels } from "./helpers.ts";
import { validateAnnotations } from "./object-meta.ts";
import { validateLocalDescendingPath, validateLocalNonReservedPath } from "./paths.ts";
import { validatePersistentVolumeClaimSpec } from "./persistent-volume-claim.ts";
import { ISCSI_LENGTH, SHARED_SOURCES, validateCSIDriverName, validateISCSI } from "./volume-sources.ts";

const MODE_TEXT = "must be a number between 0 and 0777 (octal), both inclusive";
const TOKEN_MIN_SECONDS = 600;
const TOKEN_MAX_SECONDS = 4_294_967_296;

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

/** clusterTrustBundle and podCertificate are behind gates that are off: the server drops them before. */
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

function validateCSI(source: Json, path: string): FieldError[] {
  const secret = source["nodePublishSecretRef"];
  const name = text(json(secret)["name"]);
  // Upstream reports a bad name on the source, not on the reference.
  return [...validateCSIDriverName(text(source["driver"]), `${path}.driver`), ...(!isSet(secret) ? [] : name === "" ? [required(`${path}.nodePublishSecretRef.name`)] : invalidEach(`${path}.name`, name, isDNS1123Subdomain(name)))];
}

/** What a claim that is made for a Pod may say about itself: labels and annotations. */
function validateTemplateMeta(meta: Json, path: string): FieldError[] {
  const errors = [...validateAnnotations(meta["annotations"] as Labels | undefined, `${path}.annotations`), ...validateLabels(meta["labels"] as Labels | undefined, `${path}.labels`)];
  const others = ["name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"];
  return [...errors, ...others.filter((key) => isSet(meta[key]) && meta[key] !== "").map((key) => forbidden(`${path}.${key === "uid" ? "uID" : key}`, "cannot be set"))];
}

function validateEphemeral(source: Json, path: string): FieldError[] {
  if (!isJson(source["volumeClaimTemplate"])) return [required(`${path}.volumeClaimTemplate`)];
  const { metadata, spec } = source["volumeClaimTemplate"];
  return [...validateTemplateMeta(json(metadata), `${path}.volumeClaimTemplate.metadata`), ...validatePersistentVolumeClaimSpec(json(spec), `${path}.volumeClaimTemplate.spec`)];
}

function validateImage(source: Json, path: string, isPod: boolean): FieldError[] {
  const errors = isPod ? requireFields(source, path, ["reference"]) : [];
  const policy = text(source["pullPolicy"]);
  if (policy === "") errors.push(required(`${path}.pullPolicy`));
  else if (!["Always", "IfNotPresent", "Never"].includes(policy)) errors.push(notSupported(`${path}.pullPolicy`, policy, ["Always", "IfNotPresent", "Never"]));
  return errors;
}

/** What only a Pod's volume can be, or has other rules for. */
const OWN_SOURCES: Readonly<Record<string, (source: Json, path: string, isPod: boolean) => FieldError[]>> = {
  emptyDir: (s, p) => (isSet(s["sizeLimit"]) && toQuantity(s["sizeLimit"] as Quantity).nano < 0n ? [forbidden(`${p}.sizeLimit`, "SizeLimit field must be a valid resource quantity")] : []),
  gitRepo: (s, p) => [...requireFields(s, p, ["repository"]), ...validateLocalDescendingPath(text(s["directory"]), `${p}.directory`)],
  secret: (s, p) => [...requireFields(s, p, ["secretName"]), ...validateMode(s["defaultMode"], `${p}.defaultMode`), ...validateItems(s, p)],
  configMap: (s, p) => [...requireFields(s, p, ["name"]), ...validateMode(s["defaultMode"], `${p}.defaultMode`), ...validateItems(s, p)],
  persistentVolumeClaim: (s, p) => requireFields(s, p, ["claimName"]),
  downwardAPI: (s, p) => [...validateMode(s["defaultMode"], `${p}.defaultMode`), ...(list(s["items"]) as readonly DownwardAPIVolumeFile[]).flatMap((file) => validateDownwardFile(file, p))],
  iscsi: (s, p) => validateISCSI(s, p), projected: validateProjected, csi: validateCSI, ephemeral: validateEphemeral, image: validateImage,
};

/** In the order upstream looks at them: the first one set is validated, every further one is refused. */
const ORDER = [
  "emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "quobyte", "downwardAPI", "fc", "flexVolume",
  "configMap", "azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "storageos", "projected", "scaleIO", "csi", "ephemeral", "image",
];
/** Upstream's slips of the pen. */
const REFUSED_AS: Readonly<Record<string, string>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

function validateVolumeSource(volume: Volume, path: string, isPod: boolean): FieldError[] {
  const source = volume as unknown as Json;
  const set = ORDER.filter((name) => isSet(source[name]));
  if (set.length === 0) return [required(path, "must specify a volume type")];
  return set.flatMap((name, i) => {
    const of = json(source[name]);
    const validate = OWN_SOURCES[name] ?? SHARED_SOURCES[name];
    const errors = i > 0 ? [forbidden(`${path}.${REFUSED_AS[name] ?? name}`, "may not specify more than 1 volume type")] : (validate?.(of, `${path}.${name}`, isPod) ?? []);
    const long = name === "iscsi" && isSet(of["initiatorName"]) && byteLength(`${volume.name}:${text(of["targetPortal"])}`) > 64;
    return long ? [...errors, invalid(`${path}.name`, volume.name, ISCSI_LENGTH)] : errors;
  });
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
