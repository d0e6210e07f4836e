// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/etcd.go (ScaleREST)
import { atSimplePath, withSimplePath } from "../../api/apiextensions/json-value.ts";
import type { CustomVersion } from "../../api/apiextensions/types.ts";
import { newBadRequest } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";

const count = (value: unknown): number => (typeof value === "number" ? value : 0);

/** The Scale view of a custom object: its definition says where the numbers are. */
export function customScaleOf(object: KubeObject, { version }: CustomVersion): KubeObject {
  const paths = version.subresources?.scale;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths?.labelSelectorPath === undefined ? undefined : atSimplePath(object, paths.labelSelectorPath);
  return {
    apiVersion: "autoscaling/v1", kind: "Scale",
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }), ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    spec: { replicas: count(atSimplePath(object, paths?.specReplicasPath ?? "")) },
    status: { replicas: count(atSimplePath(object, paths?.statusReplicasPath ?? "")), ...(typeof selector === "string" && selector !== "" ? { selector } : {}) },
  };
}

/** The object with as many replicas as a Scale says. */
export function withCustomScale(object: KubeObject, replicas: unknown, { version }: CustomVersion): KubeObject | Status {
  const path = version.subresources?.scale?.specReplicasPath ?? "";
  if (typeof replicas !== "number" && atSimplePath(object, path) === undefined) return newBadRequest(`the spec replicas field ${JSON.stringify(path)} cannot be empty`);
  return withSimplePath(object, path, count(replicas)) as KubeObject;
}
