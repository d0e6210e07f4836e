// Models kubernetes/plugin/pkg/admission/storage/persistentvolume/resize/admission.go
import { compareQuantity } from "../../api/quantity.ts";
import type { KubeObject, Quantity } from "../../api/types.ts";
import { type AdmissionPlugin, forbid } from "./attributes.ts";
import { specOf } from "./default-class.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

const sizeOf = (object: KubeObject | undefined): Quantity | undefined => (specOf(object)["resources"] as { readonly requests?: Readonly<Record<string, Quantity>> } | undefined)?.requests?.["storage"];
const classOf = (object: KubeObject | undefined): string => object?.metadata.annotations?.[CLASS_ANNOTATION] ?? String(specOf(object)["storageClassName"] ?? "");

/** A claim may only grow when its class says so. */
export const persistentVolumeClaimResize = {
  name: "PersistentVolumeClaimResize",
  handles: ({ resource, subresource, operation }) => resource === "persistentvolumeclaims" && subresource === "" && operation === "UPDATE",
  validate(object, attrs) {
    const { oldObject } = attrs;
    if (compareQuantity(sizeOf(object), sizeOf(oldObject)) <= 0) return undefined;
    if ((oldObject?.status as { readonly phase?: string } | undefined)?.phase !== "Bound") return forbid(attrs, object, "Only bound persistent volume claims can be expanded");
    const name = classOf(object);
    const storageClass = name !== "" && name === classOf(oldObject) ? (attrs.lookup("storageclasses", "", name) as (KubeObject & { readonly allowVolumeExpansion?: boolean }) | undefined) : undefined;
    if (storageClass?.allowVolumeExpansion) return undefined;
    return forbid(attrs, object, "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize");
  },
} satisfies AdmissionPlugin;
