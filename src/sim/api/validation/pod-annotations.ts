// Models ValidatePodSpecificAnnotations and ValidatePodSpecificAnnotationUpdates of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { goJsonError } from "../go-json-error.ts";
import type { Pod, PodSpec, Toleration } from "../types.ts";
import { json, sortedEntries, text } from "./helpers.ts";
import { validateLocalDescendingPath } from "./paths.ts";
import { visitContainers } from "./pod-os.ts";
import { validateTolerations } from "./scheduling.ts";

type Annotations = Readonly<Record<string, string>>;

export const MIRROR = "kubernetes.io/config.mirror";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP = "seccomp.security.alpha.kubernetes.io/pod";
const CONTAINER_SECCOMP = "container.seccomp.security.alpha.kubernetes.io/";

function validateTolerationAnnotation(value: string, path: string): FieldError[] {
  const error = goJsonError(value);
  if (error !== undefined) return [invalid(path, TOLERATIONS, error)];
  const parsed: unknown = JSON.parse(value);
  return validateTolerations(Array.isArray(parsed) ? (parsed as readonly Toleration[]) : [], `${path}.${TOLERATIONS}`);
}

function validateSeccompAnnotation(profile: string, path: string): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  return profile.startsWith("localhost/") ? validateLocalDescendingPath(profile.slice("localhost/".length), path) : [invalid(path, profile, "must be a valid seccomp profile")];
}

function validateAppArmorAnnotation(key: string, profile: string, spec: PodSpec, path: string): FieldError[] {
  const container = key.slice(APPARMOR.length);
  const known = visitContainers(spec, "", (c) => [text(json(c)["name"])]).includes(container);
  const fine = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith("localhost/");
  return [...(known ? [] : [invalid(`${path}[${key}]`, container, "container not found")]), ...(fine ? [] : [invalid(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)])];
}

/** Annotations with a meaning of their own. */
export function validatePodAnnotations(annotations: Annotations, spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations[MIRROR] !== undefined && !spec.nodeName) errors.push(invalid(`${path}[${MIRROR}]`, annotations[MIRROR], "must set spec.nodeName if mirror pod annotation is set"));
  if (annotations[TOLERATIONS]) errors.push(...validateTolerationAnnotation(annotations[TOLERATIONS], path));
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !/^(0|-?[1-9]\d{0,9})$/.test(cost)) errors.push(invalid(`${path}[${DELETION_COST}]`, cost, "must be a 32bit integer"));
  if (annotations[SECCOMP] !== undefined) errors.push(...validateSeccompAnnotation(annotations[SECCOMP], `${path}.${SECCOMP}`));
  for (const [key, value] of sortedEntries(annotations)) if (key.startsWith(CONTAINER_SECCOMP)) errors.push(...validateSeccompAnnotation(value, `${path}.${key}`));
  for (const [key, value] of sortedEntries(annotations)) if (key.startsWith(APPARMOR)) errors.push(...validateAppArmorAnnotation(key, value, spec, path));
  return errors;
}

/** What says who made a Pod and how it is confined stays. */
export function validatePodAnnotationUpdate(pod: Pod, old: Pod, path: string): FieldError[] {
  const now = pod.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  const check = (key: string, verb: string): FieldError[] => [
    ...(key.startsWith(APPARMOR) ? [forbidden(`${path}[${key}]`, `may not ${verb} AppArmor annotations`)] : []), ...(key === MIRROR ? [forbidden(`${path}[${key}]`, `may not ${verb} mirror pod annotation`)] : []),
  ];
  if (now === before) return validatePodAnnotations(now, pod.spec, path);
  return [
    ...sortedEntries(before).flatMap(([key, value]) => (now[key] === value ? [] : check(key, "remove or update"))), ...sortedEntries(now).flatMap(([key]) => (before[key] === undefined ? check(key, "add") : [])),
    ...validatePodAnnotations(now, pod.spec, path),
  ];
}
