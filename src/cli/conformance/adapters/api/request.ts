import { decodeRequest } from "../../../../sim/api/decode.ts";
import { applyDefaults } from "../../../../sim/api/defaulting/apply-defaults.ts";
import { generateName } from "../../../../sim/api/random-suffix.ts";
import { findResource } from "../../../../sim/api/schema/resources.ts";
import { isFailure } from "../../../../sim/api/status-errors.ts";
import type { KubeObject, Status } from "../../../../sim/api/types.ts";
import { invalidStatus, validateCreate, validateUpdate } from "../../../../sim/api/validation/validate.ts";
import type { AdmissionAttributes } from "../../../../sim/kube-apiserver/admission/attributes.ts";
import { admit, validateAdmission } from "../../../../sim/kube-apiserver/admission/registry.ts";
import { checkQuotas } from "../../../../sim/kube-apiserver/admission/resource-quota.ts";
import { prepareForCreate, prepareForUpdate } from "../../../../sim/kube-apiserver/registry/registry.ts";

const CREATED = "2026-01-01T00:00:00Z";

/** A cluster with one namespace, just big enough to answer one POST after another as the API server does. */
export class SmallCluster {
  private readonly objects = new Map<string, KubeObject>();
  private draws = 0;
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
    this.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace }, status: { phase: "Active" } });
    this.put({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } });
  }

  private key(resource: string, namespace: string, name: string): string {
    return `${resource}/${namespace}/${name}`;
  }

  private put(object: KubeObject): void {
    const resource = findResource(object.kind)?.resource ?? object.kind;
    this.objects.set(this.key(resource, object.metadata.namespace ?? "", object.metadata.name ?? ""), object);
  }

  private attributes(object: KubeObject, operation: "CREATE" | "UPDATE", oldObject?: KubeObject): AdmissionAttributes {
    const resource = findResource(object.kind);
    return {
      operation, group: resource?.group ?? "", resource: resource?.resource ?? "", subresource: "", namespace: resource?.namespaced ? this.namespace : "", name: oldObject?.metadata.name ?? "",
      ...(oldObject ? { oldObject } : {}), user: { name: "kubernetes-admin" }, dryRun: false,
      lookup: (plural, namespace, name) => this.objects.get(this.key(plural, namespace, name)),
      list: (plural, namespace) => [...this.objects].filter(([key]) => key.startsWith(`${plural}/${namespace}/`)).map(([, o]) => o),
      rand: (_purpose, n) => (n * 2_654_435_761 + (this.draws++ ? 7 : 3)) >>> 0,
    };
  }

  /** Sets something up without asking admission, as a case's "setup" does; a quota is computed at once. */
  setup(body: unknown): void {
    const decoded = decodeRequest(body);
    if (isFailure(decoded)) throw new Error(`setup: ${decoded.message ?? ""}`);
    const object = applyDefaults((decoded as { readonly object: KubeObject }).object);
    const namespaced = findResource(object.kind)?.namespaced ? { ...object, metadata: { ...object.metadata, namespace: this.namespace } } : object;
    const hard = object.kind === "ResourceQuota" ? ((object.spec as { readonly hard?: Readonly<Record<string, string>> }).hard ?? {}) : undefined;
    this.put(hard ? { ...namespaced, status: { hard, used: Object.fromEntries(Object.keys(hard).map((name) => [name, "0"])) } } : namespaced);
  }

  /** POST: the object as stored, or the Status. */
  create(body: unknown, duplicates: readonly string[] = []): KubeObject | Status {
    const decoded = decodeRequest(body, { duplicates });
    if (isFailure(decoded)) return decoded;
    const defaulted = applyDefaults((decoded as { readonly object: KubeObject }).object);
    const attrs = this.attributes(defaulted, "CREATE");
    const admitted = admit(defaulted, attrs);
    if (isFailure(admitted)) return admitted;
    const named = this.identify(admitted as KubeObject, attrs);
    const object = prepareForCreate(named);
    const invalid = invalidStatus(object, validateCreate(object));
    if (invalid) return invalid;
    const refused = validateAdmission(object, attrs);
    if (refused) return refused;
    const quotas = checkQuotas(object, attrs);
    if (Array.isArray(quotas)) for (const quota of quotas as readonly KubeObject[]) this.put(quota);
    this.put(object);
    return object;
  }

  private identify(object: KubeObject, attrs: AdmissionAttributes): KubeObject {
    const { metadata } = object;
    const prefix = metadata.generateName;
    const name = metadata.name || (prefix ? generateName(prefix, (i) => attrs.rand("generate-name", i)) : "");
    return { ...object, metadata: { ...metadata, name, ...(attrs.namespace === "" ? {} : { namespace: attrs.namespace }), uid: "00000000-0000-4000-8000-000000000000", creationTimestamp: CREATED } };
  }

  /** A patched object against the stored one: the update as stored, or the Status. */
  update(patched: KubeObject, old: KubeObject): KubeObject | Status {
    const attrs = this.attributes(patched, "UPDATE", old);
    const admitted = admit(applyDefaults(patched), attrs);
    if (isFailure(admitted)) return admitted;
    const object = prepareForUpdate(admitted as KubeObject, old);
    return invalidStatus(object, validateUpdate(object, old)) ?? validateAdmission(object, attrs) ?? object;
  }
}
