// Models ValidateResourceRequirements of kubernetes/pkg/apis/core/validation/validation.go and pkg/apis/core/helper/helpers.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notFound, notSupported, required } from "../field-error.ts";
import { isQualifiedName } from "../names.ts";
import { aggregateContainerLimits, aggregateContainerRequests, isSupportedPodLevelResource } from "../pod-resources.ts";
import { canonicalQuantity, compareQuantity, milliValue, toQuantity } from "../quantity.ts";
import type { PodSpec, Quantity, ResourceRequirements } from "../types.ts";
import { sortedEntries, validateDNS1123Label } from "./helpers.ts";

const STANDARD = new Set([
  "cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
  "pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "storage", "requests.storage", "services.nodeports", "services.loadbalancers",
]);
const CONTAINER = new Set(["cpu", "memory", "ephemeral-storage"]);
const INTEGER = new Set(["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"]);
const NATIVE_DOMAIN = "kubernetes.io/";

export const isHugePageResourceName = (name: string): boolean => name.startsWith("hugepages-");
export const isNativeResource = (name: string): boolean => !name.includes("/") || name.includes(NATIVE_DOMAIN);
/** Vendor resources ("nvidia.com/gpu"): whole numbers, never overcommitted. */
export const isExtendedResourceName = (name: string): boolean => !isNativeResource(name) && !name.startsWith("requests.") && isQualifiedName(`requests.${name}`).length === 0;
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePageResourceName(name);
/** What quota can count by its plain name: all standard resources but "storage" itself. */
export const isStandardQuotaResourceName = (name: string): boolean => name !== "storage" && isStandardResourceName(name);
const isStandardResourceName = (name: string): boolean => STANDARD.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");

export function validateResourceName(name: string, path: string): FieldError[] {
  const errors = invalidEach(path, name, isQualifiedName(name));
  if (errors.length === 0 && !name.includes("/") && !isStandardResourceName(name)) errors.push(invalid(path, name, "must be a standard resource type or fully qualified"));
  return errors;
}

