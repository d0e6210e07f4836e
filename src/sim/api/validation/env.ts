// Models ValidateEnv and ValidateEnvFrom of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, invalid, invalidEach, notFound, notSupported, required } from "../field-error.ts";
import { isConfigMapKey, isDNS1123Subdomain, isRelaxedEnvVarName, maskTrailingDash } from "../names.ts";
import { canonicalQuantity, toQuantity } from "../quantity.ts";
import type { EnvFromSource, EnvVar, PodSpec, Quantity } from "../types.ts";
import { validateDNS1123Label, validateQualifiedName } from "./helpers.ts";
import { validatePathNoBacksteps } from "./paths.ts";

const ENV_FIELDS = ["metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"];
export const VOLUME_FIELDS = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
const CONTAINER_RESOURCES = ["limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"];
/** Fields that the downward API converts at all; the others are refused with another text. */
const CONVERTIBLE = new Set(["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.restartPolicy", "spec.serviceAccountName", "spec.schedulerName", "status.phase", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"]);
const SIZES = new Set(["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"]);

export function validateObjectFieldSelector(ref: { readonly apiVersion?: string; readonly fieldPath: string }, allowed: readonly string[], path: string): FieldError[] {
  if (!ref.apiVersion) return [required(`${path}.apiVersion`)];
  if (!ref.fieldPath) return [required(`${path}.fieldPath`)];
  const converting = (detail: string): FieldError[] => [invalid(`${path}.fieldPath`, ref.fieldPath, `error converting fieldPath: ${detail}`)];
  if (ref.apiVersion !== "v1") return converting(`unsupported pod version: ${ref.apiVersion}`);
  const subscripted = /^(.*)\['(.*)'\]$/.exec(ref.fieldPath);
  const base = subscripted?.[1] ?? ref.fieldPath;
  if (subscripted) {
    if (base === "metadata.annotations") return validateQualifiedName((subscripted[2] ?? "").toLowerCase(), path);
    if (base === "metadata.labels") return validateQualifiedName(subscripted[2] ?? "", path);
    return converting(`field label does not support subscript: ${ref.fieldPath}`);
  }
  if (!CONVERTIBLE.has(base)) return converting(`field label not supported: ${base}`);
  return allowed.includes(base) ? [] : [notSupported(`${path}.fieldPath`, base, allowed)];
}

function validateDivisor(resource: string, divisor: Quantity | undefined, path: string): FieldError[] {
  if (divisor === undefined || toQuantity(divisor).nano === 0n) return [];
  const shown = canonicalQuantity(divisor);
  const sized = (what: string): FieldError[] =>
    SIZES.has(shown) ? [] : [invalid(`${path}.divisor`, resource, `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${what} resource`)];
  if (resource.endsWith(".cpu")) return shown === "1m" || shown === "1" ? [] : [invalid(`${path}.divisor`, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  if (resource.endsWith(".memory")) return sized("memory");
  if (resource.endsWith(".ephemeral-storage")) return sized("local ephemeral storage");
  return resource.includes(".hugepages-") ? sized("hugepages") : [];
}

export function validateResourceFieldSelector(ref: { readonly containerName?: string; readonly resource: string; readonly divisor?: Quantity }, path: string, volume: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (volume && !ref.containerName) errors.push(required(`${path}.containerName`));
  else if (!ref.resource) errors.push(required(`${path}.resource`));
  else if (!CONTAINER_RESOURCES.includes(ref.resource) && !/^(requests|limits)\.hugepages-/.test(ref.resource)) errors.push(notSupported(`${path}.resource`, ref.resource, CONTAINER_RESOURCES));
  return [...errors, ...validateDivisor(ref.resource ?? "", ref.divisor, path)];
}

function validateKeySelector(ref: { readonly name?: string; readonly key: string }, path: string): FieldError[] {
  const errors = invalidEach(`${path}.name`, ref.name ?? "", isDNS1123Subdomain(ref.name ?? ""));
  if (!ref.key) errors.push(required(`${path}.key`));
  else errors.push(...invalidEach(`${path}.key`, ref.key, isConfigMapKey(ref.key)));
  return errors;
}

function validateFileKeySelector(ref: { readonly volumeName: string; readonly path: string; readonly key: string }, path: string): FieldError[] {
  return [
    ...(ref.key ? invalidEach(`${path}.key`, ref.key, isRelaxedEnvVarName(ref.key)) : [required(`${path}.key`)]),
    ...(ref.volumeName ? validateDNS1123Label(ref.volumeName, `${path}.volumeName`) : [required(`${path}.volumeName`)]),
    ...(ref.path ? validatePathNoBacksteps(ref.path, `${path}.path`) : [required(`${path}.path`)]),
  ];
}

function validateValueFrom(env: EnvVar, path: string): FieldError[] {
  const from = env.valueFrom;
  if (!from) return [];
  const errors: FieldError[] = [];
  if (from.fieldRef) errors.push(...validateObjectFieldSelector(from.fieldRef, ENV_FIELDS, `${path}.fieldRef`));
  if (from.resourceFieldRef) errors.push(...validateResourceFieldSelector(from.resourceFieldRef, `${path}.resourceFieldRef`, false));
  if (from.configMapKeyRef) errors.push(...validateKeySelector(from.configMapKeyRef, `${path}.configMapKeyRef`));
  if (from.secretKeyRef) errors.push(...validateKeySelector(from.secretKeyRef, `${path}.secretKeyRef`));
  if (from.fileKeyRef) errors.push(...validateFileKeySelector(from.fileKeyRef, `${path}.fileKeyRef`));
  const sources = [from.fieldRef, from.resourceFieldRef, from.configMapKeyRef, from.secretKeyRef, from.fileKeyRef].filter((s) => s !== undefined).length;
  if (sources === 0) errors.push(invalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"));
  else if (env.value) errors.push(invalid(path, "", "may not be specified when `value` is not empty"));
  else if (sources > 1) errors.push(invalid(path, "", "may not have more than one field specified at a time"));
  return errors;
}

export function validateEnv(vars: readonly EnvVar[] | undefined, path: string): FieldError[] {
  return (vars ?? []).flatMap((env, i) => [
    ...(env.name ? invalidEach(`${path}[${i}].name`, env.name, isRelaxedEnvVarName(env.name)) : [required(`${path}[${i}].name`)]),
    ...validateValueFrom(env, `${path}[${i}].valueFrom`),
  ]);
}

export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: string): FieldError[] {
  return (sources ?? []).flatMap((source, i) => {
    const at = `${path}[${i}]`;
    const errors = source.prefix ? invalidEach(`${at}.prefix`, source.prefix, isRelaxedEnvVarName(source.prefix)) : [];
    const named = (name: string | undefined, where: string): FieldError[] => (name ? invalidEach(where, name, isDNS1123Subdomain(maskTrailingDash(name))) : [required(where)]);
    if (source.configMapRef) errors.push(...named(source.configMapRef.name, `${at}.configMapRef.name`));
    if (source.secretRef) errors.push(...named(source.secretRef.name, `${at}.secretRef.name`));
    if (!source.configMapRef && !source.secretRef) errors.push(invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    if (source.configMapRef && source.secretRef) errors.push(invalid(path, "", "may not have more than one field specified at a time"));
    return errors;
  });
}

/** A fileKeyRef must name an emptyDir volume of the Pod. */
export function validateFileKeyRefVolumes(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["initContainers", "containers", "ephemeralContainers"] as const) {
    for (const [i, container] of (spec[field] ?? []).entries()) {
      for (const [j, env] of (container.env ?? []).entries()) {
        const name = env.valueFrom?.fileKeyRef?.volumeName;
        if (name === undefined) continue;
        const at = `${path}.${field}[${i}].env[${j}].valueFrom.fileKeyRef.volumeName`;
        const volume = spec.volumes?.find((v) => v.name === name);
        if (!volume) errors.push(notFound(at, name));
        else if (!volume.emptyDir) errors.push(invalid(at, name, "referenced volume must be of type emptyDir"));
      }
    }
  }
  return errors;
}
