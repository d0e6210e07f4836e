// Models the Validate and ValidateUpdate of every kind's REST strategy (kubernetes/pkg/registry/*/*/strategy.go) and rest.BeforeCreate and BeforeUpdate
import { validateDefinition, validateDefinitionUpdate } from "../apiextensions/validate-definition.ts";
import { expressionErrors } from "../cel/admission.ts";
import { type FieldError, notSupported, required } from "../field-error.ts";
import { groupOf, resourceForKind } from "../schema/resources.ts";
import { newInvalid } from "../status-errors.ts";
import type { KubeObject, Pod, Service, Status } from "../types.ts";
import { validateAdmissionPolicy, validateAdmissionPolicyBinding, validateAdmissionPolicyStatus } from "./admission-policies.ts";
import { validateHorizontalPodAutoscaler, validateHorizontalPodAutoscalerStatus, validateScale } from "./autoscaling.ts";
import { validateCertificateSigningRequest, validateCertificateSigningRequestUpdate } from "./certificates.ts";
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from "./config-data.ts";
import { validateEndpoints, validateEndpointSlice, validateEndpointSliceUpdate } from "./endpoints.ts";
import { validateEvent, validateEventCreate, validateEventUpdate } from "./events.ts";
import { validateFlowSchema, validateFlowStatus, validatePriorityLevelConfiguration } from "./flowcontrol.ts";
import { json, root, text } from "./helpers.ts";
import { validateIngress, validateIngressClass, validateIngressClassUpdate, validateIngressCreate, validateIngressStatus } from "./ingress.ts";
import { validateJobStatus } from "./job-status.ts";
import { validateCronJob, validateJob, validateJobUpdate } from "./jobs.ts";
import { validateIPAddress, validateIPAddressUpdate, validateNetworkPolicy, validateServiceCIDR, validateServiceCIDRUpdate } from "./network-policy.ts";
import { validateNamespace, validateNamespaceStatus, validateNode, validateNodeUpdate } from "./node.ts";
import { anyName, labelName, type NameValidator, pathSegmentName, subdomainName, validateKubeFinalizers, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.ts";
import { validatePersistentVolume, validatePersistentVolumeUpdate } from "./persistent-volume.ts";
import { validatePersistentVolumeClaimSpec, validatePersistentVolumeClaimStatus, validatePersistentVolumeClaimUpdate } from "./persistent-volume-claim.ts";
import { validatePodCreate, validatePodEphemeralContainersUpdate, validatePodTemplateSpec, validatePodUpdate } from "./pod.ts";
import { validatePodResize } from "./pod-resize.ts";
import { validatePodStatusUpdate } from "./pod-status.ts";
import { validateLease, validatePodDisruptionBudget, validatePodDisruptionBudgetStatus, validatePriorityClass, validatePriorityClassUpdate, validateRuntimeClass, validateRuntimeClassUpdate } from "./policy.ts";
import { validateLimitRange, validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from "./quota.ts";
import { validateRole, validateRoleBinding, validateRoleBindingUpdate } from "./rbac.ts";
import type { SecurityOptions } from "./security-context.ts";
import { validateServiceFamilies, validateServiceSpec, validateServiceStatus, validateServiceUpdate } from "./service.ts";
import * as storage from "./storage.ts";
import { type CompileCEL, validateWebhookConfiguration } from "./webhooks.ts";
import { validateWorkloadStatus } from "./workload-status.ts";
import * as workloads from "./workloads.ts";

/** `compileCEL` judges the expressions of admission policies and match conditions; without it they all pass. */
export interface ValidationOptions extends SecurityOptions {
  readonly compileCEL?: CompileCEL;
}
/** What kubeadm configures. */
export const KUBEADM_VALIDATION: ValidationOptions = { allowPrivileged: true, compileCEL: expressionErrors };

type Rule = (object: KubeObject, options: ValidationOptions) => FieldError[];
type UpdateRule = (object: KubeObject, old: KubeObject, options: ValidationOptions) => FieldError[];

interface KindValidator {
  /** A DNS subdomain unless said otherwise. */
  readonly name?: NameValidator;
  /** "generic" knows no finalizers of Kubernetes; "late" leaves the metadata to BeforeCreate, which looks at it when all else is fine. */
  readonly metadata?: "generic" | "late";
  /** What is refused before anything else is looked at (BeginCreate and BeginUpdate). */
  readonly first?: (object: KubeObject, old?: KubeObject) => FieldError[];
  readonly create?: Rule;
  /** All of an update; what a create is judged by when there is none. */
  readonly update?: UpdateRule;
  /** What the status subresource is judged by, after the metadata. */
  readonly status?: UpdateRule;
}

/** A rule and another for what may not change, in the order the kind's strategy has them. */
const then = (first: Rule, second: UpdateRule): UpdateRule => (object, old, options) => [...first(object, options), ...second(object, old, options)];
const template: Rule = (o, options) => validatePodTemplateSpec(root(o)["template"] as Pod, "template", options);
const claim: Rule = (o) => validatePersistentVolumeClaimSpec(json(o.spec), "spec");
const workload = (create: Rule): KindValidator => ({ create, update: then(create, workloads.validateSelectorUpdate), status: validateWorkloadStatus });
const role: KindValidator = { name: pathSegmentName, create: validateRole };
const binding: KindValidator = { name: pathSegmentName, create: validateRoleBinding, update: then(validateRoleBinding, validateRoleBindingUpdate) };
const hpa: KindValidator = { create: (o) => validateHorizontalPodAutoscaler(o), update: validateHorizontalPodAutoscaler, status: validateHorizontalPodAutoscalerStatus };
const webhooks: KindValidator = { metadata: "generic", create: (o, { compileCEL }) => validateWebhookConfiguration(o, compileCEL), update: (o, old, { compileCEL }) => validateWebhookConfiguration(o, compileCEL, old) };
const policy: KindValidator = { metadata: "generic", create: (o, { compileCEL }) => validateAdmissionPolicy(o, compileCEL), status: validateAdmissionPolicyStatus };
const policyBinding: KindValidator = { metadata: "generic", create: validateAdmissionPolicyBinding };
const event: KindValidator = { create: (o) => [...validateEvent(o), ...validateEventCreate(o)], update: (o, old) => [...validateEvent(o), ...validateEventUpdate(o, old)] };
const { validateStatefulSetSpec, validateReplicationControllerSpec, validateDaemonSetSpec } = workloads;

/** By "apiVersion/kind"; kinds not listed have only their metadata validated. */
const VALIDATORS: Readonly<Record<string, KindValidator>> = {
  "v1/Service": {
    name: labelName, first: (o, old) => validateServiceFamilies(o as Service, old as Service | undefined), create: (o) => validateServiceSpec(o as Service),
    update: (o, old) => validateServiceUpdate(o as Service, old as Service), status: (o, old) => validateServiceStatus(o as Service, old as Service),
  },
  "v1/ConfigMap": { create: validateConfigMap, update: validateConfigMapUpdate },
  "v1/Secret": { create: validateSecret, update: validateSecretUpdate },
  "v1/Namespace": { name: labelName, create: validateNamespace, status: validateNamespaceStatus },
  "v1/Node": { create: validateNode, update: validateNodeUpdate, status: validateNodeUpdate },
  "v1/Endpoints": { create: (o) => validateEndpoints(o), update: validateEndpoints },
  "v1/LimitRange": { create: validateLimitRange },
  "v1/ResourceQuota": { create: validateResourceQuota, update: validateResourceQuotaUpdate, status: validateResourceQuotaStatus },
  "v1/PersistentVolume": { create: validatePersistentVolume, update: validatePersistentVolumeUpdate },
  "v1/PersistentVolumeClaim": { create: claim, update: validatePersistentVolumeClaimUpdate, status: validatePersistentVolumeClaimStatus },
  "v1/PodTemplate": { create: template },
  "v1/ReplicationController": { create: validateReplicationControllerSpec, status: validateWorkloadStatus },
  "v1/Event": event,
  "events.k8s.io/v1/Event": event,
  "apps/v1/Deployment": workload(workloads.validateDeploymentSpec),
  "apps/v1/ReplicaSet": workload(workloads.validateReplicaSetSpec),
  "apps/v1/DaemonSet": { create: validateDaemonSetSpec, update: (o, old, options) => [...workloads.validateSelectorUpdate(o, old), ...validateDaemonSetSpec(o, options)], status: validateWorkloadStatus },
  "apps/v1/StatefulSet": { name: labelName, create: validateStatefulSetSpec, update: workloads.validateStatefulSetUpdate, status: validateWorkloadStatus },
  "apps/v1/ControllerRevision": { create: workloads.validateControllerRevision, update: workloads.validateControllerRevisionUpdate },
  "batch/v1/Job": { create: validateJob, update: validateJobUpdate, status: validateJobStatus },
  "batch/v1/CronJob": { create: validateCronJob, update: (o, old, options) => validateCronJob(o, options, old) },
  "autoscaling/v1/HorizontalPodAutoscaler": hpa,
  "autoscaling/v2/HorizontalPodAutoscaler": hpa,
  "autoscaling/v1/Scale": { create: validateScale },
  "scheduling.k8s.io/v1/PriorityClass": { create: validatePriorityClass, update: validatePriorityClassUpdate },
  "storage.k8s.io/v1/StorageClass": { create: storage.validateStorageClass, update: then(storage.validateStorageClass, storage.validateStorageClassUpdate) },
  "storage.k8s.io/v1/VolumeAttributesClass": { create: storage.validateVolumeAttributesClass, update: then(storage.validateVolumeAttributesClass, storage.validateVolumeAttributesClassUpdate) },
  "storage.k8s.io/v1/VolumeAttachment": { create: storage.validateVolumeAttachment, update: storage.validateVolumeAttachmentUpdate },
  "storage.k8s.io/v1/CSINode": { create: storage.validateCSINode, update: storage.validateCSINodeUpdate },
  "storage.k8s.io/v1/CSIDriver": { create: storage.validateCSIDriver, update: storage.validateCSIDriverUpdate },
  "storage.k8s.io/v1/CSIStorageCapacity": { create: storage.validateCSIStorageCapacity, update: storage.validateCSIStorageCapacityUpdate },
  "policy/v1/PodDisruptionBudget": { metadata: "late", create: validatePodDisruptionBudget, status: validatePodDisruptionBudgetStatus },
  "networking.k8s.io/v1/Ingress": { create: validateIngressCreate, update: validateIngress, status: validateIngressStatus },
  "networking.k8s.io/v1/IngressClass": { create: validateIngressClass, update: validateIngressClassUpdate },
  "networking.k8s.io/v1/NetworkPolicy": { create: validateNetworkPolicy },
  "networking.k8s.io/v1/IPAddress": { create: validateIPAddress, update: validateIPAddressUpdate },
  "networking.k8s.io/v1/ServiceCIDR": { create: validateServiceCIDR, update: validateServiceCIDRUpdate },
  "discovery.k8s.io/v1/EndpointSlice": { create: (o) => validateEndpointSlice(o), update: validateEndpointSliceUpdate },
  "coordination.k8s.io/v1/Lease": { metadata: "generic", create: validateLease },
  "node.k8s.io/v1/RuntimeClass": { create: validateRuntimeClass, update: validateRuntimeClassUpdate },
  "certificates.k8s.io/v1/CertificateSigningRequest": { name: anyName, create: validateCertificateSigningRequest, update: (o, old) => validateCertificateSigningRequestUpdate(o, old, "") },
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": { create: validateFlowSchema, status: validateFlowStatus },
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": { create: validatePriorityLevelConfiguration, status: validateFlowStatus },
  "apiextensions.k8s.io/v1/CustomResourceDefinition": { metadata: "generic", create: validateDefinition, update: validateDefinitionUpdate },
  "rbac.authorization.k8s.io/v1/Role": role,
  "rbac.authorization.k8s.io/v1/ClusterRole": role,
  "rbac.authorization.k8s.io/v1/RoleBinding": binding,
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": binding,
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": policy,
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": policy,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": policyBinding,
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": policyBinding,
};

const validatorOf = (object: KubeObject): KindValidator => VALIDATORS[`${object.apiVersion}/${object.kind}`] ?? {};
/** Custom resources say their scope by having a namespace. */
const isNamespaced = (object: KubeObject): boolean => resourceForKind(object.apiVersion, object.kind)?.namespaced ?? object.metadata.namespace !== undefined;
const isPod = (object: KubeObject): object is Pod => object.apiVersion === "v1" && object.kind === "Pod";

/** Object validation of a create, between mutating and validating admission. All errors at once, in upstream's order. */
export function validateCreate(object: KubeObject, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] {
  if (isPod(object)) return validatePodCreate(object, options);
  const { name = subdomainName, metadata, first, create } = validatorOf(object);
  const refused = first?.(object) ?? [];
  if (refused.length > 0) return refused;
  const own = create?.(object, options) ?? [];
  if (metadata === "late") return own.length > 0 ? own : validateObjectMeta(object.metadata, isNamespaced(object), pathSegmentName);
  return [...validateObjectMeta(object.metadata, isNamespaced(object), name), ...(metadata === "generic" ? [] : validateKubeFinalizers(object.metadata)), ...own];
}

/** The metadata rules that every update passes first; a kind's own strategy then repeats most of them. */
function validateCommon(object: KubeObject, old: KubeObject, metadata: KindValidator["metadata"]): FieldError[] {
  const update = validateObjectMetaUpdate(object, old);
  const common = [...validateObjectMeta(object.metadata, isNamespaced(object), pathSegmentName), ...update];
  return [...common, ...update, ...(metadata === undefined ? validateKubeFinalizers(object.metadata) : [])];
}

/** Object validation of an update of the main resource or, by name, of a subresource. */
export function validateUpdate(object: KubeObject, old: KubeObject, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] {
  if (isPod(object)) return validatePodUpdate(object, old as Pod, options);
  const { metadata, first, create, update } = validatorOf(object);
  const refused = first?.(object, old) ?? [];
  if (refused.length > 0) return refused;
  return [...validateCommon(object, old, metadata), ...(update?.(object, old, options) ?? create?.(object, options) ?? [])];
}

/** Updates through a subresource that stores the whole object. */
export function validateSubresourceUpdate(object: KubeObject, old: KubeObject, subresource: string, options: ValidationOptions = KUBEADM_VALIDATION): FieldError[] {
  const { metadata, status } = validatorOf(object);
  if (isPod(object) && subresource === "ephemeralcontainers") return validatePodEphemeralContainersUpdate(object, old as Pod, options);
  if (isPod(object) && subresource === "resize") return validatePodResize(object, old as Pod, options);
  const common = validateCommon(object, old, metadata);
  if (isPod(object) && subresource === "status") return [...common, ...validatePodStatusUpdate(object, old as Pod)];
  if (object.kind === "CertificateSigningRequest") return [...common, ...validateCertificateSigningRequestUpdate(object, old, subresource)];
  return subresource === "status" ? [...common, ...(status?.(object, old, options) ?? [])] : common;
}

/** What is only posted and never stored: bindings to a node. */
export function validateBinding(object: KubeObject): FieldError[] {
  const target = json(root(object)["target"]);
  const kind = text(target["kind"]);
  return [...(kind === "" || kind === "Node" ? [] : [notSupported("target.kind", kind, ["Node", "<empty>"])]), ...(text(target["name"]) === "" ? [required("target.name")] : [])];
}

/** The 422 answer for field errors, undefined when there are none. */
export function invalidStatus(object: KubeObject, errors: readonly FieldError[]): Status | undefined {
  return errors.length === 0 ? undefined : newInvalid({ group: groupOf(object.apiVersion), kind: object.kind }, object.metadata.name ?? "", errors);
}
