// Models kubernetes/cmd/kube-controller-manager/app/controllermanager.go: the list of controllers
import type { WatchSpec } from "../api/http.ts";
import type { World } from "../api/world.ts";
import { createServiceController, hasCloud, serviceWatches } from "./service/service-controller.ts";
import type { Component } from "../kernel/types.ts";
import type { ControllerConfig } from "./controller.ts";
import { attachDetachWatches, createAttachDetachController } from "./attachdetach/attachdetach-controller.ts";
import { createCSRApprovingController, csrApprovingWatches } from "./certificates/csr-approving-controller.ts";
import { createCSRCleanerController, csrCleanerWatches } from "./certificates/csr-cleaner-controller.ts";
import { createCSRSigningController, csrSigningWatches } from "./certificates/csr-signing-controller.ts";
import { clusterRoleAggregationWatches, createClusterRoleAggregationController } from "./clusterroleaggregation/clusterroleaggregation-controller.ts";
import { createCronJobController, cronJobWatches } from "./cronjob/cronjob-controller.ts";
import { createDaemonSetController, daemonSetWatches } from "./daemon/daemonset-controller.ts";
import { createDeploymentController, deploymentWatches } from "./deployment/deployment-controller.ts";
import { createDisruptionController, disruptionWatches } from "./disruption/disruption-controller.ts";
import { createEndpointController, endpointWatches } from "./endpoint/endpoint-controller.ts";
import { createEndpointSliceController, endpointSliceWatches } from "./endpointslice/endpointslice-controller.ts";
import { createEndpointSliceMirroringController, endpointSliceMirroringWatches } from "./endpointslicemirroring/endpointslicemirroring-controller.ts";
import { createEphemeralVolumeController, ephemeralVolumeWatches } from "./ephemeral/ephemeral-volume-controller.ts";
import { createExpandController, expandWatches } from "./expand/expand-controller.ts";
import { createGarbageCollector, garbageCollectorWatches } from "./garbagecollector/garbage-collector.ts";
import { createJobController, jobWatches } from "./job/job-controller.ts";
import { createNamespaceController, namespaceWatches } from "./namespace/namespace-controller.ts";
import { createNodeLifecycleController, nodeLifecycleWatches } from "./nodelifecycle/node-lifecycle-controller.ts";
import { createPersistentVolumeBinder, persistentVolumeBinderWatches } from "./persistentvolume/persistentvolume-binder.ts";
import { createHorizontalController, horizontalWatches } from "./podautoscaler/horizontal-controller.ts";
import { createPodGarbageCollector, podGCWatches } from "./podgc/pod-garbage-collector.ts";
import { createPVCProtectionController, pvcProtectionWatches } from "./pvcprotection/pvc-protection-controller.ts";
import { createPVProtectionController, pvProtectionWatches } from "./pvprotection/pv-protection-controller.ts";
import { createReplicaSetController, createReplicationController, replicaSetWatches, replicationControllerWatches } from "./replicaset/replicaset-controller.ts";
import { createResourceClaimController, resourceClaimWatches } from "./resourceclaim/resource-claim-controller.ts";
import { createResourceQuotaController, resourceQuotaWatches } from "./resourcequota/resourcequota-controller.ts";
import { createRootCACertPublisher, rootCACertWatches } from "./rootcacertpublisher/root-ca-cert-publisher.ts";
import { createServiceAccountController, serviceAccountWatches } from "./serviceaccount/serviceaccount-controller.ts";
import { createTokensController, tokensWatches } from "./serviceaccount/tokens-controller.ts";
import { createStatefulSetController, statefulSetWatches } from "./statefulset/statefulset-controller.ts";
import { createTaintEvictionController, taintEvictionWatches } from "./tainteviction/taint-eviction-controller.ts";
import { createTTLController, ttlWatches } from "./ttl/ttl-controller.ts";
import { createTTLAfterFinishedController, ttlAfterFinishedWatches } from "./ttlafterfinished/ttl-after-finished-controller.ts";
import { createVACProtectionController, vacProtectionWatches } from "./vacprotection/vac-protection-controller.ts";
import { createValidatingAdmissionPolicyStatusController, validatingAdmissionPolicyStatusWatches } from "./validatingadmissionpolicystatus/validatingadmissionpolicy-status-controller.ts";

export interface ControllerEntry {
  /** Open at the beginning; without a world all that the controller ever opens. */
  readonly watches: (world?: World) => WatchSpec[];
  readonly create: (config: ControllerConfig) => Component;
  /** Only in worlds for which this is true. */
  readonly when?: (world: World) => boolean;
}

const entry = <S>(watches: (world?: World) => WatchSpec[], create: (config: ControllerConfig) => Component<S>): ControllerEntry => ({ watches, create: create as (config: ControllerConfig) => Component });

/** Every controller of kube-controller-manager that is simulated; each is a component of its own. */
export const CONTROLLERS: readonly ControllerEntry[] = [
  entry(deploymentWatches, createDeploymentController),
  entry(replicaSetWatches, createReplicaSetController),
  entry(replicationControllerWatches, createReplicationController),
  entry(daemonSetWatches, createDaemonSetController),
  entry(statefulSetWatches, createStatefulSetController),
  entry(jobWatches, createJobController),
  entry(cronJobWatches, createCronJobController),
  entry(endpointSliceWatches, createEndpointSliceController),
  entry(endpointWatches, createEndpointController),
  entry(nodeLifecycleWatches, createNodeLifecycleController),
  entry(taintEvictionWatches, createTaintEvictionController),
  entry(namespaceWatches, createNamespaceController),
  entry(serviceAccountWatches, createServiceAccountController),
  entry(rootCACertWatches, createRootCACertPublisher),
  entry(garbageCollectorWatches, createGarbageCollector),
  entry(podGCWatches, createPodGarbageCollector),
  entry(persistentVolumeBinderWatches, createPersistentVolumeBinder),
  entry(attachDetachWatches, createAttachDetachController),
  entry(disruptionWatches, createDisruptionController),
  entry(ttlAfterFinishedWatches, createTTLAfterFinishedController),
  entry(horizontalWatches, createHorizontalController),
  entry(resourceQuotaWatches, createResourceQuotaController),
  entry(endpointSliceMirroringWatches, createEndpointSliceMirroringController),
  entry(pvcProtectionWatches, createPVCProtectionController),
  entry(pvProtectionWatches, createPVProtectionController),
  entry(ephemeralVolumeWatches, createEphemeralVolumeController),
  entry(resourceClaimWatches, createResourceClaimController),
  entry(tokensWatches, createTokensController),
  entry(ttlWatches, createTTLController),
  entry(clusterRoleAggregationWatches, createClusterRoleAggregationController),
  entry(csrSigningWatches, createCSRSigningController),
  entry(csrApprovingWatches, createCSRApprovingController),
  entry(csrCleanerWatches, createCSRCleanerController),
  entry(validatingAdmissionPolicyStatusWatches, createValidatingAdmissionPolicyStatusController),
  entry(vacProtectionWatches, createVACProtectionController),
  entry(expandWatches, createExpandController),
  { ...entry(serviceWatches, createServiceController), when: hasCloud },
];
