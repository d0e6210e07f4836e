import { admissionWebhookDenies } from "./admission-webhook-denies.ts";
import { admissionWebhookInjectsSidecar } from "./admission-webhook-injects-sidecar.ts";
import { admissionWebhookTimeout } from "./admission-webhook-timeout.ts";
import { apiserverDown } from "./apiserver-down.ts";
import { apiserverOverloaded } from "./apiserver-overloaded.ts";
import { apiserverWatchCacheLag } from "./apiserver-watch-cache-lag.ts";
import { appCrash } from "./app-crash.ts";
import { appNotReady } from "./app-not-ready.ts";
import { authnCredentialsExpired } from "./authn-credentials-expired.ts";
import { authzDenied } from "./authz-denied.ts";
import { clockSkew } from "./clock-skew.ts";
import { cniIpExhausted } from "./cni-ip-exhausted.ts";
import { cniNotReady } from "./cni-not-ready.ts";
import { controllerManagerDown } from "./controller-manager-down.ts";
import { criDown } from "./cri-down.ts";
import { csiAttachFails } from "./csi-attach-fails.ts";
import { csiAttachSlow } from "./csi-attach-slow.ts";
import { csiProvisionFails } from "./csi-provision-fails.ts";
import { dnsDown } from "./dns-down.ts";
import { etcdLeaderCrash } from "./etcd-leader-crash.ts";
import { etcdNoSpace } from "./etcd-no-space.ts";
import { etcdPartition } from "./etcd-partition.ts";
import { etcdQuorumLost } from "./etcd-quorum-lost.ts";
import { etcdSlowDisk } from "./etcd-slow-disk.ts";
import type { Fault } from "./fault.ts";
import { imageNotFound } from "./image-not-found.ts";
import { kubeletStaticPod } from "./kubelet-static-pod.ts";
import { kubeletStopped } from "./kubelet-stopped.ts";
import { kubectlNoRoute } from "./kubectl-no-route.ts";
import { networkLatency } from "./network-latency.ts";
import { networkLoss } from "./network-loss.ts";
import { nodeCrash } from "./node-crash.ts";
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
  csiProvisionFails,
  csiAttachFails,
  csiAttachSlow,
  cniIpExhausted,
  cniNotReady,
  proxyDown,
  dnsDown,
  networkLatency,
  networkLoss,
  kubeletStopped,
  criDown,
  kubeletStaticPod,
  appCrash,
  appNotReady,
  nodeCrash,
  clockSkew,
];

export function faultById(id: string): Fault | undefined {
  return FAULTS.find((fault) => fault.id === id);
}
