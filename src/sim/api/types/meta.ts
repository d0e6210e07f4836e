// Models kubernetes/staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go

/** Who keeps an object alive: the garbage collector deletes a dependent whose owners are all gone. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: unknown;
  readonly subresource?: string;
}

/** Timestamps are RFC 3339 strings as on the wire; `time.ts` converts from simulated time. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** Any API object. Typed kinds narrow `kind`, `spec` and `status`. Objects are immutable: a change is a new object. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
  readonly lastUpdateTime?: string | null;
  readonly lastProbeTime?: string | null;
  readonly lastHeartbeatTime?: string | null;
  readonly observedGeneration?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The body of every refusal: `kubectl` prints its reason and message. */
export interface Status {
  readonly apiVersion: "v1";
  readonly kind: "Status";
  readonly metadata: Record<string, never> | { readonly resourceVersion?: string } | { readonly continue: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}

export type IntOrString = number | string;
/** A quantity as written: "100m", "128Mi", 1. Parsed by `quantity.ts`. */
export type Quantity = string | number;
export type ResourceList = Readonly<Record<string, Quantity>>;
