import { admissionWebhookDenies } from "./admission-webhook-denies.ts";
import { appCrash } from "./app-crash.ts";
import { appNotReady } from "./app-not-ready.ts";
import { appMemoryLeak } from "./app-memory-leak.ts";
import { appOom } from "./app-oom.ts";
import { authzDenied } from "./authz-denied.ts";
import { cniIpExhausted } from "./cni-ip-exhausted.ts";
import { cniNotReady } from "./cni-not-ready.ts";
import { controllerManagerDown } from "./controller-manager-down.ts";
import { criDown } from "./cri-down.ts";
import { csiAttachFails } from "./csi-attach-fails.ts";
import { csiAttachSlow } from "./csi-attach-slow.ts";
import { csiProvisionFails } from "./csi-provision-fails.ts";
import { dnsNoAnswer } from "./dns-no-answer.ts";
import { etcdLeaderCrash } from "./etcd-leader-crash.ts";
import { etcdNoSpace } from "./etcd-no-space.ts";
import { etcdPartition } from "./etcd-partition.ts";
import { etcdQuorumLost } from "./etcd-quorum-lost.ts";
import type { Fault } from "./fault.ts";
import { imageNotFound } from "./image-not-found.ts";
import { kubeletStaticPod } from "./kubelet-static-pod.ts";
import { kubeletStopped } from "./kubelet-stopped.ts";
import { nodeCrash } from "./node-crash.ts";
import { nodeDiskPressure } from "./node-disk-pressure.ts";
import { nodeMemoryPressure } from "./node-memory-pressure.ts";
import { nodePidPressure } from "./node-pid-pressure.ts";
import { nodeShutdown } from "./node-shutdown.ts";
import { schedulerDown } from "./scheduler-down.ts";

/** The catalogue of faults, along a Pod's way through the cluster. */
export const FAULTS: readonly Fault[] = [authzDenied, admissionWebhookDenies, etcdLeaderCrash, etcdQuorumLost, etcdPartition, etcdNoSpace, schedulerDown, controllerManagerDown, imageNotFound, csiProvisionFails, csiAttachFails, csiAttachSlow, cniIpExhausted, cniNotReady, dnsNoAnswer, kubeletStopped, criDown, kubeletStaticPod, appCrash, appNotReady, appOom, appMemoryLeak, nodeMemoryPressure, nodeDiskPressure, nodePidPressure, nodeShutdown, nodeCrash];

export function faultById(id: string): Fault | undefined {
  return FAULTS.find((fault) => fault.id === id);
}
