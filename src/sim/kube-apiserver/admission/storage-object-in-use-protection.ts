// Models kubernetes/plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go
import type { AdmissionPlugin } from "./attributes.ts";

const PROTECTION: Readonly<Record<string, string>> = { persistentvolumeclaims: "kubernetes.io/pvc-protection", persistentvolumes: "kubernetes.io/pv-protection", volumeattributesclasses: "kubernetes.io/vac-protection" };

/** The finalizer that keeps a claim or volume until no Pod uses it. */
export const storageObjectInUseProtection = {
  name: "StorageObjectInUseProtection",
  handles: ({ resource, subresource, operation }) => PROTECTION[resource] !== undefined && subresource === "" && operation === "CREATE",
  admit(object, attrs) {
    const finalizer = PROTECTION[attrs.resource];
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizer === undefined || finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  },
} satisfies AdmissionPlugin;