export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!CONTAINER.has(name) && !isHugePageResourceName(name)) errors.push(invalid(path, name, "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResourceName(name)) errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  return errors;
}

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isSupportedPodLevelResource(name)) return errors;
  return [notSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

/** ValidateResourceQuantityValue: not negative, and whole for counted and vendor resources. */
export function validateResourceQuantityValue(name: string, quantity: Quantity, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (toQuantity(quantity).nano < 0n) errors.push(invalid(path, canonicalQuantity(quantity), "must be greater than or equal to 0"));
  const integer = INTEGER.has(name) || isExtendedResourceName(name);
  if (integer && milliValue(quantity) % 1000 !== 0) errors.push(invalid(path, canonicalQuantity(quantity), "must be an integer"));
  return errors;
}

function validateHugePages(name: string, quantity: Quantity, path: string): FieldError[] {
  if (!isHugePageResourceName(name)) return [];
  const page = toQuantity(name.slice("hugepages-".length)).nano;
  const divisible = page > 0n && toQuantity(quantity).nano % page === 0n;
  return divisible ? [] : [invalid(path, canonicalQuantity(quantity), `${canonicalQuantity(quantity)} is not positive integer multiple of ${name}`)];
}

function validateRequest(name: string, quantity: Quantity, requirements: ResourceRequirements, path: string): FieldError[] {
  const limit = requirements.limits?.[name];
  if (limit === undefined) return isOvercommitAllowed(name) ? [] : [required(`${path}.limits`, "Limit must be set for non overcommitable resources")];
  const order = compareQuantity(quantity, limit);
  const shown = canonicalQuantity(quantity);
  if (order !== 0 && !isOvercommitAllowed(name)) return [invalid(`${path}.requests`, shown, `must be equal to ${name} limit of ${canonicalQuantity(limit)}`)];
  return order > 0 ? [invalid(`${path}.requests`, shown, `must be less than or equal to ${name} limit of ${canonicalQuantity(limit)}`)] : [];
}

function validateClaims(requirements: ResourceRequirements, claimNames: ReadonlySet<string>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, claim] of (requirements.claims ?? []).entries()) {
    const at = `${path}[${i}]`;
    if (!claim.name) {
      errors.push(required(at));
      continue;
    }
    const key = claim.request ? `${claim.name}/${claim.request}` : claim.name;
    if (claim.request) errors.push(...validateDNS1123Label(claim.request, `${at}.request`));
    if (seen.has(claim.name) || seen.has(key)) errors.push(duplicate(at, key));
    seen.add(key);
    if (!claimNames.has(claim.name)) {
      const names = [...claimNames].sort((a, b) => (a < b ? -1 : 1));
      const error = notFound(at, claim.name);
      errors.push({ ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${names.length === 0 ? " which is empty" : `: ${names.join(", ")}`}` });
    }
  }
  return errors;
}

function validateRequirements(requirements: ResourceRequirements, nameFn: (name: string, path: string) => FieldError[], claimNames: ReadonlySet<string>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [name, quantity] of sortedEntries(requirements.limits)) {
    const at = `${path}.limits[${name}]`;
    errors.push(...nameFn(name, at), ...validateResourceQuantityValue(name, quantity, at), ...validateHugePages(name, quantity, at));
    names.add(name);
  }
  for (const [name, quantity] of sortedEntries(requirements.requests)) {
    const at = `${path}.requests[${name}]`;
    errors.push(...nameFn(name, at), ...validateResourceQuantityValue(name, quantity, at), ...validateRequest(name, quantity, requirements, path), ...validateHugePages(name, quantity, at));
    names.add(name);
  }
  if (!names.has("cpu") && !names.has("memory") && [...names].some(isHugePageResourceName)) errors.push(forbidden(path, "HugePages require cpu or memory"));
  errors.push(...validateClaims(requirements, claimNames, `${path}.claims`));
  return errors;
}

export const validateContainerResources = (requirements: ResourceRequirements | undefined, claimNames: ReadonlySet<string>, path: string): FieldError[] =>
  requirements ? validateRequirements(requirements, validateContainerResourceName, claimNames, path) : [];

function validatePodResourceConsistency(spec: PodSpec, resources: ResourceRequirements, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, quantity] of sortedEntries(aggregateContainerRequests(spec))) {
    const pod = resources.requests?.[name];
    if (pod !== undefined && compareQuantity(quantity, pod) > 0) {
      errors.push(invalid(`${path}.requests[${name}]`, canonicalQuantity(pod), `must be greater than or equal to aggregate container requests of ${canonicalQuantity(quantity)}`));
    }
  }
  for (const [name, quantity] of sortedEntries(aggregateContainerLimits(spec))) {
    const pod = resources.limits?.[name];
    if (pod !== undefined && isHugePageResourceName(name) && compareQuantity(quantity, pod) > 0) {
      errors.push(invalid(`${path}.limits[${name}]`, canonicalQuantity(pod), `must be greater than or equal to aggregate container limits of ${canonicalQuantity(quantity)}`));
    }
  }
  for (const [i, container] of spec.containers.entries()) {
    for (const [name, quantity] of sortedEntries(container.resources?.limits)) {
      const pod = resources.limits?.[name];
      if (pod !== undefined && compareQuantity(quantity, pod) > 0) {
        errors.push(invalid(`${path}.containers[${i}][${name}].limits`, canonicalQuantity(quantity), `must be less than or equal to pod limits of ${canonicalQuantity(pod)}`));
      }
    }
  }
  return errors;
}

/** Pod-level resources (beta, on in 1.36). */
export function validatePodResources(spec: PodSpec, claimNames: ReadonlySet<string>, path: string): FieldError[] {
  if (!spec.resources) return [];
  if (spec.os?.name === "windows") return [forbidden(path, "may not be set for a windows pod")];
  return [
    ...(spec.resources.claims ? [forbidden(`${path}.claims`, "claims may not be set for Resources at pod-level")] : []),
    ...validateRequirements(spec.resources, validatePodResourceName, claimNames, path),
    ...validatePodResourceConsistency(spec, spec.resources, path),
  ];
}
