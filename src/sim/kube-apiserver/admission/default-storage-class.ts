// Models kubernetes/plugin/pkg/admission/storage/storageclass/setdefault/admission.go
import type { AdmissionPlugin } from "./attributes.ts";
import { creates, newestDefault, specOf } from "./default-class.ts";

const DEFAULT_CLASS = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** A claim that names no class gets the default one; "" means "no class" and is left alone. */
export const defaultStorageClass = {
  name: "DefaultStorageClass",
  handles: creates("persistentvolumeclaims"),
  admit(object, attrs) {
    const spec = specOf(object);
    if (spec["storageClassName"] !== undefined || object.metadata.annotations?.[CLASS_ANNOTATION] !== undefined) return object;
    const name = newestDefault(attrs.list("storageclasses", ""), DEFAULT_CLASS);
    return name === undefined ? object : { ...object, spec: { ...spec, storageClassName: name } };
  },
} satisfies AdmissionPlugin;
