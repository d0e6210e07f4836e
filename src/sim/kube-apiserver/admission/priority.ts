// Models kubernetes/plugin/pkg/admission/priority/admission.go
import type { KubeObject, Pod } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

interface PriorityClass extends KubeObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

/** Created by the API server itself when it starts; known here so that they work before that. */
const SYSTEM: ReadonlyMap<string, number> = new Map([["system-node-critical", 2_000_001_000], ["system-cluster-critical", 2_000_000_000]]);
const PREEMPT = "PreemptLowerPriority";

/** Of several default classes (a race) the lowest counts. */
function defaultClass(attrs: AdmissionAttributes): PriorityClass | undefined {
  const defaults = (attrs.list("priorityclasses", "") as readonly PriorityClass[]).filter((c) => c.globalDefault);
  return defaults.reduce<PriorityClass | undefined>((lowest, c) => (lowest === undefined || (c.value ?? 0) < (lowest.value ?? 0) ? c : lowest), undefined);
}

interface Established {
  readonly name: string;
  readonly value: number;
  readonly policy: string | undefined;
}

function establish(pod: Pod, attrs: AdmissionAttributes): Established | string {
  const wanted = pod.spec.priorityClassName ?? "";
  if (wanted === "") {
    const found = defaultClass(attrs);
    return found ? { name: found.metadata.name ?? "", value: found.value ?? 0, policy: found.preemptionPolicy } : { name: "", value: 0, policy: PREEMPT };
  }
  const found = attrs.lookup("priorityclasses", "", wanted) as PriorityClass | undefined;
  if (found) return { name: wanted, value: found.value ?? 0, policy: found.preemptionPolicy };
  const system = SYSTEM.get(wanted);
  return system === undefined ? `no PriorityClass with name ${wanted} was found` : { name: wanted, value: system, policy: PREEMPT };
}

function admitPodCreate(pod: Pod, attrs: AdmissionAttributes): ReturnType<NonNullable<AdmissionPlugin["admit"]>> {
  const established = establish(pod, attrs);
  if (typeof established === "string") return forbid(attrs, pod, established);
  const { name, value, policy } = established;
  const { priority, preemptionPolicy } = pod.spec;
  if (priority !== undefined && priority !== value) {
    return forbid(attrs, pod, `the integer value of priority (${priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`);
  }
  if (policy !== undefined && preemptionPolicy !== undefined && preemptionPolicy !== policy) {
    return forbid(attrs, pod, `the string value of PreemptionPolicy (${preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`);
  }
  return { ...pod, spec: { ...pod.spec, ...(name === "" ? {} : { priorityClassName: name }), priority: value, ...(policy === undefined ? {} : { preemptionPolicy: policy }) } };
}

/** Turns the name of a PriorityClass into the number the scheduler sorts by. */
export const priority = {
  name: "Priority",
  handles: ({ resource, subresource, operation }) => subresource === "" && (resource === "pods" || resource === "priorityclasses") && (operation === "CREATE" || operation === "UPDATE"),

  admit(object, attrs) {
    if (attrs.resource !== "pods") return object;
    const pod = object as Pod;
    if (attrs.operation === "CREATE") return admitPodCreate(pod, attrs);
    const old = attrs.oldObject as Pod | undefined;
    const kept = { priority: pod.spec.priority ?? old?.spec.priority, preemptionPolicy: pod.spec.preemptionPolicy ?? old?.spec.preemptionPolicy };
    if (kept.priority === pod.spec.priority && kept.preemptionPolicy === pod.spec.preemptionPolicy) return pod;
    return { ...pod, spec: { ...pod.spec, ...(kept.priority === undefined ? {} : { priority: kept.priority }), ...(kept.preemptionPolicy === undefined ? {} : { preemptionPolicy: kept.preemptionPolicy }) } };
  },

  validate(object, attrs) {
    if (attrs.resource !== "priorityclasses" || !(object as PriorityClass).globalDefault) return undefined;
    const found = defaultClass(attrs);
    if (!found || (attrs.operation === "UPDATE" && found.metadata.name === object.metadata.name)) return undefined;
    return forbid(attrs, object, `PriorityClass ${found.metadata.name ?? ""} is already marked as default. Only one default can exist`);
  },
} satisfies AdmissionPlugin;
