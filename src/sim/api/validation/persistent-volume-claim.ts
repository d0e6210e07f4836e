// Models ValidatePersistentVolumeClaim* of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { internalForm, prettyJson } from "../internal-form.ts";
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from "../names.ts";
import { canonicalQuantity, compareQuantity, toQuantity } from "../quantity.ts";
import type { KubeObject, LabelSelector, Quantity, ResourceList } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { isSet, type Json, json, list, named0, oneOf0, requireFields, semanticEqual, sortedEntries, spec, text, validateImmutable, validateLabelSelector } from "./helpers.ts";
import { isNativeResource, validateResourceQuantityValue } from "./resources.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES = ["Block", "Filesystem"];

/** Known modes, and ReadWriteOncePod only alone. */
export function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const errors = modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES));
  const mixed = modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode));
  return mixed ? [...errors, forbidden(path, "may not use ReadWriteOncePod with other access modes")] : errors;
}

function validateDataSource(source: Json, path: string): FieldError[] {
  const group = text(source["apiGroup"]);
  return [
    ...requireFields(source, path, ["name", "kind"]), ...(group === "" && source["kind"] !== "PersistentVolumeClaim" ? [invalid(path, text(source["kind"]), "must be 'PersistentVolumeClaim' when referencing the default apiGroup")] : []),
    ...named0(group, `${path}.apiGroup`, isDNS1123Subdomain), ...named0(source["namespace"], `${path}.namespace`, isDNS1123Label),
  ];
}

