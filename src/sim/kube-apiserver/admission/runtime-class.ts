// Models kubernetes/plugin/pkg/admission/runtimeclass/admission.go
import type { KubeObject, Pod, ResourceList, Status, Toleration } from "../../api/types.ts";
import { canonicalQuantity } from "../../api/quantity.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid, isPodCreate } from "./attributes.ts";

interface RuntimeClass extends KubeObject {
  readonly handler?: string;
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: { readonly nodeSelector?: Readonly<Record<string, string>>; readonly tolerations?: readonly Toleration[] };
}

const sameResources = (a: ResourceList, b: ResourceList): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, q]) => b[name] !== undefined && canonicalQuantity(q) === canonicalQuantity(b[name]));

function find(pod: Pod, attrs: AdmissionAttributes): RuntimeClass | undefined | Status {
  const name = pod.spec.runtimeClassName;
  if (name === undefined) return undefined;
  return (attrs.lookup("runtimeclasses", "", name) as RuntimeClass | undefined) ?? forbid(attrs, pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
}

const isRefusal = (found: RuntimeClass | Status): found is Status => found.kind === "Status";

/** Adds the runtime's own cost and the nodes that have it. */
export const runtimeClass = {
  name: "RuntimeClass",
  handles: isPodCreate,

  admit(object, attrs) {
    const pod = object as Pod;
    const found = find(pod, attrs);
    if (found === undefined || isRefusal(found)) return found ?? pod;
    let { spec } = pod;
    const fixed = found.overhead?.podFixed;
    if (found.overhead) {
      if (Object.keys(spec.overhead ?? {}).length > 0 && !sameResources(fixed ?? {}, spec.overhead ?? {})) return forbid(attrs, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      if (fixed) spec = { ...spec, overhead: fixed };
    }
    for (const [key, value] of Object.entries(found.scheduling?.nodeSelector ?? {})) {
      const own = spec.nodeSelector?.[key];
      if (own !== undefined && own !== value) return forbid(attrs, pod, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`);
      spec = { ...spec, nodeSelector: { ...spec.nodeSelector, [key]: value } };
    }
    const tolerations = (found.scheduling?.tolerations ?? []).filter((t) => !(spec.tolerations ?? []).some((own) => JSON.stringify(own) === JSON.stringify(t)));
    if (tolerations.length > 0) spec = { ...spec, tolerations: [...(spec.tolerations ?? []), ...tolerations] };
    return spec === pod.spec ? pod : { ...pod, spec };
  },

  validate(object, attrs) {
    const pod = object as Pod;
    const found = find(pod, attrs);
    if (found !== undefined && isRefusal(found)) return found;
    if (found?.overhead) return sameResources(found.overhead.podFixed ?? {}, pod.spec.overhead ?? {}) ? undefined : forbid(attrs, pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    return pod.spec.overhead ? forbid(attrs, pod, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead") : undefined;
  },
} satisfies AdmissionPlugin;
