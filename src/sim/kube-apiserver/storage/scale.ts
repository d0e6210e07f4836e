// Models kubernetes/pkg/registry/apps/deployment/storage/storage.go and core/replicationcontroller/storage/storage.go (ScaleREST)
import { labelSelectorAsSelector, type Labels, selectorFromSet, selectorText } from "../../api/labels.ts";
import type { ApiResource } from "../../api/schema/resources.ts";
import type { KubeObject, LabelSelector } from "../../api/types.ts";
import { customScaleOf } from "../apiextensions/scale.ts";

/** The kind that tables of scales are printed as. */
export const SCALE = { apiVersion: "autoscaling/v1", kind: "Scale" };

/** The Scale view of a workload: its replicas and selector. */
export function scaleOf(object: KubeObject, { custom, kind }: Partial<Pick<ApiResource, "custom" | "kind">>): KubeObject {
  if (custom !== undefined) return customScaleOf(object, custom);
  const spec = (object.spec ?? {}) as { readonly replicas?: number; readonly selector?: LabelSelector | Labels };
  const status = (object.status ?? {}) as { readonly replicas?: number };
  const selector = kind === "ReplicationController" ? selectorFromSet(spec.selector as Labels | undefined) : labelSelectorAsSelector(spec.selector as LabelSelector | undefined);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    apiVersion: "autoscaling/v1", kind: "Scale",
    metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }), ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    spec: { replicas: spec.replicas ?? 0 },
    status: { replicas: status.replicas ?? 0, selector: typeof selector === "string" ? "" : selectorText(selector) },
  };
}
