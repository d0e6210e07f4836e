// Models AddHandlers of kubernetes/pkg/printers/internalversion/printers.go
import { componentStatusPrinter, eventPrinter, leasePrinter, namespacePrinter, nodePrinter, priorityClassPrinter, resourceQuotaPrinter, runtimeClassPrinter, scalePrinter } from "./cluster.ts";
import { configMapPrinter, controllerRevisionPrinter, networkPolicyPrinter, podDisruptionBudgetPrinter, roleBindingPrinter, secretPrinter, serviceAccountPrinter, webhookPrinter } from "./configuration.ts";
import { endpointSlicePrinter, endpointsPrinter, ingressClassPrinter, ingressPrinter, servicePrinter } from "./network.ts";
import { podPrinter } from "./pods.ts";
import type { Printer } from "./printer.ts";
import { csiDriverPrinter, csiNodePrinter, persistentVolumeClaimPrinter, persistentVolumePrinter, storageClassPrinter, volumeAttachmentPrinter } from "./storage.ts";
import { cronJobPrinter, daemonSetPrinter, deploymentPrinter, horizontalPodAutoscalerPrinter, jobPrinter, replicaSetPrinter, statefulSetPrinter } from "./workloads.ts";

export const PRINTERS: readonly Printer[] = [
  podPrinter, podDisruptionBudgetPrinter, replicaSetPrinter, daemonSetPrinter, jobPrinter, cronJobPrinter, servicePrinter, ingressPrinter, ingressClassPrinter, statefulSetPrinter,
  endpointsPrinter, nodePrinter, eventPrinter, namespacePrinter, secretPrinter, persistentVolumePrinter, persistentVolumeClaimPrinter, deploymentPrinter, horizontalPodAutoscalerPrinter,
  configMapPrinter, networkPolicyPrinter, roleBindingPrinter, serviceAccountPrinter, leasePrinter, storageClassPrinter, controllerRevisionPrinter, resourceQuotaPrinter, priorityClassPrinter,
  runtimeClassPrinter, volumeAttachmentPrinter, endpointSlicePrinter, csiNodePrinter, csiDriverPrinter, webhookPrinter, componentStatusPrinter, scalePrinter,
];
