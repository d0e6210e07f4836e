// Models ValidateSecurityContext and validatePodSpecSecurityContext of kubernetes/pkg/apis/core/validation/validation.go
import { duplicate, type FieldError, forbidden, invalid, invalidEach, notSupported, required, tooLong } from "../field-error.ts";
import { byteLength, isValidGroupID, isValidUserID } from "../names.ts";
import { type Json, json, list, text } from "./helpers.ts";
import { validateLocalDescendingPath } from "./paths.ts";
import { validateWindowsOptions } from "./pod-os.ts";

/** kubeadm runs the API server with --allow-privileged=true; the API server's own default is false. */
export interface SecurityOptions {
  readonly allowPrivileged: boolean;
}

const SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
const SECCOMP_TYPES = ["Localhost", "RuntimeDefault", "Unconfined"];
const PATH_MAX = 4095;

function validateSeccomp(profile: unknown, path: string): FieldError[] {
  if (profile === undefined) return [];
  const p = json(profile);
  const type = text(p["type"]);
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(`${path}.type`, "type is required when seccompProfile is set"));
  else if (!SECCOMP_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, SECCOMP_TYPES));
  const local = p["localhostProfile"];
  if (type === "Localhost") {
    if (local === undefined) errors.push(required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost"));
    else errors.push(...validateLocalDescendingPath(text(local), `${path}.localhostProfile`));
  } else if (local !== undefined) errors.push(invalid(`${path}.localhostProfile`, { Type: type, LocalhostProfile: local }, "can only be set when seccomp type is Localhost"));
  return errors;
}

function validateAppArmor(profile: unknown, path: string): FieldError[] {
  if (profile === undefined) return [];
  const p = json(profile);
  const local = p["localhostProfile"];
  const name = text(local);
  switch (text(p["type"])) {
    case "Localhost":
      if (local === undefined || (name.trim() === "" && name === "")) return [required(`${path}.localhostProfile`, "must be set when AppArmor type is Localhost")];
      return [
        ...(name.trim() === name ? [] : [invalid(`${path}.localhostProfile`, name, "must not be padded with whitespace")]),
        ...(byteLength(name) > PATH_MAX ? [tooLong(`${path}.localhostProfile`, PATH_MAX)] : []),
      ];
    case "RuntimeDefault":
    case "Unconfined":
      return local === undefined ? [] : [invalid(`${path}.localhostProfile`, local, "can only be set when AppArmor type is Localhost")];
    case "":
      return [required(`${path}.type`, "type is required when appArmorProfile is set")];
    default:
      return [notSupported(`${path}.type`, p["type"], ["Localhost", "RuntimeDefault", "Unconfined"])];
  }
}

function validateIds(context: Json, path: string): FieldError[] {
  const of = (key: string, check: (id: number) => string[]): FieldError[] => (typeof context[key] === "number" ? invalidEach(`${path}.${key}`, context[key], check(context[key])) : []);
  return [...of("fsGroup", isValidGroupID), ...of("runAsUser", isValidUserID), ...of("runAsGroup", isValidGroupID)];
}

export function validateSecurityContext(context: Json | undefined, path: string, hostUsers: boolean, options: SecurityOptions): FieldError[] {
  if (context === undefined) return [];
  const errors: FieldError[] = [];
  const privileged = context["privileged"] === true;
  if (privileged && !options.allowPrivileged) errors.push(forbidden(`${path}.privileged`, "disallowed by cluster policy"));
  errors.push(...validateIds(context, path));
  const procMount = context["procMount"];
  if (procMount !== undefined) {
    if (procMount !== "Default" && procMount !== "Unmasked") errors.push(notSupported(`${path}.procMount`, procMount, ["Default", "Unmasked"]));
    if (hostUsers && procMount === "Unmasked") errors.push(invalid(`${path}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`"));
  }
  errors.push(...validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`));
  if (context["allowPrivilegeEscalation"] === false) {
    if (privileged) errors.push(invalid(path, internal(context), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"));
    if (list(json(context["capabilities"])["add"]).includes("CAP_SYS_ADMIN")) errors.push(invalid(path, internal(context), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"));
  }
  return [...errors, ...validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`), ...validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`)];
}

/** Upstream prints its internal struct, whose JSON has every field under its Go name. */
function internal(context: Json): Json {
  const capabilities = context["capabilities"];
  const names = ["privileged", "seLinuxOptions", "windowsOptions", "runAsUser", "runAsGroup", "runAsNonRoot", "readOnlyRootFilesystem", "allowPrivilegeEscalation", "procMount", "seccompProfile", "appArmorProfile"];
  const goName = (name: string): string => (name === "seLinuxOptions" ? "SELinuxOptions" : name.charAt(0).toUpperCase() + name.slice(1));
  const add = capabilities === undefined ? null : { Add: json(capabilities)["add"] ?? null, Drop: json(capabilities)["drop"] ?? null };
  return { Capabilities: add, ...Object.fromEntries(names.map((name) => [goName(name), context[name] ?? null])) };
}

function validateSysctls(context: Json, pod: { readonly hostNetwork: boolean; readonly hostIPC: boolean }, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, item] of list(context["sysctls"]).entries()) {
    const name = text(json(item)["name"]);
    const at = `${path}[${i}].name`;
    if (name === "") errors.push(required(at));
    else if (byteLength(name) > 253 || !new RegExp(SYSCTL).test(name)) errors.push(invalid(at, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    if (pod.hostNetwork && name.startsWith("net.")) errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    if (pod.hostIPC && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(name)) errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    seen.add(name);
  }
  return errors;
}

const oneOf = (context: Json, key: string, allowed: readonly string[], path: string): FieldError[] =>
  context[key] !== undefined && !allowed.includes(text(context[key])) ? [notSupported(`${path}.${key}`, context[key], allowed)] : [];

export function validatePodSecurityContext(spec: Json, path: string): FieldError[] {
  if (spec["securityContext"] === undefined) return [];
  const context = json(spec["securityContext"]);
  const errors = validateIds(context, path);
  for (const [i, id] of list(context["supplementalGroups"]).entries()) if (typeof id === "number") errors.push(...invalidEach(`${path}.supplementalGroups[${i}]`, id, isValidGroupID(id)));
  if (spec["shareProcessNamespace"] === true && spec["hostPID"] === true) errors.push(invalid(`${path}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"));
  errors.push(...validateSysctls(context, { hostNetwork: spec["hostNetwork"] === true, hostIPC: spec["hostIPC"] === true }, `${path}.sysctls`));
  errors.push(...oneOf(context, "fsGroupChangePolicy", ["Always", "OnRootMismatch"], path));
  errors.push(...validateSeccomp(context["seccompProfile"], `${path}.seccompProfile`), ...validateWindowsOptions(context["windowsOptions"], `${path}.windowsOptions`), ...validateAppArmor(context["appArmorProfile"], `${path}.appArmorProfile`));
  errors.push(...oneOf(context, "supplementalGroupsPolicy", ["Merge", "Strict"], path), ...oneOf(context, "seLinuxChangePolicy", ["MountOption", "Recursive"], path));
  return errors;
}
