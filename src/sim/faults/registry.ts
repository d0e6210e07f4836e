import { admissionWebhookDenies } from "./admission-webhook-denies.ts";
import { admissionWebhookInjectsSidecar } from "./admission-webhook-injects-sidecar.ts";
import { admissionWebhookTimeout } from "./admission-webhook-timeout.ts";
import { apiserverDown } from "./apiserver-down.ts";
import { apiserverOverloaded } from "./apiserver-overloaded.ts";
import { apiserverWatchCacheLag } from "./apiserver-watch-cache-lag.ts";
import { appCrash } from "./app-crash.ts";
import { appNotReady } from "./app-not-ready.ts";
import { appFlapping } from "./app-flapping.ts";
import { appHang } from "./app-hang.ts";
import { appIgnoresSigterm } from "./app-ignores-sigterm.ts";
import { appMemoryLeak } from "./app-memory-leak.ts";
import { appOom } from "./app-oom.ts";
import { appSlowAnswers } from "./app-slow-answers.ts";
import { appSlowStart } from "./app-slow-start.ts";
import { authzDenied } from "./authz-denied.ts";
import { cniAddFails } from "./cni-add-fails.ts";
import { authnCredentialsExpired } from "./authn-credentials-expired.ts";
import { clockSkew } from "./clock-skew.ts";
import { cniIpExhausted } from "./cni-ip-exhausted.ts";
import { cniNotReady } from "./cni-not-ready.ts";
import { cniSlow } from "./cni-slow.ts";
import { controllerManagerDown } from "./controller-manager-down.ts";
import { criDown } from "./cri-down.ts";
import { csiAttachFails } from "./csi-attach-fails.ts";
import { csiAttachSlow } from "./csi-attach-slow.ts";
import { csiManyFiles } from "./csi-many-files.ts";
import { csiMultiAttach } from "./csi-multi-attach.ts";
import { csiProvisionFails } from "./csi-provision-fails.ts";
import { deviceUnhealthy } from "./device-unhealthy.ts";
import { dnsDown } from "./dns-down.ts";
import { etcdLeaderCrash } from "./etcd-leader-crash.ts";
import { etcdNoSpace } from "./etcd-no-space.ts";
import { etcdPartition } from "./etcd-partition.ts";
import { etcdQuorumLost } from "./etcd-quorum-lost.ts";
import { etcdSlowDisk } from "./etcd-slow-disk.ts";
import type { Fault } from "./fault.ts";
import { imageNotFound } from "./image-not-found.ts";
import { imageRateLimited } from "./image-rate-limited.ts";
import { imageRegistryDown } from "./image-registry-down.ts";
import { imageSlowPull } from "./image-slow-pull.ts";
import { imageUnauthorized } from "./image-unauthorized.ts";
import { imageWrongArchitecture } from "./image-wrong-architecture.ts";
import { kubeletStaticPod } from "./kubelet-static-pod.ts";
import { kubeletStopped } from "./kubelet-stopped.ts";
import { kubectlNoRoute } from "./kubectl-no-route.ts";
import { networkLatency } from "./network-latency.ts";
import { networkLoss } from "./network-loss.ts";
import { nodeCrash } from "./node-crash.ts";
import { nodeCordon } from "./node-cordon.ts";
import { nodeDrain } from "./node-drain.ts";
import { nodeDiskPressure } from "./node-disk-pressure.ts";
import { nodeMemoryPressure } from "./node-memory-pressure.ts";
import { nodePidPressure } from "./node-pid-pressure.ts";
import { nodeShutdown } from "./node-shutdown.ts";
import { nodePartition } from "./node-partition.ts";
import { nodeReboot } from "./node-reboot.ts";
import { proxyDown } from "./proxy-down.ts";
import { schedulerDown } from "./scheduler-down.ts";

/** The catalogue of faults, along a Pod's way through the cluster. */
export const FAULTS: readonly Fault[] = [
  kubectlNoRoute,
  authnCredentialsExpired,
  authzDenied,
  admissionWebhookDenies,
  admissionWebhookTimeout,
  admissionWebhookInjectsSidecar,
  apiserverDown,
  apiserverOverloaded,
  apiserverWatchCacheLag,
  etcdLeaderCrash,
  etcdQuorumLost,
  etcdPartition,
  etcdNoSpace,
  etcdSlowDisk,
  schedulerDown,
  controllerManagerDown,
  imageNotFound,
  imageUnauthorized,
  imageRateLimited,
  imageRegistryDown,
  imageSlowPull,
  imageWrongArchitecture,
  csiProvisionFails,
  csiAttachFails,
  csiAttachSlow,
  csiMultiAttach,
  csiManyFiles,
  cniIpExhausted,
  cniNotReady,
  cniSlow,
  cniAddFails,
  proxyDown,
  dnsDown,
  networkLatency,
  networkLoss,
  kubeletStopped,
  criDown,
  kubeletStaticPod,
  appCrash,
  appNotReady,
  appSlowStart,
  appHang,
  appOom,
  appIgnoresSigterm,
  appMemoryLeak,
  appFlapping,
  appSlowAnswers,
  nodeMemoryPressure,
  nodeDiskPressure,
  nodePidPressure,
  deviceUnhealthy,
  nodeShutdown,
  nodeCrash,
  nodePartition,
  nodeReboot,
  nodeCordon,
  nodeDrain,
  clockSkew,
];

export function faultById(id: string): Fault | undefined {
  return FAULTS.find((fault) => fault.id === id);
}
