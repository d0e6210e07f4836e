// Models kubernetes/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/{types,types_jsonschema}.go
import type { Condition, KubeObject } from "../types.ts";

export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** One node of a schema. */
export interface JsonSchema {
  readonly id?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly additionalItems?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface Subresources {
  readonly status?: object;
  readonly scale?: ScalePaths;
}

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CrdNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface Conversion {
  readonly strategy: string;
  readonly webhook?: { readonly clientConfig?: { readonly url?: string; readonly service?: object; readonly caBundle?: string }; readonly conversionReviewVersions?: readonly string[] };
}

export interface CrdSpec {
  readonly group: string;
  readonly names: CrdNames;
  readonly scope: string;
  readonly versions: readonly CrdVersion[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

export interface CrdStatus {
  readonly conditions?: readonly Condition[] | null;
  readonly acceptedNames?: CrdNames;
  readonly storedVersions?: readonly string[] | null;
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: CrdSpec;
  readonly status?: CrdStatus;
}

/** What a served custom resource needs of its definition. */
export interface CustomVersion {
  readonly crd: CustomResourceDefinition;
  readonly version: CrdVersion;
  /** The version in etcd. */
  readonly storage: CrdVersion;
}

export const CRD_API_VERSION = "apiextensions.k8s.io/v1";
export const CRD_PREFIX = "/registry/apiextensions.k8s.io/customresourcedefinitions";
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

export const isCrd = (object: { readonly apiVersion: string; readonly kind: string }): object is CustomResourceDefinition => object.kind === "CustomResourceDefinition" && object.apiVersion === CRD_API_VERSION;

export const conditionOf = (crd: CustomResourceDefinition, type: string): Condition | undefined => crd.status?.conditions?.find((condition) => condition.type === type);
export const isTrue = (crd: CustomResourceDefinition, type: string): boolean => conditionOf(crd, type)?.status === "True";

/** SetCRDCondition: lastTransitionTime moves only with the status. `at` is RFC 3339. */
export function withCondition(crd: CustomResourceDefinition, { type, status, reason, message }: Pick<Condition, "type" | "status" | "reason" | "message">, at: string): CustomResourceDefinition {
  const conditions = crd.status?.conditions ?? [];
  const old = conditionOf(crd, type);
  const next = { ...old, type, status, lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? at) : at, reason, message } as Condition;
  return { ...crd, status: { ...crd.status, conditions: old === undefined ? [...conditions, next] : conditions.map((condition) => (condition === old ? next : condition)) } };
}
