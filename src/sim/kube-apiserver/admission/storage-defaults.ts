// Models kubernetes/plugin/pkg/admission/storage/{storageclass/setdefault,storageobjectinuseprotection,persistentvolume/resize} and network/defaultingressclass
import { compareQuantity } from "../../api/quantity.ts";
import type { KubeObject, Quantity } from "../../api/types.ts";
import { type AdmissionAttributes, type AdmissionPlugin, forbid } from "./attributes.ts";

const DEFAULT_CLASS = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
const DEFAULT_INGRESS_CLASS = "ingressclass.kubernetes.io/is-default-class";
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const PROTECTION: Readonly<Record<string, string>> = { persistentvolumeclaims: "kubernetes.io/pvc-protection", persistentvolumes: "kubernetes.io/pv-protection", volumeattributesclasses: "kubernetes.io/vac-protection" };

type Spec = Readonly<Record<string, unknown>>;
const specOf = (object: KubeObject | undefined): Spec => (object?.spec ?? {}) as Spec;

/** The newest default class, and of equally old ones the first by name. */
function newestDefault(classes: readonly KubeObject[], annotations: readonly string[]): string | undefined {
  const defaults = classes.filter((c) => annotations.some((key) => c.metadata.annotations?.[key] === "true"));
  const older = (a: KubeObject, b: KubeObject): number => {
    const [x, y] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
    if (x !== y) return x < y ? 1 : -1;
    return (a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1;
  };
  return [...defaults].sort(older)[0]?.metadata.name;
}

const creates = (resource: string) => (attrs: AdmissionAttributes): boolean => attrs.resource === resource && attrs.subresource === "" && attrs.operation === "CREATE";

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

export const defaultIngressClass = {
  name: "DefaultIngressClass",
  handles: creates("ingresses"),
  admit(object, attrs) {
    const spec = specOf(object);
    if (spec["ingressClassName"] !== undefined || object.metadata.annotations?.["kubernetes.io/ingress.class"] !== undefined) return object;
    const name = newestDefault(attrs.list("ingressclasses", ""), [DEFAULT_INGRESS_CLASS]);
    return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } };
  },
} satisfies AdmissionPlugin;

/** A claim may only grow when its class says so. */
export const persistentVolumeClaimResize = {
  name: "PersistentVolumeClaimResize",
  handles: ({ resource, subresource, operation }) => resource === "persistentvolumeclaims" && subresource === "" && operation === "UPDATE",
  validate(object, attrs) {
    const size = (o: KubeObject | undefined): Quantity | undefined => (specOf(o)["resources"] as { readonly requests?: Readonly<Record<string, Quantity>> } | undefined)?.requests?.["storage"];
    if (compareQuantity(size(object), size(attrs.oldObject)) <= 0) return undefined;
    if ((attrs.oldObject?.status as { readonly phase?: string } | undefined)?.phase !== "Bound") return forbid(attrs, object, "Only bound persistent volume claims can be expanded");
    const name = specOf(object)["storageClassName"];
    const storageClass = typeof name === "string" && name !== "" ? (attrs.lookup("storageclasses", "", name) as (KubeObject & { readonly allowVolumeExpansion?: boolean }) | undefined) : undefined;
    if (storageClass?.allowVolumeExpansion) return undefined;
    return forbid(attrs, object, "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize");
  },
} satisfies AdmissionPlugin;