function validateDataSources(s: Json, path: string): FieldError[] {
  const { dataSource, dataSourceRef } = s;
  const errors = [...(isSet(dataSource) ? validateDataSource(json(dataSource), `${path}.dataSource`) : []), ...(isSet(dataSourceRef) ? validateDataSource(json(dataSourceRef), `${path}.dataSourceRef`) : [])];
  if (!isSet(dataSource) || !isSet(dataSourceRef)) return errors;
  // The value upstream quotes is a path object, which has no public fields.
  if (text(json(dataSourceRef)["namespace"]) !== "") return [...errors, invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified")];
  return ["apiGroup", "kind", "name"].every((key) => json(dataSource)[key] === json(dataSourceRef)[key]) ? errors : [...errors, invalid(path, {}, "must match dataSourceRef")];
}

export function validatePersistentVolumeClaimSpec(s: Json, path: string): FieldError[] {
  const modes = list(s["accessModes"]).map(text);
  const errors: FieldError[] = modes.length === 0 ? [required(`${path}.accessModes`, "at least 1 access mode is required")] : [];
  errors.push(...validateLabelSelector(s["selector"] as LabelSelector | undefined, `${path}.selector`), ...validateAccessModes(modes, `${path}.accessModes`));
  const storage = json(json(s["resources"])["requests"])["storage"] as Quantity | undefined;
  if (storage === undefined) errors.push(required(`${path}.resources[storage]`));
  else if (toQuantity(storage).nano <= 0n) errors.push(invalid(`${path}.resources[storage]`, canonicalQuantity(storage), "must be greater than zero"));
  errors.push(...named0(s["storageClassName"], `${path}.storageClassName`, isDNS1123Subdomain), ...oneOf0(s["volumeMode"], `${path}.volumeMode`, VOLUME_MODES));
  return [...errors, ...validateDataSources(s, path), ...named0(s["volumeAttributesClassName"], `${path}.volumeAttributesClassName`, isDNS1123Subdomain)];
}

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** The two specs as they are compared: what may change is made equal. */
function comparable(claim: KubeObject, old: KubeObject): { readonly now: Json; readonly before: Json; readonly errors: FieldError[] } {
  const before: Record<string, unknown> = { ...spec(old) };
  const now: Record<string, unknown> = { ...spec(claim) };
  const errors: FieldError[] = [];
  if (!before["volumeName"]) before["volumeName"] = now["volumeName"];
  const was = old.metadata.annotations?.[CLASS_ANNOTATION];
  const is = claim.metadata.annotations?.[CLASS_ANNOTATION];
  const name = now["storageClassName"];
  const unset = !isSet(before["storageClassName"]) && isSet(name);
  if (was !== undefined && unset && name === was && (is === undefined || is === was)) delete now["storageClassName"];
  else {
    if ((is ?? "") !== (was ?? "")) errors.push(invalid(`metadata.annotations.${CLASS_ANNOTATION}`, is ?? "", "field is immutable"));
    if (unset && (was === undefined || name === was)) delete now["storageClassName"];
  }
  if (json(claim.status)["phase"] !== "Bound") return { now, before, errors };
  const resources = json(now["resources"]);
  if (isSet(resources["requests"])) now["resources"] = { ...resources, requests: { ...json(resources["requests"]), storage: json(json(before["resources"])["requests"])["storage"] } };
  return { now: { ...now, volumeAttributesClassName: before["volumeAttributesClassName"] }, before, errors };
}

/** Spec changes of a claim: only the size (and attributes class) of a bound one. */
export function validatePersistentVolumeClaimUpdate(claim: KubeObject, old: KubeObject): FieldError[] {
  const { now, before, errors: found } = comparable(claim, old);
  const errors = [...validatePersistentVolumeClaimSpec(spec(claim), "spec"), ...found];
  if (!semanticEqual(now, before)) {
    const diff = unifiedDiff(prettyJson(internalForm(before, "PersistentVolumeClaimSpec")), prettyJson(internalForm(now, "PersistentVolumeClaimSpec")));
    errors.push(forbidden("spec", `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`));
  }
  const size = (object: KubeObject): Quantity | undefined => json(json(spec(object)["resources"])["requests"])["storage"] as Quantity | undefined;
  const capacity = json(json(old.status)["capacity"])["storage"] as Quantity | undefined;
  if (compareQuantity(size(claim), size(old)) < 0 && compareQuantity(size(claim), capacity) <= 0) errors.push(forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"));
  errors.push(...validateImmutable(spec(claim)["volumeMode"], spec(old)["volumeMode"], "volumeMode"));
  const attributes = spec(claim)["volumeAttributesClassName"];
  if (!isSet(json(old.status)["currentVolumeAttributesClassName"]) || attributes === spec(old)["volumeAttributesClassName"] || attributes) return errors;
  return [...errors, forbidden("spec.volumeAttributesClassName", `update to ${isSet(attributes) ? "empty string" : "nil"} is forbidden when status.currentVolumeAttributesClassName is not nil`)];
}

const RESIZE_STATES = ["ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizePending", "NodeResizeInProgress", "NodeResizeInfeasible"].sort((a, b) => (a < b ? -1 : 1));

function validateResourceKey(name: string, path: string): FieldError[] {
  const errors = invalidEach(path, name, isQualifiedName(name));
  return errors.length === 0 && isNativeResource(name) && name !== "storage" ? [notSupported(path, name, ["storage"])] : errors;
}

export function validatePersistentVolumeClaimStatus(claim: KubeObject): FieldError[] {
  const { capacity, allocatedResourceStatuses, allocatedResources } = json(claim.status);
  const entries = (value: unknown): [string, Quantity][] => sortedEntries(json(value) as ResourceList);
  const states = "status.allocatedResourceStatuses";
  const basic = (quantity: Quantity, path: string): FieldError[] => (toQuantity(quantity).nano <= -1_000_000_000n ? [invalid(path, Number(toQuantity(quantity).nano / 1_000_000_000n), "must be a valid resource quantity")] : []);
  return [
    ...(list(spec(claim)["accessModes"]).length === 0 ? [required("Spec.accessModes")] : []), ...entries(capacity).flatMap(([name, quantity]) => basic(quantity, `status.capacity[${name}]`)),
    ...sortedEntries(json(allocatedResourceStatuses)).flatMap(([name, state]) => [...validateResourceKey(name, states), ...(RESIZE_STATES.includes(text(state)) ? [] : [notSupported(states, name, RESIZE_STATES)])]),
    ...entries(allocatedResources).flatMap(([name, quantity]) => {
      const bad = validateResourceKey(name, "status.allocatedResources");
      return bad.length > 0 ? bad : validateResourceQuantityValue("storage", quantity, `status.allocatedResources[${name}]`);
    }),
  ];
}
