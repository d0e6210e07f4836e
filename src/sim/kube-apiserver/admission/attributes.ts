// Models kubernetes/staging/src/k8s.io/apiserver/pkg/admission/{interfaces,errors}.go
import { newForbidden } from "../../api/status-errors.ts";
import type { CelAccessDecision, CelAccessQuery } from "../../api/cel/cel.ts";
import type { KubeObject, Status } from "../../api/types.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What a plugin may know of a request. Lookups read the API server's own informer caches. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** API group, "" for core. */
  readonly group: string;
  /** Plural: "pods". */
  readonly resource: string;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for cluster-scoped objects. */
  readonly namespace: string;
  /** From the path; "" on a create. */
  readonly name: string;
  readonly oldObject?: KubeObject;
  readonly user: { readonly name: string; readonly groups?: readonly string[] };
  readonly dryRun: boolean;
  /** Of the request's path: "v1"; "" when the caller does not say. */
  readonly version?: string;
  readonly kind?: string;
  /** Of the kind, where a subresource speaks another than its resource (Binding, Eviction, PodExecOptions). */
  readonly kindVersion?: { readonly group: string; readonly version: string };
  /** CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options?: unknown;
  lookup(resource: string, namespace: string, name: string): KubeObject | undefined;
  list(resource: string, namespace: string): readonly KubeObject[];
  /** A Warning header of the answer. */
  warn?(text: string): void;
  /** An annotation of the audit event. */
  audit?(key: string, value: string): void;
  /** What the server's authorizer would say; the request's user when no service account is named. */
  authorize?(query: CelAccessQuery): CelAccessDecision;
  /** A keyed draw, uint32. */
  rand(purpose: string, n: number): number;
}

/** One admission plugin. Mutating plugins run before object validation, validating ones after it. */
export interface AdmissionPlugin {
  readonly name: string;
  handles(attrs: AdmissionAttributes): boolean;
  /** The object to go on with (the same one when nothing changed), or the refusal. On DELETE `object` is the stored one. */
  admit?(object: KubeObject, attrs: AdmissionAttributes): KubeObject | Status;
  validate?(object: KubeObject, attrs: AdmissionAttributes): Status | undefined;
}

/** admission.NewForbidden: 403 with the name of the object, or its generateName while it has none. */
export function forbid(attrs: AdmissionAttributes, object: KubeObject | undefined, text: string): Status {
  const name = attrs.name || object?.metadata.name || object?.metadata.generateName || "Unknown";
  return newForbidden({ group: attrs.group, resource: attrs.resource }, name, text);
}

export const isPodCreate = (attrs: AdmissionAttributes): boolean => attrs.resource === "pods" && attrs.group === "" && attrs.subresource === "" && attrs.operation === "CREATE";
