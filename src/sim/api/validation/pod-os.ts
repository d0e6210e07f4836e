// Models validateWindowsSecurityContextOptions, validateWindowsHostProcessPod, validateLinux and validateWindows of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid, invalidEach } from "../field-error.ts";
import { byteLength, isDNS1123Subdomain } from "../names.ts";
import type { PodSpec } from "../types.ts";
import { isSet, type Json, json, list, text } from "./helpers.ts";

const MAX_GMSA_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** "DOMAIN\user" or "user": what is wrong with it. */
function userNameErrors(name: string): string[] {
  const bad = (text: string): string => `runAsUserName${text}`;
  if (name === "") return [bad(" cannot be an empty string")];
  if ([...name].some((c) => c < " " || c === "\u007f")) return [bad(" cannot contain control characters")];
  const parts = name.split("\\");
  if (parts.length > 2) return [bad(" cannot contain more than one backslash")];
  const domain = parts.length === 2 ? (parts[0] ?? "") : undefined;
  const user = parts.at(-1) ?? "";
  const errors: string[] = [];
  if (domain !== undefined && byteLength(domain) >= MAX_DOMAIN) errors.push(bad(`'s Domain length must be under ${MAX_DOMAIN} characters`));
  if (domain !== undefined && !NETBIOS.test(domain) && !DNS_DOMAIN.test(domain)) errors.push(bad("'s Domain doesn't match the NetBios nor the DNS format"));
  if (user === "") errors.push(bad("'s User cannot be empty"));
  else if (byteLength(user) > MAX_USER) errors.push(bad(`'s User length must not be longer than ${MAX_USER} characters`));
  if (/^[. ]+$/.test(user)) errors.push(bad("'s User cannot contain only periods or spaces"));
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) errors.push(bad("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"));
  return errors;
}

export function validateWindowsOptions(options: unknown, path: string): FieldError[] {
  if (!isSet(options)) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credential, runAsUserName: user } = json(options);
  const tooBig = byteLength(text(credential)) > MAX_GMSA_KIB * 1024 ? [`gmsaCredentialSpec size must be under ${MAX_GMSA_KIB} KiB`] : [];
  return [
    ...(isSet(name) ? invalidEach(`${path}.gmsaCredentialSpecName`, name, isDNS1123Subdomain(text(name))) : []),
    ...(isSet(credential) ? invalidEach(`${path}.gmsaCredentialSpec`, credential, credential === "" ? ["gmsaCredentialSpec cannot be an empty string"] : tooBig) : []),
    ...(isSet(user) ? invalidEach(`${path}.runAsUserName`, user, userNameErrors(text(user))) : []),
  ];
}

/** Every container of a Pod with its path, in the order upstream visits them. */
export function visitContainers<T>(spec: PodSpec, path: string, visit: (container: Json, path: string) => readonly T[]): T[] {
  return (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((key) => list(spec[key]).flatMap((container, i) => visit(json(container), `${path}.${key}[${i}]`)));
}

const hostProcess = (context: unknown): unknown => json(json(context)["windowsOptions"])["hostProcess"];

/** All containers are HostProcess containers or none is. */
export function validateHostProcess(spec: PodSpec, path: string, allowPrivileged: boolean): FieldError[] {
  const ofPod = hostProcess(spec.securityContext);
  let count = 0;
  let total = 0;
  const errors = visitContainers(spec, path, (container, at) => {
    const own = hostProcess(container["securityContext"]);
    total += 1;
    if (own === true || (!isSet(own) && ofPod === true)) count += 1;
    return isSet(ofPod) && isSet(own) && ofPod !== own ? [invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`)] : [];
  });
  if (count === 0) return errors;
  if (count !== total) errors.push(invalid(path, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"));
  if (!spec.hostNetwork) errors.push(invalid(`${path}.hostNetwork`, false, "hostNetwork must be true if pod contains any hostProcess containers"));
  return allowPrivileged ? errors : [...errors, forbidden(path, "hostProcess containers are disallowed by cluster policy")];
}

/** Fields of the Pod's security context that only Linux knows, in upstream's order; the host ones stand in the spec itself. */
const POD_LINUX = ["appArmorProfile", "seLinuxOptions", "^hostUsers", "^hostPID", "^hostIPC", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls", "^shareProcessNamespace", "runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"];
const CONTAINER_LINUX = ["appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"];

/** What the operating system that the Pod names does not know. */
export function validateForOS(spec: PodSpec, path: string): FieldError[] {
  const windows = spec.os?.name === "windows";
  const refuse = (context: unknown, at: string, names: readonly string[], text: string): FieldError[] => names.filter((name) => isSet(json(context)[name])).map((name) => forbidden(`${at}.securityContext.${name}`, text));
  if (!windows) {
    const text = "windows options cannot be set for a linux pod";
    return [...refuse(spec.securityContext, path, ["windowsOptions"], text), ...visitContainers(spec, path, (container, at) => refuse(container["securityContext"], at, ["windowsOptions"], text))];
  }
  const text = "cannot be set for a windows pod";
  const source = spec as unknown as Json;
  const ofPod = POD_LINUX.filter((name) => {
    const value = name.startsWith("^") ? source[name.slice(1)] : json(spec.securityContext)[name];
    return isSet(value) && !((name === "^hostPID" || name === "^hostIPC") && value === false) && !(name === "sysctls" && list(value).length === 0);
  });
  return [...ofPod.map((name) => forbidden(name.startsWith("^") ? `${path}.${name.slice(1)}` : `${path}.securityContext.${name}`, text)), ...visitContainers(spec, path, (container, at) => refuse(container["securityContext"], at, CONTAINER_LINUX, text))];
}
