import type { MailId, Micros } from "../kernel/types.ts";
import type { ContainerStats } from "../process/messages.ts";

/** metrics-server asks a kubelet (GET /metrics/resource). */
export interface ResourceMetricsRequest {
  readonly type: "resource-metrics.request";
}

/** Counters of a node and its containers at one moment. */
export interface ResourceMetricsResponse {
  readonly type: "resource-metrics.response";
  readonly request: MailId;
  readonly at: Micros;
  readonly node: { readonly cpu: Micros; readonly memory: number };
  readonly containers: readonly ContainerStats[];
}
