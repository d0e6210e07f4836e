// Models kubernetes/pkg/apis/core/validation/validation.go (ValidatePodResize)
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { computePodQOS } from "../qos.ts";
import type { Container, Pod, PodSpec, ResourceList, ResourceRequirements } from "../types.ts";
import { semanticEqual } from "./helpers.ts";
import { validateObjectMetaUpdate } from "./object-meta.ts";
import { validatePodMetadataAndSpec } from "./pod.ts";
import { MIRROR } from "./pod-annotations.ts";
import type { SecurityOptions } from "./security-context.ts";

const RESIZABLE = ["cpu", "memory"];

const removed = (now: ResourceList | undefined, before: ResourceList | undefined): boolean => Object.keys(before ?? {}).some((name) => !Object.hasOwn(now ?? {}, name));

/** validateContainerResize: amounts may change, never vanish. */
function removals(now: ResourceRequirements | undefined, before: ResourceRequirements | undefined, path: string, what = "resource"): FieldError[] {
  return [
    ...(removed(now?.requests, before?.requests) ? [forbidden(`${path}.requests`, `${what} requests cannot be removed`)] : []),
    ...(removed(now?.limits, before?.limits) ? [forbidden(`${path}.limits`, `${what} limits cannot be removed`)] : []),
  ];
}

/** cpu and memory as they were, everything else as it is now. */
function putBack(now: ResourceList | undefined, before: ResourceList | undefined): ResourceList | undefined {
  if (before === undefined) return undefined;
  const rest = Object.entries(now ?? {}).filter(([name]) => !RESIZABLE.includes(name));
  const old = Object.entries(before).filter(([name]) => RESIZABLE.includes(name));
  return Object.fromEntries([...rest, ...old]);
}

function resourcesPutBack(now: ResourceRequirements | undefined, before: ResourceRequirements | undefined): ResourceRequirements {
  const [limits, requests] = [putBack(now?.limits, before?.limits), putBack(now?.requests, before?.requests)];
  return { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) };
}

/** Whether more than cpu and memory differs. */
const changedOtherwise = (now: Container, before: Container): boolean => !semanticEqual({ ...now, resources: resourcesPutBack(now.resources, before.resources) }, { ...before, resources: before.resources ?? {} });

function orderErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, what] of [["containers", "containers"], ["initContainers", "initContainers"]] as const) {
    const [now, before] = [spec[key] ?? [], old[key] ?? []];
    if (now.length !== before.length) errors.push(forbidden(`spec.${key}`, `${what} may not be added or removed on resize`));
    else for (const [i, container] of now.entries()) if (container.name !== before[i]?.name) errors.push(forbidden(`spec.${key}[${i}].name`, `${what} may not be renamed or reordered on resize`));
  }
  return errors;
}

/** A node tells that it can resize by reporting the resources of what runs. */
function isSupported(pod: Pod): boolean {
  const running = pod.status?.containerStatuses?.find((status) => status.state?.running !== undefined);
  return running === undefined || (running as { readonly resources?: unknown }).resources !== undefined;
}

function podLevelErrors({ spec }: Pod, { spec: old }: Pod): FieldError[] {
  if (old.resources !== undefined && spec.resources === undefined) return [forbidden("spec.resources", "pod-level resources cannot be removed")];
  const other = !semanticEqual(resourcesPutBack(spec.resources, old.resources), old.resources ?? {});
  return [...removals(spec.resources, old.resources, "spec.resources", "pod-level resource"), ...(other ? [forbidden("spec", "only cpu and memory resources are mutable at pod-level")] : [])];
}

function initErrors(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, container] of (pod.spec.initContainers ?? []).entries()) {
    const before = old.spec.initContainers?.[i];
    const path = `spec.initContainers[${i}]`;
    if (before === undefined) continue;
    if (changedOtherwise(container, before)) errors.push(forbidden(path, "only cpu and memory resources for init or sidecar containers are mutable"));
    const restarts = (container.resizePolicy as readonly { readonly restartPolicy?: string }[] | undefined)?.some((policy) => policy.restartPolicy === "RestartContainer") === true;
    if (restarts && container.restartPolicy !== "Always" && !semanticEqual(container, before)) errors.push(forbidden(path, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"));
  }
  return errors;
}

/** The resize subresource: cpu and memory of running containers, within the Pod's QoS class. */
export function validatePodResize(pod: Pod, old: Pod, security: SecurityOptions): FieldError[] {
  if (old.metadata.annotations?.[MIRROR] !== undefined) return [forbidden("", "static pods cannot be resized")];
  if (old.spec.os?.name === "windows") return [forbidden("", "windows pods cannot be resized")];
  const errors = [...validateObjectMetaUpdate(pod, old), ...validatePodMetadataAndSpec(pod, security)];
  const qos = old.status?.qosClass ?? computePodQOS(old.spec);
  if (qos !== computePodQOS(pod.spec)) errors.push(invalid("spec", pod.status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing"));
  if (!isSupported(old)) errors.push(forbidden("spec", "Pod running on node without support for resize"));
  errors.push(...podLevelErrors(pod, old));
  const order = orderErrors(pod.spec, old.spec);
  if (order.length > 0) return [...errors, ...order];
  for (const [i, before] of (old.spec.initContainers ?? []).entries()) errors.push(...removals(pod.spec.initContainers?.[i]?.resources, before.resources, `spec.initContainers[${i}].resources`));
  for (const [i, before] of old.spec.containers.entries()) errors.push(...removals(pod.spec.containers[i]?.resources, before.resources, `spec.containers[${i}].resources`));
  for (const [i, before] of old.spec.containers.entries()) {
    const now = pod.spec.containers[i];
    if (now !== undefined && changedOtherwise(now, before)) errors.push(forbidden("spec", "only cpu and memory resources are mutable"));
  }
  return [...errors, ...initErrors(pod, old)];
}
