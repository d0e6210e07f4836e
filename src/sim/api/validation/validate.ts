// Models the Validate and ValidateUpdate of every kind's REST strategy (kubernetes/pkg/registry/*/*/strategy.go)
import { isCrd } from "../apiextensions/types.ts";
import { validateDefinition, validateDefinitionUpdate } from "../apiextensions/validate-definition.ts";
import type { FieldError } from "../field-error.ts";
import { groupOf, resourceForKind } from "../schema/resources.ts";
import { newInvalid } from "../status-errors.ts";
import type { KubeObject, Pod, Service, Status } from "../types.ts";
import * as core from "./core-kinds.ts";
import { json } from "./helpers.ts";
import { validateCronJobSpec, validateJobSpec, validateJobSpecUpdate } from "./jobs.ts";
import { genericMeta, labelName, type NameValidator, pathSegmentName, subdomainName, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import * as other from "./other-kinds.ts";
import { validatePersistentVolumeClaimSpec, validatePersistentVolumeClaimSpecUpdate } from "./persistent-volume-claim.ts";
import { validatePodCreate, validatePodEphemeralContainersUpdate, validatePodTemplateSpec, validatePodUpdate } from "./pod.ts";
import { validatePodResize } from "./pod-resize.ts";
import type { SecurityOptions } from "./security-context.ts";
import { validateServiceSpec, validateServiceSpecUpdate } from "./service.ts";
import * as workloads from "./workloads.ts";

export type ValidationOptions = SecurityOptions;
/** What kubeadm configures. */
export const KUBEADM_VALIDATION: ValidationOptions = { allowPrivileged: true };

interface KindValidator {
  readonly name?: NameValidator;
  readonly spec?: (object: KubeObject, options: ValidationOptions) => FieldError[];
  /** On creation only; `spec` is looked at on updates too. */
  readonly create?: (object: KubeObject) => FieldError[];
  readonly update?: (object: KubeObject, old: KubeObject) => FieldError[];
}

const claimSpec = (object: KubeObject): FieldError[] => validatePersistentVolumeClaimSpec(json(object.spec), "spec");
const workload = workloads.validateWorkloadSpecUpdate;
const role: KindValidator = { name: pathSegmentName, spec: other.validateRole };
const binding: KindValidator = { name: pathSegmentName, spec: other.validateRoleBinding, update: other.validateRoleBindingUpdate };
const hpa: KindValidator = { spec: other.validateHorizontalPodAutoscaler };

/** By "apiVersion/kind"; kinds not listed have only their metadata validated. */
const VALIDATORS: Readonly<Record<string, KindValidator>> = {
  "v1/Service": { name: labelName, spec: (o) => validateServiceSpec(o as Service), update: (o, old) => validateServiceSpecUpdate(o as Service, old as Service) },
  "v1/ConfigMap": { spec: core.validateConfigMap, update: core.validateImmutableData },
  "v1/Secret": { spec: core.validateSecret, update: core.validateImmutableData },
  "v1/Namespace": { name: labelName, spec: core.validateNamespaceSpec },
  "v1/Node": { spec: core.validateNodeSpec, update: core.validateNodeSpecUpdate },
  "v1/LimitRange": { spec: core.validateLimitRangeSpec },
  "v1/ResourceQuota": { spec: core.validateResourceQuotaSpec },
  "v1/PersistentVolume": { spec: core.validatePersistentVolumeSpec },
  "v1/PersistentVolumeClaim": { spec: claimSpec, update: validatePersistentVolumeClaimSpecUpdate },
  "v1/PodTemplate": { spec: (o, options) => validatePodTemplateSpec((o as unknown as { readonly template: Pod }).template, "template", options) },
  "v1/ReplicationController": { spec: workloads.validateReplicationControllerSpec },
  "apps/v1/Deployment": { spec: workloads.validateDeploymentSpec, update: workload },
  "apps/v1/ReplicaSet": { spec: workloads.validateReplicaSetSpec, update: workload },
  "apps/v1/DaemonSet": { spec: workloads.validateDaemonSetSpec, update: workload },
  "apps/v1/StatefulSet": { name: labelName, spec: workloads.validateStatefulSetSpec, update: workload },
  "batch/v1/Job": { spec: validateJobSpec, update: validateJobSpecUpdate },
  "batch/v1/CronJob": { spec: validateCronJobSpec },
  "autoscaling/v1/HorizontalPodAutoscaler": hpa,
  "autoscaling/v2/HorizontalPodAutoscaler": hpa,
  "scheduling.k8s.io/v1/PriorityClass": { spec: other.validatePriorityClass, update: other.validatePriorityClassUpdate },
  "storage.k8s.io/v1/StorageClass": { spec: other.validateStorageClass, update: other.validateStorageClassUpdate },
  "policy/v1/PodDisruptionBudget": { spec: other.validatePodDisruptionBudget },
  "networking.k8s.io/v1/Ingress": { spec: other.validateIngress },
  "apiextensions.k8s.io/v1/CustomResourceDefinition": { create: validateDefinition, update: validateDefinitionUpdate },
  "rbac.authorization.k8s.io/v1/Role": role,
  "rbac.authorization.k8s.io/v1/ClusterRole": role,
  "rbac.authorization.k8s.io/v1/RoleBinding": binding,
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": binding,
};

const validatorOf = (object: KubeObject): KindValidator => VALIDATORS[`${object.apiVersion}/${object.kind}`] ?? {};
/** Custom resources say their scope by having a namespace. */
const isNamespaced = (object: KubeObject): boolean => resourceForKind(object.apiVersion, object.kind)?.namespaced ?? object.metadata.namespace !== undefined;
const metaErrors = (object: KubeObject, errors: readonly FieldError[]): readonly FieldError[] => (isCrd(object) ? genericMeta(errors) : errors);
const isPod = (object: KubeObject): object is Pod => object.apiVersion === "v1" && object.kind === "Pod";

/** Object validation of a create, between mutating and validating admission. All errors at once, in upstream's order. */
export function validateCreate(object: KubeObject, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] {
  if (isPod(object)) return validatePodCreate(object, options);
  const { name, spec, create } = validatorOf(object);
  return [...metaErrors(object, validateObjectMeta(object.metadata, isNamespaced(object), name ?? subdomainName)), ...(spec?.(object, options) ?? []), ...(create?.(object) ?? [])];
}

/** Object validation of an update of the main resource (not of status). */
export function validateUpdate(object: KubeObject, old: KubeObject, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] {
  if (isPod(object)) return validatePodUpdate(object, old as Pod, options);
  const { spec, update } = validatorOf(object);
  const errors = [...metaErrors(object, validateObjectMetaUpdate(object, old)), ...(spec?.(object, options) ?? [])];
  return [...errors, ...(update?.(object, old) ?? [])];
}

/** PATCH pods/NAME/ephemeralcontainers: they may be added, never changed or removed. */
export const validateEphemeralContainersUpdate = (pod: Pod, old: Pod, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] => validatePodEphemeralContainersUpdate(pod, old, options);

/** PATCH pods/NAME/resize: cpu and memory only. */
export const validateResize = (pod: Pod, old: Pod, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] => validatePodResize(pod, old, options);

/** Status updates: metadata only. */
export const validateStatusUpdate = (object: KubeObject, old: KubeObject): readonly FieldError[] => metaErrors(object, validateObjectMetaUpdate(object, old));

/** The 422 answer for field errors, undefined when there are none. */
export function invalidStatus(object: KubeObject, errors: readonly FieldError[]): Status | undefined {
  return errors.length === 0 ? undefined : newInvalid({ group: groupOf(object.apiVersion), kind: object.kind }, object.metadata.name ?? "", errors);
}
