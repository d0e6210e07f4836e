// Models AllOrderedPlugins of kubernetes/pkg/kubeapiserver/options/plugins.go (those enabled by default, and NodeRestriction, which kubeadm adds)
import { isFailure } from "../../api/status-errors.ts";
import type { KubeObject, Status } from "../../api/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./attributes.ts";
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from "./admission-webhooks.ts";
import { certificateApproval, certificateSigning, certificateSubjectRestriction, clusterTrustBundleAttest } from "./certificates.ts";
import { defaultIngressClass } from "./default-ingress-class.ts";
import { defaultStorageClass } from "./default-storage-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { jobValidation, podGroupProtection, podGroupWorkloadExists } from "./disabled-by-gate.ts";
import { limitRanger } from "./limit-ranger.ts";
import { mutatingAdmissionPolicy } from "./mutating-admission-policy.ts";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import { nodeDeclaredFeatureValidator, podResizeValidator } from "./pod-resize.ts";
import { podSecurity } from "./pod-security.ts";
import { podTopologyLabels } from "./pod-topology-labels.ts";
import { priority } from "./priority.ts";
import { resourceQuota } from "./resource-quota.ts";
import { runtimeClass } from "./runtime-class.ts";
import { serviceAccount } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { validatingAdmissionPolicy } from "./validating-admission-policy.ts";

/** Upstream's order. Policies and webhooks come last, but for quotas: they are charged when nobody else objects. */
export const ADMISSION_PLUGINS: readonly AdmissionPlugin[] = [
  namespaceLifecycle, limitRanger, serviceAccount, nodeRestriction, taintNodesByCondition, podSecurity, priority, defaultTolerationSeconds, defaultStorageClass, storageObjectInUseProtection,
  podGroupProtection, persistentVolumeClaimResize, runtimeClass, certificateApproval, certificateSigning, clusterTrustBundleAttest, certificateSubjectRestriction, defaultIngressClass, podTopologyLabels,
  podGroupWorkloadExists, nodeDeclaredFeatureValidator, jobValidation, podResizeValidator,
  mutatingAdmissionPolicy, mutatingAdmissionWebhook, validatingAdmissionPolicy, validatingAdmissionWebhook, resourceQuota,
];

/** Plugins with a mutating part, in order: the request pipeline shows one step each. */
export const mutatingPlugins = (attrs: AdmissionAttributes): readonly AdmissionPlugin[] => ADMISSION_PLUGINS.filter((p) => p.admit !== undefined && p.handles(attrs));
export const validatingPlugins = (attrs: AdmissionAttributes): readonly AdmissionPlugin[] => ADMISSION_PLUGINS.filter((p) => p.validate !== undefined && p.handles(attrs));

/** Runs every mutating plugin; stops at the first refusal. */
export function admit(object: KubeObject, attrs: AdmissionAttributes): KubeObject | Status {
  let current = object;
  for (const plugin of mutatingPlugins(attrs)) {
    const next = plugin.admit?.(current, attrs) ?? current;
    if (isFailure(next)) return next;
    current = next as KubeObject;
  }
  return current;
}

/** Runs every validating plugin; the first refusal or undefined. */
export function validateAdmission(object: KubeObject, attrs: AdmissionAttributes): Status | undefined {
  for (const plugin of validatingPlugins(attrs)) {
    const refusal = plugin.validate?.(object, attrs);
    if (refusal) return refusal;
  }
  return undefined;
}
