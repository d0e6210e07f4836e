// Models kubernetes/pkg/apis/storage/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { internalForm } from "../internal-form.ts";
import { byteLength, inclusiveRangeError, isDNS1123Subdomain, isQualifiedName } from "../names.ts";
import { canonicalQuantity, toQuantity } from "../quantity.ts";
import type { KubeObject, LabelSelector, Quantity } from "../types.ts";
import { each, eachText, isSet, type Json, json, list, nonnegatives, number, oneOf0, root, seenBefore, semanticEqual, spec, text, validateImmutable, validateLabelName, validateLabelSelector } from "./helpers.ts";
import { validatePersistentVolumeSpec } from "./persistent-volume.ts";
import { validateCSIDriverName } from "./volume-sources.ts";

const MAX_SIZE = 262_144;
const MAX_PARAMETERS = 512;

const validateProvisioner = (name: string, path: string): FieldError[] => (name === "" ? [required(path)] : invalidEach(path, name.toLowerCase(), isQualifiedName(name.toLowerCase())));
const sizeOf = (map: Json): number => Object.entries(map).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(text(value)), 0);

function validateParameters(parameters: Json, allowEmpty: boolean): FieldError[] {
  const path = "parameters";
  const keys = Object.keys(parameters);
  if (keys.length > MAX_PARAMETERS) return [tooLong(path, MAX_PARAMETERS)];
  return [
    ...(keys.includes("") ? [invalid(path, "", "field can not be empty.")] : []), ...(sizeOf(parameters) > MAX_SIZE ? [tooLong(path, MAX_SIZE)] : []),
    ...(!allowEmpty && keys.length === 0 ? [required(path, "must contain at least one key/value pair")] : []),
  ];
}

/** Topologies of which no two may say the same. */
function validateAllowedTopologies(topologies: unknown): FieldError[] {
  const seen: Json[] = [];
  return each(topologies, "allowedTopologies", (term, at) => {
    const sets: Record<string, readonly string[]> = {};
    const errors = each(term["matchLabelExpressions"], `${at}.matchLabelExpressions`, ({ key, values }, path) => {
      const before = seenBefore();
      const found: FieldError[] = [
        ...(list(values).length === 0 ? [required(`${path}.values`)] : []), ...eachText(values, `${path}.values`, (value, item) => (before(value) ? [duplicate(item, value)] : [])),
        ...validateLabelName(text(key), `${path}.key`), ...(Object.hasOwn(sets, text(key)) ? [duplicate(`${path}.key`, key)] : []),
      ];
      sets[text(key)] = list(values).map(text).sort((a, b) => (a < b ? -1 : 1));
      return found;
    });
    if (seen.some((other) => semanticEqual(other, sets))) errors.push(duplicate(`${at}.matchLabelExpressions`, ""));
    seen.push(sets);
    return errors;
  });
}

export function validateStorageClass(object: KubeObject): FieldError[] {
  const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } = root(object);
  return [
    ...validateProvisioner(text(provisioner), "provisioner"), ...validateParameters(json(parameters), true), ...(reclaimPolicy === "" ? [] : oneOf0(reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"])),
    ...(isSet(volumeBindingMode) ? oneOf0(volumeBindingMode, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]) : [required("volumeBindingMode")]), ...validateAllowedTopologies(allowedTopologies),
  ];
}

export const validateStorageClassUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...validateStorageClass(object), ...["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"].flatMap((key) => validateImmutable(root(object)[key], root(old)[key], key)),
];

export const validateVolumeAttributesClass = (object: KubeObject): FieldError[] => [...validateProvisioner(text(root(object)["driverName"]), "driverName"), ...validateParameters(json(root(object)["parameters"]), false)];

export const validateVolumeAttributesClassUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...["driverName", "parameters"].flatMap((key) => (semanticEqual(root(object)[key], root(old)[key]) ? [] : [forbidden(key, `updates to ${key} are forbidden.`)])), ...validateVolumeAttributesClass(object),
];

function validateVolumeError(error: unknown, path: string): FieldError[] {
  const { message, errorCode } = json(error);
  const code = number(errorCode);
  return [...(byteLength(text(message)) > 1024 ? [tooLong(`${path}.message`, MAX_SIZE)] : []), ...(code !== undefined && code < 0 ? [invalid(`${path}.errorCode`, code, inclusiveRangeError(0, 2_147_483_647))] : [])];
}

export function validateVolumeAttachment(object: KubeObject): FieldError[] {
  const s = spec(object);
  const status = json(object.status);
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = json(s["source"]);
  const errors = validateCSIDriverName(text(s["attacher"]), "spec.attacher");
  const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (!isSet(name) && !isSet(inline)) errors.push(required("spec.source", one));
  else if (isSet(name) && isSet(inline)) errors.push(forbidden("spec.source", one));
  else if (name === "") errors.push(required("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName"));
  else if (isSet(inline)) errors.push(...validatePersistentVolumeSpec(json(inline), "", "spec.source.inlineVolumeSpec", true));
  errors.push(...invalidEach("spec.nodeName", text(s["nodeName"]), isDNS1123Subdomain(text(s["nodeName"]))));
  if (sizeOf(json(status["attachmentMetadata"])) > MAX_SIZE) errors.push(tooLong("status.attachmentMetadata", MAX_SIZE));
  errors.push(...validateVolumeError(status["attachError"], "status.attachError"), ...validateVolumeError(status["detachError"], "status.detachError"));
  return isSet(name) ? [...errors, ...invalidEach("spec.source.persistentVolumeName", name, isDNS1123Subdomain(text(name)))] : errors;
}

