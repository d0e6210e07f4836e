// Models ValidatePodCreate, ValidatePodUpdate and ValidatePodSpec of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { internalContainer, internalPodSpec, prettyJson } from "../internal-form.ts";
import { isValidIP } from "../ip.ts";
import { byteLength, inclusiveRangeError, isDNS1123Subdomain, isDNS1123SubdomainWithUnderscore } from "../names.ts";
import type { Container, ObjectMeta, Pod, PodSpec, PodTemplateSpec } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { type ContainerScope, validateContainers, validateEphemeralContainers, validateInitContainers } from "./containers.ts";
import { validateFileKeyRefVolumes } from "./env.ts";
import { type Json, list, semanticEqual, validateDNS1123Label, validateDNS1123Subdomain, validateLabels, validateQualifiedName } from "./helpers.ts";
import { subdomainName, validateAnnotations, validateKubeFinalizers, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import { MIRROR, validatePodAnnotations, validatePodAnnotationUpdate } from "./pod-annotations.ts";
import { validateForOS, validateHostProcess, visitContainers } from "./pod-os.ts";
import { validateContainerResources, validatePodResources } from "./resources.ts";
import {
  validateAffinity, validateGatedNodeSelection, validateOnlyAddedTolerations, validateOnlyDeletedSchedulingGates, validateSchedulingGates, validateTolerations, validateTopologySpreadConstraints,
} from "./scheduling.ts";
import { type SecurityOptions, validatePodSecurityContext } from "./security-context.ts";
import { validateVolumes } from "./volumes.ts";

const MAX_INT32 = 2_147_483_647;

function oneOf(value: string | undefined, supported: readonly string[], path: string): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateDNSConfig(spec: PodSpec, path: string): FieldError[] {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === "None") {
    if (!config) return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if (!config.nameservers?.length) return [required(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  if (!config) return [];
  const errors: FieldError[] = [];
  const nameservers = config.nameservers ?? [];
  const searches = config.searches ?? [];
  if (nameservers.length > 3) errors.push(invalid(`${path}.nameservers`, nameservers, "must not have more than 3 nameservers"));
  for (const [i, ns] of nameservers.entries()) errors.push(...invalidEach(`${path}.nameservers[${i}]`, ns, isValidIP(ns)));
  if (searches.length > 32) errors.push(invalid(`${path}.searches`, searches, "must not have more than 32 search paths"));
  if (searches.join(" ").length > 2048) errors.push(invalid(`${path}.searches`, searches, "must not have more than 2048 characters (including spaces) in the search list"));
  for (const [i, search] of searches.entries()) if (search !== ".") errors.push(...invalidEach(`${path}.searches[${i}]`, search.replace(/\.$/, ""), isDNS1123SubdomainWithUnderscore(search.replace(/\.$/, ""))));
  for (const [i, option] of (config.options ?? []).entries()) if (!option.name) errors.push(required(`${path}.options[${i}]`, "must not be empty"));
  return errors;
}

function validateHostNetworkPorts(spec: PodSpec, path: string, isPod: boolean): FieldError[] {
  if (!spec.hostNetwork) return [];
  return (spec.containers ?? []).flatMap((container, c) =>
    (container.ports ?? []).flatMap((port, p) =>
      (isPod || port.hostPort) && (port.hostPort ?? 0) !== port.containerPort ? [invalid(`${path}.containers[${c}].ports[${p}].hostPort`, port.hostPort ?? 0, "must match `containerPort` when `hostNetwork` is true")] : [],
    ),
  );
}

function validateHostFields(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.hostUsers === false) {
    if (spec.hostNetwork) errors.push(forbidden(`${path}.hostNetwork`, "when `hostUsers` is false"));
    if (spec.hostPID) errors.push(forbidden(`${path}.HostPID`, "when `hostUsers` is false"));
    if (spec.hostIPC) errors.push(forbidden(`${path}.HostIPC`, "when `hostUsers` is false"));
    errors.push(...visitContainers(spec, path, (container, at) => (list(container["volumeDevices"]).length > 0 ? [forbidden(`${at}.volumeDevices`, "when `hostUsers` is false")] : [])));
  }
  const override = spec.hostnameOverride;
  if (override === undefined) return errors;
  if (spec.setHostnameAsFQDN) errors.push(forbidden(`${path}.hostnameOverride`, "may not be specified when setHostnameAsFQDN is true"));
  if (spec.hostNetwork) errors.push(forbidden(`${path}.hostnameOverride`, "may not be specified when hostNetwork is true"));
  if (byteLength(override) > 64) errors.push(tooLong(`${path}.hostnameOverride`, 64));
  return [...errors, ...validateDNS1123Subdomain(override, `${path}.hostnameOverride`)];
}

function validateNames(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const subdomain = (key: "serviceAccountName" | "nodeName" | "priorityClassName"): void => {
    const value = spec[key];
    if (value) errors.push(...invalidEach(`${path}.${key}`, value, isDNS1123Subdomain(value)));
  };
  subdomain("serviceAccountName");
  subdomain("nodeName");
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) errors.push(invalid(`${path}.activeDeadlineSeconds`, deadline, inclusiveRangeError(1, MAX_INT32)));
  if (spec.hostname) errors.push(...validateDNS1123Label(spec.hostname, `${path}.hostname`));
  if (spec.subdomain) errors.push(...validateDNS1123Label(spec.subdomain, `${path}.subdomain`));
  errors.push(...validateTolerations(spec.tolerations, `${path}.tolerations`));
  for (const [i, alias] of (spec.hostAliases ?? []).entries()) {
    errors.push(...invalidEach(`${path}.hostAliases[${i}].ip`, alias.ip, isValidIP(alias.ip)));
    for (const [j, name] of (alias.hostnames ?? []).entries()) errors.push(...validateDNS1123Subdomain(name, `${path}.hostAliases[${i}].hostnames[${j}]`));
  }
  subdomain("priorityClassName");
  if (spec.runtimeClassName !== undefined) errors.push(...validateDNS1123Subdomain(spec.runtimeClassName, `${path}.runtimeClassName`));
  if (spec.preemptionPolicy !== undefined) errors.push(...oneOf(spec.preemptionPolicy, ["PreemptLowerPriority", "Never"], `${path}.preemptionPolicy`));
  if (spec.overhead) errors.push(...validateContainerResources({ limits: spec.overhead }, new Set(), `${path}.overhead`));
  if (!spec.os) return errors;
  const unknown = oneOf(spec.os.name, ["linux", "windows"], `${path}.os.name`).map((e) => (spec.os?.name ? { ...e, field: `${path}.os` } : e));
  return [...errors, ...unknown, ...(unknown.length === 0 ? validateForOS(spec, path) : [])];
}

function validateResourceClaims(spec: PodSpec, meta: ObjectMeta | undefined, path: string): FieldError[] {
  const seen = new Set<string>();
  return (spec.resourceClaims ?? []).flatMap((claim, i) => {
    const at = `${path}[${i}]`;
    const errors: FieldError[] = [];
    if (meta?.annotations?.[MIRROR] !== undefined) return [forbidden("", "static pods do not support resource claims")];
    if (!claim.name) errors.push(required(`${at}.name`));
    else if (seen.has(claim.name)) errors.push(duplicate(`${at}.name`, claim.name));
    else errors.push(...validateDNS1123Label(claim.name, `${at}.name`));
    seen.add(claim.name);
    const { resourceClaimName: name, resourceClaimTemplateName: template } = claim;
    const shown = { Name: claim.name, ResourceClaimName: name ?? null, ResourceClaimTemplateName: template ?? null };
    if (name !== undefined && template !== undefined) errors.push(invalid(at, shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"));
    if (name === undefined && template === undefined) errors.push(invalid(at, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    for (const key of ["resourceClaimName", "resourceClaimTemplateName"] as const) if (claim[key] !== undefined) errors.push(...validateDNS1123Subdomain(claim[key], `${at}.${key}`));
    return errors;
  });
}

export interface PodSpecOptions extends SecurityOptions {
  /** A Pod itself, not the template of a workload. */
  readonly isPod: boolean;
}

/** Everything but the metadata, whose name and annotations count in some places. */
export function validatePodSpec(spec: PodSpec, meta: ObjectMeta | undefined, path: string, options: PodSpecOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.terminationGracePeriodSeconds === undefined) errors.push(required(`${path}.terminationGracePeriodSeconds`));
  const { errors: volumeErrors, volumes } = validateVolumes(spec.volumes, meta?.name, `${path}.volumes`, options.isPod);
  errors.push(...volumeErrors, ...validateResourceClaims(spec, meta, `${path}.resourceClaims`));
  const claimNames = new Set((spec.resourceClaims ?? []).map((c) => c.name).filter((name) => name !== ""));
  const scope: ContainerScope = { spec, volumes, claimNames, security: options };
  errors.push(...validateContainers(scope, `${path}.containers`), ...validateInitContainers(scope, `${path}.initContainers`), ...validateEphemeralContainers(scope, `${path}.ephemeralContainers`));
  if (spec.containers) errors.push(...validatePodResources(spec, claimNames, `${path}.resources`));
  errors.push(...validateHostNetworkPorts(spec, path, options.isPod));
  errors.push(...oneOf(spec.restartPolicy, ["Always", "OnFailure", "Never"], `${path}.restartPolicy`));
  errors.push(...oneOf(spec.dnsPolicy, ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"], `${path}.dnsPolicy`));
  errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`), ...validatePodSecurityContext(spec as unknown as Json, `${path}.securityContext`));
  errors.push(...validateAffinity(spec.affinity, `${path}.affinity`), ...validateDNSConfig(spec, `${path}.dnsConfig`));
  for (const [i, gate] of (spec.readinessGates ?? []).entries()) errors.push(...validateQualifiedName(gate.conditionType, `${path}.readinessGates[${i}].conditionType`));
  errors.push(...validateSchedulingGates(spec.schedulingGates, `${path}.schedulingGates`), ...validateTopologySpreadConstraints(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`));
  return [...errors, ...validateHostProcess(spec, path, options.allowPrivileged), ...validateHostFields(spec, path), ...validateNames(spec, path), ...validateFileKeyRefVolumes(spec, path)];
}

const spacedImages = (containers: readonly Container[] | undefined, path: string): FieldError[] =>
  (containers ?? []).flatMap((c, i) => (c.image !== undefined && c.image.trim() !== c.image ? [invalid(`${path}[${i}].image`, c.image, "must not have leading or trailing whitespace")] : []));

export function validatePodMetadataAndSpec(pod: Pod, security: SecurityOptions): FieldError[] {
  const errors = [...validateObjectMeta(pod.metadata, true, subdomainName), ...validateKubeFinalizers(pod.metadata)];
  errors.push(...validatePodAnnotations(pod.metadata.annotations ?? {}, pod.spec, "metadata.annotations"));
  errors.push(...validatePodSpec(pod.spec, pod.metadata, "spec", { ...security, isPod: true }));
  if (!pod.spec.serviceAccountName) {
    for (const [v, volume] of (pod.spec.volumes ?? []).entries()) {
      for (const [s, source] of (volume.projected?.sources ?? []).entries()) {
        if (source.serviceAccountToken) errors.push(forbidden(`spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`, "must not be specified when serviceAccountName is not set"));
      }
    }
  }
  return [...errors, ...spacedImages(pod.spec.containers, "spec.containers"), ...spacedImages(pod.spec.initContainers, "spec.initContainers")];
}

/** Create: 422 causes in upstream's order. `security.allowPrivileged` is kubeadm's true. */
export function validatePodCreate(pod: Pod, security: SecurityOptions): FieldError[] {
  const errors = validatePodMetadataAndSpec(pod, security);
  if (pod.spec.ephemeralContainers?.length) errors.push(forbidden("spec.ephemeralContainers", "cannot be set on create"));
  if (pod.spec.nodeName && pod.spec.schedulingGates?.length) errors.push(forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
  return errors;
}

const UPDATABLE = [
  "`spec.containers[*].image`", "`spec.initContainers[*].image`", "`spec.activeDeadlineSeconds`", "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

function validateContainerUpdates(containers: readonly Container[] | undefined, old: readonly Container[] | undefined, path: string): { readonly errors: FieldError[]; readonly stop: boolean } {
  if ((containers ?? []).length !== (old ?? []).length) return { errors: [forbidden(path, "pod updates may not add or remove containers")], stop: true };
  const missing = (containers ?? []).flatMap((c, i) => (c.image ? [] : [required(`${path}[${i}].image`)]));
  return { errors: [...missing, ...spacedImages(containers, path)], stop: false };
}

/** The new spec with every field that may change put back: what is left must equal the old spec. */
function mungedSpec(spec: PodSpec, old: PodSpec): PodSpec {
  const images = (containers: readonly Container[] | undefined, before: readonly Container[] | undefined): readonly Container[] | undefined => containers?.map((c, i) => ({ ...c, image: before?.[i]?.image ?? "" }));
  const gated = (old.schedulingGates ?? []).length > 0;
  const oldNodeAffinity = old.affinity?.nodeAffinity;
  const affinity = spec.affinity || oldNodeAffinity ? { ...spec.affinity, nodeAffinity: oldNodeAffinity } : undefined;
  const emptyAffinity = affinity !== undefined && old.affinity === undefined && !affinity.podAffinity && !affinity.podAntiAffinity;
  const initContainers = images(spec.initContainers, old.initContainers);
  return {
    ...spec,
    containers: images(spec.containers, old.containers) ?? [],
    ...(initContainers === undefined ? {} : { initContainers }),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1 ? { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds } : {}),
    ...(gated ? { nodeSelector: old.nodeSelector, affinity: emptyAffinity ? undefined : affinity } : {}),
  } as PodSpec;
}

const specDiff = (before: unknown, after: unknown): string => unifiedDiff(prettyJson(before), prettyJson(after));

export function validatePodUpdate(pod: Pod, old: Pod, security: SecurityOptions): FieldError[] {
  const errors = [...validateObjectMetaUpdate(pod, old), ...validatePodMetadataAndSpec(pod, security), ...validatePodAnnotationUpdate(pod, old, "metadata.annotations")];
  for (const key of ["containers", "initContainers"] as const) {
    const { errors: found, stop } = validateContainerUpdates(pod.spec[key], old.spec[key], `spec.${key}`);
    errors.push(...found);
    if (stop) return errors;
  }
  const deadline = pod.spec.activeDeadlineSeconds;
  const before = old.spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 0 || deadline > MAX_INT32)) return [...errors, invalid("spec.activeDeadlineSeconds", deadline, inclusiveRangeError(0, MAX_INT32))];
  if (deadline !== undefined && before !== undefined && before < deadline) return [...errors, invalid("spec.activeDeadlineSeconds", deadline, "must be less than or equal to previous value")];
  if (deadline === undefined && before !== undefined) errors.push(invalid("spec.activeDeadlineSeconds", null, "must not update from a positive integer to nil value"));
  errors.push(...validateOnlyAddedTolerations(pod.spec.tolerations, old.spec.tolerations, "spec.tolerations"));
  errors.push(...validateOnlyDeletedSchedulingGates(pod.spec.schedulingGates, old.spec.schedulingGates, "spec.schedulingGates"));
  if (semanticEqual(pod.spec, old.spec)) return errors;
  if ((old.spec.schedulingGates ?? []).length > 0) errors.push(...validateGatedNodeSelection(pod.spec, old.spec, "spec"));
  const munged = mungedSpec(pod.spec, old.spec);
  if (!semanticEqual(munged, old.spec)) errors.push(forbidden("spec", `pod updates may not change fields other than ${UPDATABLE}\n${specDiff(internalPodSpec(old.spec), internalPodSpec(munged))}`));
  return errors;
}

/** The ephemeralcontainers subresource: debugging containers may be added, never changed or removed. */
export function validatePodEphemeralContainersUpdate(pod: Pod, old: Pod, security: SecurityOptions): FieldError[] {
  if (old.metadata.annotations?.[MIRROR] !== undefined) return [forbidden("", "static pods do not support ephemeral containers")];
  const errors = [...validateObjectMetaUpdate(pod, old), ...validatePodMetadataAndSpec(pod, security), ...validatePodAnnotationUpdate(pod, old, "metadata.annotations")];
  for (const before of old.spec.ephemeralContainers ?? []) {
    const now = pod.spec.ephemeralContainers?.find((c) => c.name === before.name);
    const quoted = JSON.stringify(before.name);
    if (!now) errors.push(forbidden("spec.ephemeralContainers", `existing ephemeral containers ${quoted} may not be removed\n`));
    else if (!semanticEqual(before, now)) {
      const diff = specDiff(internalContainer(before, "EphemeralContainer"), internalContainer(now, "EphemeralContainer"));
      errors.push(forbidden("spec.ephemeralContainers", `existing ephemeral containers ${quoted} may not be changed\n${diff}`));
    }
  }
  return errors;
}

/** The template of a workload. */
export function validatePodTemplateSpec(template: PodTemplateSpec, path: string, security: SecurityOptions): FieldError[] {
  const errors = [...validateLabels(template.metadata?.labels, `${path}.labels`), ...validateAnnotations(template.metadata?.annotations, `${path}.annotations`)];
  errors.push(...validatePodAnnotations(template.metadata?.annotations ?? {}, template.spec, `${path}.annotations`));
  errors.push(...validatePodSpec(template.spec, undefined, `${path}.spec`, { ...security, isPod: false }));
  if (template.spec.ephemeralContainers?.length) errors.push(forbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template"));
  return errors;
}
