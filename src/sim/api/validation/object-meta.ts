// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go
import { type FieldError, forbidden, invalid, invalidEach, required, tooLong } from "../field-error.ts";
import { byteLength, isDNS1123Label, isDNS1123Subdomain, isQualifiedName, maskTrailingDash } from "../names.ts";
import type { KubeObject, ObjectMeta } from "../types.ts";
import { validateImmutable, validateLabels, validateNonnegative } from "./helpers.ts";

export type NameValidator = (name: string) => string[];

const ANNOTATION_LIMIT = 262_144;
const PATH = "metadata";

/** Names that may not contain "/" or "%" and may not be "." or "..", as RBAC objects have them. */
export const pathSegmentName: NameValidator = (name) => {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((c) => name.includes(c)).map((c) => `may not contain '${c}'`);
};
export const subdomainName: NameValidator = isDNS1123Subdomain;
/** For kinds that take every name a path can hold. */
export const anyName: NameValidator = () => [];
export const labelName: NameValidator = isDNS1123Label;

/** Annotations without errors, by identity: most writes leave them as they are. */
const validAnnotations = new WeakSet<object>();

export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  if (annotations === undefined || annotations === null || validAnnotations.has(annotations)) return [];
  const entries = Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1));
  const errors = entries.flatMap(([key]) => invalidEach(path, key, isQualifiedName(key.toLowerCase())));
  let size = 0;
  for (const [key, value] of entries) size += byteLength(key) + byteLength(value);
  if (size > ANNOTATION_LIMIT) errors.push(tooLong(path, ANNOTATION_LIMIT));
  if (errors.length === 0) validAnnotations.add(annotations);
  return errors;
}

/** As Go writes one: in the struct's order, with what is always there. */
const shownOwner = ({ apiVersion, kind, name, uid, ...rest }: NonNullable<ObjectMeta["ownerReferences"]>[number]): object => ({ apiVersion: apiVersion ?? "", kind: kind ?? "", name: name ?? "", uid: uid ?? "", ...rest });

function validateOwnerReferences(meta: ObjectMeta): FieldError[] {
  const path = `${PATH}.ownerReferences`;
  const errors: FieldError[] = [];
  let controller = "";
  for (const ref of meta.ownerReferences ?? []) {
    if (!ref.apiVersion) errors.push(invalid(`${path}.apiVersion`, ref.apiVersion ?? "", "version must not be empty"));
    if (!ref.kind) errors.push(invalid(`${path}.kind`, ref.kind ?? "", "must not be empty"));
    if (!ref.name) errors.push(invalid(`${path}.name`, ref.name ?? "", "must not be empty"));
    if (!ref.uid) errors.push(invalid(`${path}.uid`, ref.uid ?? "", "must not be empty"));
    if (ref.apiVersion === "v1" && ref.kind === "Event") errors.push(invalid(path, shownOwner(ref), "/v1, Kind=Event is disallowed from being an owner"));
    if (!ref.controller) continue;
    const name = `${ref.kind}/${ref.name}`;
    if (controller !== "") errors.push(invalid(path, (meta.ownerReferences ?? []).map(shownOwner), `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`));
    else controller = name;
  }
  return errors;
}

function validateFinalizers(meta: ObjectMeta): FieldError[] {
  const path = `${PATH}.finalizers`;
  const finalizers = meta.finalizers ?? [];
  const errors = finalizers.flatMap((name) => invalidEach(path, name, isQualifiedName(name)));
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return both ? [...errors, invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")] : errors;
}

/** Finalizers without a domain must be well known. */
export const validateKubeFinalizer = (name: string, path: string): FieldError[] =>
  name.includes("/") || ["kubernetes", "orphan", "foregroundDeletion"].includes(name) ? [] : [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];

/** What pkg/apis/core/validation adds to the generic rules. */
export const validateKubeFinalizers = (meta: ObjectMeta): FieldError[] => (meta.finalizers ?? []).flatMap((name, i) => validateKubeFinalizer(name, `${PATH}.finalizers[${i}]`));

/** Validates metadata on creation, after name generation. */
export function validateObjectMeta(meta: ObjectMeta, namespaced: boolean, nameValidator: NameValidator): FieldError[] {
  const errors: FieldError[] = [];
  if (meta.generateName) errors.push(...invalidEach(`${PATH}.generateName`, meta.generateName, nameValidator(maskTrailingDash(meta.generateName))));
  if (!meta.name) errors.push(required(`${PATH}.name`, "name or generateName is required"));
  else errors.push(...invalidEach(`${PATH}.name`, meta.name, nameValidator(meta.name)));
  if (!namespaced) {
    if (meta.namespace) errors.push(forbidden(`${PATH}.namespace`, "not allowed on this type"));
  } else if (!meta.namespace) errors.push(required(`${PATH}.namespace`));
  else errors.push(...invalidEach(`${PATH}.namespace`, meta.namespace, isDNS1123Label(meta.namespace)));
  errors.push(...validateNonnegative(meta.generation, `${PATH}.generation`));
  errors.push(...validateLabels(meta.labels, `${PATH}.labels`), ...validateAnnotations(meta.annotations, `${PATH}.annotations`));
  errors.push(...validateOwnerReferences(meta), ...validateFinalizers(meta));
  return errors;
}

/** Validates metadata of an update against the stored object. */
export function validateObjectMetaUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const meta = object.metadata;
  const before = old.metadata;
  const errors: FieldError[] = [];
  if (before.deletionTimestamp !== undefined) {
    const extra = (meta.finalizers ?? []).filter((name) => !(before.finalizers ?? []).includes(name)).sort((a, b) => (a < b ? -1 : 1));
    if (extra.length > 0) {
      const goList = `[]string{${extra.map((name) => JSON.stringify(name)).join(", ")}}`;
      errors.push(forbidden(`${PATH}.finalizers`, `no new finalizers can be added if the object is being deleted, found new finalizers ${goList}`));
    }
  }
  if (!meta.resourceVersion) errors.push(invalid(`${PATH}.resourceVersion`, meta.resourceVersion ?? "", "must be specified for an update"));
  if ((meta.generation ?? 0) < (before.generation ?? 0)) errors.push(invalid(`${PATH}.generation`, meta.generation ?? 0, "must not be decremented"));
  for (const key of ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    errors.push(...validateImmutable(meta[key], before[key], `${PATH}.${key}`));
  }
  errors.push(...validateLabels(meta.labels, `${PATH}.labels`), ...validateAnnotations(meta.annotations, `${PATH}.annotations`), ...validateOwnerReferences(meta));
  return errors;
}