export const validateVolumeAttachmentUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...validateVolumeAttachment(object), ...(semanticEqual(object.spec, old.spec) ? [] : [invalid("spec", internalForm(object.spec, "VolumeAttachmentSpec"), "field is immutable")]),
];

export function validateCSINode(object: KubeObject): FieldError[] {
  const seen = seenBefore();
  return each(spec(object)["drivers"], "spec.drivers", (driver, at) => {
    const name = text(driver["name"]);
    const id = text(driver["nodeID"]);
    const errors = validateCSIDriverName(name, `${at}.name`);
    if (id === "") errors.push(required(`${at}.nodeID`));
    if (byteLength(id) > 256) errors.push(invalid(`${at}.nodeID`, id, "must be 256 characters or less"));
    errors.push(...nonnegatives(json(driver["allocatable"]), `${at}.allocatable`, ["count"]), ...(seen(name) ? [duplicate(`${at}.name`, name)] : []));
    const key = seenBefore();
    return [...errors, ...eachText(driver["topologyKeys"], at, (topology) => [...(topology === "" ? [required(at)] : []), ...(key(topology) ? [duplicate(at, topology)] : []), ...invalidEach(at, topology, isQualifiedName(topology))])];
  });
}

/** A driver stays as it registered, but for how many volumes it can take. */
export function validateCSINodeUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const bare = (driver: Json): Json => ({ ...driver, allocatable: undefined });
  const drivers = list(spec(object)["drivers"]).map((driver) => bare(json(driver)));
  const changed = list(spec(old)["drivers"]).flatMap((driver) => drivers.filter((now) => now["name"] === json(driver)["name"] && !semanticEqual(now, bare(json(driver)))));
  return [...validateCSINode(object), ...changed.map((driver) => invalid("spec.drivers", internalForm(driver, "CSINodeDriver"), "field is immutable"))];
}

export function validateCSIDriver(object: KubeObject): FieldError[] {
  const s = spec(object);
  const needs = (key: string, shown = key): FieldError[] => (isSet(s[key]) ? [] : [required(`spec.${shown}`)]);
  const seen = seenBefore();
  const tokens = each(s["tokenRequests"], "spec.tokenRequests", ({ audience, expirationSeconds }, at) => {
    const seconds = number(expirationSeconds);
    if (seen(text(audience))) return [duplicate(`${at}.audience`, text(audience))];
    if (seconds === undefined) return [];
    return [
      ...(seconds < 600 ? [invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes")] : []),
      ...(seconds > 2 ** 32 ? [invalid(`${at}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds")] : []),
    ];
  });
  const period = number(s["nodeAllocatableUpdatePeriodSeconds"]);
  const inSecrets = s["serviceAccountTokenInSecrets"];
  return [
    ...needs("attachRequired", "attachedRequired"), ...needs("podInfoOnMount"), ...needs("storageCapacity"), ...oneOf0(s["fsGroupPolicy"], "spec.fsGroupPolicy", ["File", "None", "ReadWriteOnceWithFSType"]), ...tokens,
    ...list(s["volumeLifecycleModes"]).flatMap((mode) => (["Persistent", "Ephemeral"].includes(text(mode)) ? [] : [notSupported("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"])])), ...needs("seLinuxMount"),
    ...(period !== undefined && period < 10 ? [invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds")] : []),
    ...(isSet(inSecrets) && list(s["tokenRequests"]).length === 0 ? [invalid("spec.serviceAccountTokenInSecrets", inSecrets, "serviceAccountTokenInSecrets is set but no tokenRequests are specified")] : []),
  ];
}

export const validateCSIDriverUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...validateCSIDriver(object), ...validateImmutable(spec(object)["attachRequired"], spec(old)["attachRequired"], "spec.attachedRequired"),
  ...validateImmutable(spec(object)["volumeLifecycleModes"], spec(old)["volumeLifecycleModes"], "spec.volumeLifecycleModes"),
];

export function validateCSIStorageCapacity(object: KubeObject): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = root(object);
  const negative = isSet(capacity) && toQuantity(capacity as Quantity).nano < 0n;
  return [
    ...validateLabelSelector(nodeTopology as LabelSelector | undefined, "nodeTopology"), ...invalidEach("storageClassName", text(storageClassName), isDNS1123Subdomain(text(storageClassName))),
    ...(negative ? [invalid("capacity", canonicalQuantity(capacity as Quantity), "must be greater than or equal to 0")] : []),
  ];
}

export const validateCSIStorageCapacityUpdate = (object: KubeObject, old: KubeObject): FieldError[] => [
  ...validateCSIStorageCapacity(object), ...["nodeTopology", "storageClassName"].flatMap((key) => validateImmutable(root(object)[key], root(old)[key], key)),
];
