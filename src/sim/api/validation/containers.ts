// Models validateContainers and validateInitContainers of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notFound, notSupported, required, tooMany } from "../field-error.ts";
import { isValidPortName, isValidPortNum } from "../names.ts";
import type { Container, ContainerPort, PodSpec, Volume, VolumeMount } from "../types.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateDNS1123Label } from "./helpers.ts";
import { validateLocalDescendingPath, validatePathNoBacksteps } from "./paths.ts";
import { validateLifecycleAndProbes } from "./probes.ts";
import { validateContainerResources } from "./resources.ts";
import { type SecurityOptions, validateSecurityContext } from "./security-context.ts";

/** What the containers of one Pod share while they are validated. */
export interface ContainerScope {
  readonly spec: PodSpec;
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: ReadonlySet<string>;
  readonly security: SecurityOptions;
}

const INIT_ONLY = "may not be set for init containers without restartPolicy=Always";

function validatePorts(ports: readonly ContainerPort[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, port] of (ports ?? []).entries()) {
    const at = `${path}[${i}]`;
    if (port.name) {
      const bad = isValidPortName(port.name);
      errors.push(...invalidEach(`${at}.name`, port.name, bad));
      if (bad.length === 0 && names.has(port.name)) errors.push(duplicate(`${at}.name`, port.name));
      else if (bad.length === 0) names.add(port.name);
    }
    if (!port.containerPort) errors.push(required(`${at}.containerPort`));
    else errors.push(...invalidEach(`${at}.containerPort`, port.containerPort, isValidPortNum(port.containerPort)));
    if (port.hostPort) errors.push(...invalidEach(`${at}.hostPort`, port.hostPort, isValidPortNum(port.hostPort)));
    if (!port.protocol) errors.push(required(`${at}.protocol`));
    else if (!["TCP", "UDP", "SCTP"].includes(port.protocol)) errors.push(notSupported(`${at}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
  }
  return errors;
}

/** Mount options; upstream reports these on the list, not on the mount. */
function validateMountOptions(mount: VolumeMount, container: Container, at: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mount.subPath) errors.push(...validateLocalDescendingPath(mount.subPath, `${path}.subPath`));
  if (mount.subPathExpr) {
    if (mount.subPath) errors.push(invalid(`${at}.subPathExpr`, mount.subPathExpr, "subPathExpr and subPath are mutually exclusive"));
    errors.push(...validateLocalDescendingPath(mount.subPathExpr, `${path}.subPathExpr`));
  }
  const propagation = mount.mountPropagation;
  if (propagation !== undefined) {
    const supported = ["Bidirectional", "HostToContainer", "None"];
    if (!supported.includes(propagation)) errors.push(notSupported(`${path}.mountPropagation`, propagation, supported));
    if (propagation === "Bidirectional" && container.securityContext?.["privileged"] !== true) errors.push(forbidden(`${path}.mountPropagation`, "Bidirectional mount propagation is available only to privileged containers"));
  }
  const recursive = mount.recursiveReadOnly;
  if (recursive === undefined || recursive === "Disabled") return errors;
  if (recursive !== "Enabled" && recursive !== "IfPossible") return [...errors, notSupported(`${path}.recursiveReadOnly`, recursive, ["Disabled", "Enabled", "IfPossible"])];
  if (!mount.readOnly) errors.push(forbidden(`${path}.recursiveReadOnly`, "may only be specified when readOnly is true"));
  if (propagation !== undefined && propagation !== "None") errors.push(forbidden(`${path}.recursiveReadOnly`, "may only be specified when mountPropagation is None or not specified"));
  return errors;
}

function validateMounts(container: Container, scope: ContainerScope, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${i}]`;
    if (!mount.name) errors.push(required(`${at}.name`));
    if (!scope.volumes.has(mount.name)) errors.push(notFound(`${at}.name`, mount.name));
    if (!mount.mountPath) errors.push(required(`${at}.mountPath`));
    if (seen.has(mount.mountPath)) errors.push(invalid(`${at}.mountPath`, mount.mountPath, "must be unique"));
    seen.add(mount.mountPath);
    if (devices.some((d) => d.name === mount.name)) errors.push(invalid(`${at}.name`, mount.name, "must not already exist in volumeDevices"));
    if (devices.some((d) => d.devicePath === mount.mountPath)) errors.push(invalid(`${at}.mountPath`, mount.mountPath, "must not already exist as a path in volumeDevices"));
    errors.push(...validateMountOptions(mount, container, at, path));
  }
  return errors;
}

function validateDevices(container: Container, scope: ContainerScope, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  for (const [i, device] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${i}]`;
    const volume = scope.volumes.get(device.name);
    if (!device.name) errors.push(required(`${at}.name`));
    if (names.has(device.name)) errors.push(invalid(`${at}.name`, device.name, "must be unique"));
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) errors.push(invalid(`${at}.name`, device.name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"));
    if (!volume) errors.push(notFound(`${at}.name`, device.name));
    if (!device.devicePath) errors.push(required(`${at}.devicePath`));
    if (paths.has(device.devicePath)) errors.push(invalid(`${at}.devicePath`, device.devicePath, "must be unique"));
    if (device.devicePath && validatePathNoBacksteps(device.devicePath, at).length > 0) errors.push(invalid(`${at}.devicePath`, device.devicePath, "can not contain backsteps ('..')"));
    else paths.add(device.devicePath);
    if (mounts.some((m) => m.name === device.name)) errors.push(invalid(`${at}.name`, device.name, "must not already exist in volumeMounts"));
    if (mounts.some((m) => m.mountPath === device.devicePath)) errors.push(invalid(`${at}.devicePath`, device.devicePath, "must not already exist as a path in volumeMounts"));
    if (device.name) names.add(device.name);
  }
  return errors;
}

function validatePullPolicy(policy: string | undefined, path: string): FieldError[] {
  if (!policy) return [required(path)];
  return ["Always", "IfNotPresent", "Never"].includes(policy) ? [] : [notSupported(path, policy, ["Always", "IfNotPresent", "Never"])];
}

function validateResizePolicy(container: Container, restartPolicy: string | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const check = (value: string, supported: readonly string[]): void => {
    if (!value) errors.push(required(path));
    else if (!supported.includes(value)) errors.push(notSupported(path, value, supported));
  };
  for (const [i, policy] of (container.resizePolicy ?? []).entries()) {
    if (seen.has(policy.resourceName)) errors.push(duplicate(`${path}[${i}]`, policy.resourceName));
    seen.add(policy.resourceName);
    check(policy.resourceName, ["cpu", "memory"]);
    check(policy.restartPolicy, ["NotRequired", "RestartContainer"]);
    if (restartPolicy === "Never" && policy.restartPolicy !== "NotRequired") errors.push(invalid(path, policy.restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
  }
  return errors;
}

function validateContainerCommon(container: Container, scope: ContainerScope, path: string): FieldError[] {
  const errors: FieldError[] = container.name ? validateDNS1123Label(container.name, `${path}.name`) : [required(`${path}.name`)];
  if (!container.image) errors.push(required(`${path}.image`));
  const policy = container.terminationMessagePolicy;
  if (!policy) errors.push(required(`${path}.terminationMessagePolicy`));
  else if (policy !== "File" && policy !== "FallbackToLogsOnError") errors.push(notSupported(`${path}.terminationMessagePolicy`, policy, ["File", "FallbackToLogsOnError"]));
  errors.push(...validatePorts(container.ports, `${path}.ports`), ...validateEnv(container.env, `${path}.env`), ...validateEnvFrom(container.envFrom, `${path}.envFrom`));
  errors.push(...validateMounts(container, scope, `${path}.volumeMounts`), ...validateDevices(container, scope, `${path}.volumeDevices`));
  errors.push(...validatePullPolicy(container.imagePullPolicy, `${path}.imagePullPolicy`), ...validateContainerResources(container.resources, scope.claimNames, `${path}.resources`));
  errors.push(...validateResizePolicy(container, scope.spec.restartPolicy, `${path}.resizePolicy`));
  errors.push(...validateSecurityContext(container.securityContext, `${path}.securityContext`, scope.spec.hostUsers !== false, scope.security));
  return errors;
}

function validateRestartRules(container: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const rules = container.restartPolicyRules ?? [];
  const policy = container.restartPolicy;
  if (policy === undefined) {
    if (rules.length === 0) return errors;
    errors.push(required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used"));
  } else if (!["Always", "Never", "OnFailure"].includes(policy)) errors.push(notSupported(`${path}.restartPolicy`, policy, ["Always", "Never", "OnFailure"]));
  if (rules.length > 20) errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, 20));
  for (const [i, rule] of rules.entries()) {
    const at = `${path}.restartPolicyRules[${i}]`;
    const actions = ["Restart", "RestartAllContainers"];
    if (!actions.includes(rule.action)) errors.push(notSupported(`${at}.action`, rule.action, actions));
    if (!rule.exitCodes) errors.push(required(`${at}.exitCodes`, "must be specified"));
    else if (!["In", "NotIn"].includes(rule.exitCodes.operator)) errors.push(notSupported(`${at}.exitCodes.operator`, rule.exitCodes.operator, ["In", "NotIn"]));
    const count = rule.exitCodes?.values?.length ?? 0;
    if (count > 255) errors.push(tooMany(`${at}.exitCodes.values`, count, 255));
  }
  return errors;
}

function hostPortConflicts(containers: readonly Container[], path: string): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [c, container] of containers.entries()) {
    for (const [p, port] of (container.ports ?? []).entries()) {
      if (!port.hostPort) continue;
      const key = `${port.protocol ?? ""}/${port.hostIP ?? ""}/${port.hostPort}`;
      if (seen.has(key)) errors.push(duplicate(`${path}[${c}].ports[${p}].hostPort`, key));
      seen.add(key);
    }
  }
  return errors;
}

export function validateContainers(scope: ContainerScope, path: string): FieldError[] {
  const containers = scope.spec.containers ?? [];
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, container] of containers.entries()) {
    const at = `${path}[${i}]`;
    errors.push(...validateContainerCommon(container, scope, at));
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    errors.push(...validateLifecycleAndProbes(container, scope.spec.terminationGracePeriodSeconds, scope.spec.os?.name, at), ...validateRestartRules(container, at));
  }
  return [...errors, ...hostPortConflicts(containers, path)];
}

export function validateInitContainers(scope: ContainerScope, path: string): FieldError[] {
  const names = new Set((scope.spec.containers ?? []).map((c) => c.name));
  const errors: FieldError[] = [];
  for (const [i, container] of (scope.spec.initContainers ?? []).entries()) {
    const at = `${path}[${i}]`;
    errors.push(...validateContainerCommon(container, scope, at), ...validateRestartRules(container, at));
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (container.name) names.add(container.name);
    errors.push(...hostPortConflicts([container], path));
    if (container.restartPolicy === "Always") {
      errors.push(...validateLifecycleAndProbes(container, scope.spec.terminationGracePeriodSeconds, scope.spec.os?.name, at));
      continue;
    }
    for (const key of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) if (container[key] !== undefined) errors.push(forbidden(`${at}.${key}`, INIT_ONLY));
    for (const [j, policy] of (container.resizePolicy ?? []).entries()) {
      if (policy.restartPolicy === "RestartContainer") errors.push(invalid(`${at}.resizePolicy[${j}].restartPolicy`, policy.restartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers"));
    }
  }
  return errors;
}

/** In the order of the struct. */
const EPHEMERAL_FORBIDDEN = ["ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"] as const;

export function validateEphemeralContainers(scope: ContainerScope, path: string): FieldError[] {
  const others = new Set([...(scope.spec.containers ?? []), ...(scope.spec.initContainers ?? [])].map((c) => c.name));
  const names = new Set(others);
  return (scope.spec.ephemeralContainers ?? []).flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const { image } = container;
    const errors = [...validateContainerCommon(container, scope, at), ...(image !== undefined && image.trim() !== image ? [invalid(`${at}.image`, image, "must not have leading or trailing whitespace")] : [])];
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    const target = (container as { readonly targetContainerName?: string }).targetContainerName;
    if (target && !others.has(target)) errors.push(notFound(`${at}.targetContainerName`, target));
    const refuse = (key: string): FieldError => forbidden(`${at}.${key}`, "cannot be set for an Ephemeral Container");
    for (const key of EPHEMERAL_FORBIDDEN) if (container[key] !== undefined && (key !== "resources" || Object.keys(container.resources ?? {}).length > 0)) errors.push(refuse(key));
    for (const [j, mount] of (container.volumeMounts ?? []).entries()) for (const key of ["subPath", "subPathExpr"] as const) if (mount[key]) errors.push(refuse(`volumeMounts[${j}].${key}`));
    return errors;
  });
}
