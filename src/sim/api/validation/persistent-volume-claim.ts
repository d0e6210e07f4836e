// Models ValidatePersistentVolumeClaim* of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach, notSupported, required } from "../field-error.ts";
import { isDNS1123Subdomain } from "../names.ts";
import { compareQuantity, toQuantity } from "../quantity.ts";
import type { KubeObject, LabelSelector, Quantity } from "../types.ts";
import { type Json, json, list, semanticEqual, text, validateImmutable, validateLabelSelector } from "./helpers.ts";

export const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
export const VOLUME_MODES = ["Block", "Filesystem"];

export function validatePersistentVolumeClaimSpec(spec: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const modes = list(spec["accessModes"]).map(text);
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, "at least 1 access mode is required"));
  errors.push(...validateLabelSelector(spec["selector"] as LabelSelector | undefined, `${path}.selector`));
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(`${path}.accessModes`, mode, ACCESS_MODES));
  if (modes.includes("ReadWriteOncePod") && modes.some((mode) => mode !== "ReadWriteOncePod" && ACCESS_MODES.includes(mode))) {
    errors.push(forbidden(`${path}.accessModes`, "may not use ReadWriteOncePod with other access modes"));
  }
  const storage = json(json(spec["resources"])["requests"])["storage"] as Quantity | undefined;
  if (storage === undefined) errors.push(required(`${path}.resources[storage]`));
  else if (toQuantity(storage).nano <= 0n) errors.push(invalid(`${path}.resources[storage]`, storage, "must be greater than zero"));
  const className = text(spec["storageClassName"]);
  if (className !== "") errors.push(...invalidEach(`${path}.storageClassName`, className, isDNS1123Subdomain(className)));
  const mode = spec["volumeMode"];
  if (mode !== undefined && !VOLUME_MODES.includes(text(mode))) errors.push(notSupported(`${path}.volumeMode`, mode, VOLUME_MODES));
  return errors;
}

/**
 * Spec changes of a claim: only the size (and attributes class) of a bound one.
 * Simplified: upstream appends a diff of the two specs to the "immutable" text.
 */
export function validatePersistentVolumeClaimSpecUpdate(claim: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = json(claim.spec);
  const before = json(old.spec);
  const bound = json(claim.status)["phase"] === "Bound";
  const requests = (s: Json): Json => json(json(s["resources"])["requests"]);
  const munged: Record<string, unknown> = { ...spec };
  if (!before["volumeName"]) munged["volumeName"] = before["volumeName"];
  if (bound) {
    munged["resources"] = { ...json(spec["resources"]), requests: { ...requests(spec), storage: requests(before)["storage"] } };
    munged["volumeAttributesClassName"] = before["volumeAttributesClassName"];
  }
  if (before["storageClassName"] === undefined) munged["storageClassName"] = undefined;
  if (!semanticEqual(munged, before)) errors.push(forbidden("spec", "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"));
  const size = requests(spec)["storage"] as Quantity | undefined;
  const status = json(json(old.status)["capacity"])["storage"] as Quantity | undefined;
  if (compareQuantity(size, requests(before)["storage"] as Quantity | undefined) < 0 && compareQuantity(size, status) <= 0) {
    errors.push(forbidden("spec.resources.requests.storage", "field can not be less than status.capacity"));
  }
  return [...errors, ...validateImmutable(spec["volumeMode"], before["volumeMode"], "volumeMode")];
}
