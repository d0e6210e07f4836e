// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/{strategy,etcd}.go
import { CLEANUP_FINALIZER, type CustomResourceDefinition, withCondition } from "../../api/apiextensions/types.ts";
import { rfc3339, type Micros } from "../../api/time.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Strategy } from "../registry/strategy.ts";

/** Every version that objects were ever stored in. */
function withStoredVersion(crd: CustomResourceDefinition): CustomResourceDefinition {
  const storage = crd.spec.versions?.find((version) => version.storage)?.name;
  const stored = crd.status?.storedVersions ?? [];
  return storage === undefined || stored.includes(storage) ? crd : { ...crd, status: { ...crd.status, storedVersions: [...stored, storage] } };
}

export const definitionStrategy = {
  kinds: ["apiextensions.k8s.io/v1/CustomResourceDefinition"],
  hasGeneration: true,
  hasStatus: true,
  prepareForCreate: (object) => withStoredVersion({ ...(object as CustomResourceDefinition), status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null } }),
  prepareForUpdate: (object) => withStoredVersion(object as CustomResourceDefinition),
} satisfies Strategy;

/** The first DELETE only marks a definition: its finalizer's controller deletes the objects. Undefined when it is marked already. */
export function markForDeletion(object: KubeObject, now: Micros): KubeObject | undefined {
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  const finalizers = object.metadata.finalizers ?? [];
  const marked = { ...(object as CustomResourceDefinition), metadata: { ...object.metadata, deletionTimestamp: rfc3339(now), finalizers: finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER] } };
  return withCondition(marked, { type: "Terminating", status: "True", reason: "InstanceDeletionPending", message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon" }, rfc3339(now));
}
