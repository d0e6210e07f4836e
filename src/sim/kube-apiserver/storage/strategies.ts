import { computePodQOS } from "../../api/qos.ts";
import type { KubeObject, Pod } from "../../api/types.ts";
import { semanticEqual } from "../../api/validation/helpers.ts";

export function prepareForCreate(object: KubeObject): KubeObject {
  if (object.kind === "Pod") {
    const pod = object as Pod;
    return { ...pod, metadata: { ...pod.metadata, generation: 1 }, status: { phase: "Pending", qosClass: computePodQOS(pod.spec) } } as KubeObject;
  }
  if (object.kind === "Namespace") {
    return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, "kubernetes.io/metadata.name": object.metadata.name ?? "" } }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
  }
  return object.spec === undefined ? object : { ...object, metadata: { ...object.metadata, generation: 1 } };
}

export function prepareForUpdate(object: KubeObject, old: KubeObject): KubeObject {
  if (old.metadata.generation === undefined || semanticEqual(object.spec, old.spec)) return object;
  return { ...object, metadata: { ...object.metadata, generation: old.metadata.generation + 1 } };
}
