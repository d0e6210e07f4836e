// Models kubernetes/pkg/apis/core/helper/qos/qos.go
import { toQuantity } from "./quantity.ts";
import type { PodSpec, ResourceRequirements } from "./types.ts";

export type QOSClass = "Guaranteed" | "Burstable" | "BestEffort";
const COMPUTE = ["cpu", "memory"] as const;

/** QoS class from the spec. Only cpu and memory above zero count; ephemeral containers never do; pod-level resources replace the containers'. */
export function computePodQOS(spec: PodSpec): QOSClass {
  const parts: readonly (ResourceRequirements | undefined)[] = spec.resources ? [spec.resources] : [...spec.containers, ...(spec.initContainers ?? [])].map((c) => c.resources);
  const requests = { cpu: 0n, memory: 0n };
  const limits = { cpu: 0n, memory: 0n };
  let everyLimitSet = true;
  for (const part of parts) {
    for (const name of COMPUTE) {
      const request = toQuantity(part?.requests?.[name]).nano;
      const limit = toQuantity(part?.limits?.[name]).nano;
      if (request > 0n) requests[name] += request;
      if (limit > 0n) limits[name] += limit;
      else everyLimitSet = false;
    }
  }
  const any = COMPUTE.some((name) => requests[name] > 0n || limits[name] > 0n);
  if (!any) return "BestEffort";
  return everyLimitSet && COMPUTE.every((name) => requests[name] === limits[name]) ? "Guaranteed" : "Burstable";
}
