// Models ValidatePodResize of kubernetes/pkg/apis/core/validation/validation.go
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { computePodQOS } from "../qos.ts";
import type { Container, Pod, ResourceList, ResourceRequirements } from "../types.ts";
import { isSet, json, list, semanticEqual } from "./helpers.ts";
import { MIRROR } from "./pod-annotations.ts";

/** Kubelets that can resize tell what resources a running container has. */
function isSupported(pod: Pod): boolean {
  const running = list(json(pod.status)["containerStatuses"]).map(json).find((status) => isSet(json(status["state"])["running"]));
  return running === undefined || isSet(running["resources"]);
}

function validateOrder(pod: Pod, old: Pod): FieldError[] {
  return (["containers", "initContainers"] as const).flatMap((key) => {
    const [now = [], before = []] = [pod.spec[key], old.spec[key]];
    if (now.length !== before.length) return [forbidden(`spec.${key}`, `${key} may not be added or removed on resize`)];
    return before.flatMap((container, i) => (container.name === now[i]?.name ? [] : [forbidden(`spec.${key}[${i}].name`, `${key} may not be renamed or reordered on resize`)]));
  });
}

function validateRemoved(now: ResourceRequirements | undefined, before: ResourceRequirements | undefined, path: string, what: string): FieldError[] {
  return (["requests", "limits"] as const).flatMap((key) => {
    const lost = Object.keys(before?.[key] ?? {}).some((name) => now?.[key]?.[name] === undefined);
    return lost ? [forbidden(`${path}.${key}`, `${what} ${key} cannot be removed`)] : [];
  });
}

/** The list with cpu and memory as they were. */
function withOldAmounts(now: ResourceList | undefined, before: ResourceList | undefined): ResourceList | undefined {
  const { cpu: _cpu, memory: _memory, ...others } = now ?? {};
  const { cpu, memory } = before ?? {};
  const all = { ...others, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  return Object.keys(all).length === 0 ? undefined : all;
}

const restored = (now: ResourceRequirements | undefined, before: ResourceRequirements | undefined): Readonly<Record<string, unknown>> => ({ limits: withOldAmounts(now?.limits, before?.limits), requests: withOldAmounts(now?.requests, before?.requests) });
const sameContainer = (now: Container, before: Container): boolean => semanticEqual({ ...now, resources: restored(now.resources, before.resources) }, { ...before, resources: { limits: before.resources?.limits, requests: before.resources?.requests } });

/** Runs after the metadata and the new spec were found valid or not (`found`). Only cpu and memory may change. */
export function validatePodResize(pod: Pod, old: Pod, found: readonly FieldError[]): FieldError[] {
  if (old.metadata.annotations?.[MIRROR] !== undefined) return [forbidden("", "static pods cannot be resized")];
  if (old.spec.os?.name === "windows") return [forbidden("", "windows pods cannot be resized")];
  const errors = [...found];
  const only = "only cpu and memory resources are mutable";
  if ((old.status?.qosClass || computePodQOS(old.spec)) !== computePodQOS(pod.spec)) errors.push(invalid("spec", pod.status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing"));
  if (!isSupported(old)) errors.push(forbidden("spec", "Pod running on node without support for resize"));
  const [podLevel, before] = [pod.spec.resources, old.spec.resources];
  if (before !== undefined && podLevel === undefined) errors.push(forbidden("spec.resources", "pod-level resources cannot be removed"));
  else {
    errors.push(...validateRemoved(podLevel, before, "spec.resources", "pod-level resource"));
    if (!semanticEqual(restored(podLevel, before), { limits: before?.limits, requests: before?.requests })) errors.push(forbidden("spec", `${only} at pod-level`));
  }
  const order = validateOrder(pod, old);
  if (order.length > 0) return [...errors, ...order];
  for (const key of ["initContainers", "containers"] as const) {
    for (const [i, container] of (old.spec[key] ?? []).entries()) errors.push(...validateRemoved(pod.spec[key]?.[i]?.resources, container.resources, `spec.${key}[${i}].resources`, "resource"));
  }
  for (const [i, container] of pod.spec.containers.entries()) if (!sameContainer(container, old.spec.containers[i] ?? container)) errors.push(forbidden("spec", only));
  for (const [i, container] of (pod.spec.initContainers ?? []).entries()) {
    const was = old.spec.initContainers?.[i] ?? container;
    const at = `spec.initContainers[${i}]`;
    if (!sameContainer(container, was)) errors.push(forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable"));
    if (semanticEqual(container, was) || container.restartPolicy === "Always") continue;
    for (const policy of container.resizePolicy ?? []) if (policy.restartPolicy === "RestartContainer") errors.push(forbidden(at, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"));
  }
  if (errors.length > 0) return errors;
  const { containers, initContainers, resources } = old.spec;
  return semanticEqual({ ...pod.spec, containers, initContainers, resources }, old.spec) ? errors : [...errors, forbidden("spec", only)];
}
