// Models kubernetes/staging/src/k8s.io/api/autoscaling/v2 and metrics/v1beta1, as far as the controller reads them
import type { Condition, KubeObject, LabelSelector, Quantity, ResourceList } from "../../api/types.ts";
import type { Micros } from "../../kernel/types.ts";

export interface MetricTarget {
  readonly type: "Utilization" | "Value" | "AverageValue";
  readonly averageUtilization?: number;
  readonly averageValue?: Quantity;
  readonly value?: Quantity;
}

interface MetricIdentifier {
  readonly name: string;
  readonly selector?: LabelSelector;
}

export interface MetricSpec {
  readonly type: string;
  readonly resource?: { readonly name: string; readonly target: MetricTarget };
  readonly containerResource?: { readonly name: string; readonly container: string; readonly target: MetricTarget };
  readonly pods?: { readonly metric: MetricIdentifier; readonly target: MetricTarget };
  readonly object?: { readonly metric: MetricIdentifier; readonly target: MetricTarget; readonly describedObject: { readonly kind: string; readonly name: string } };
  readonly external?: { readonly metric: MetricIdentifier; readonly target: MetricTarget };
}

export interface ScalingPolicy {
  readonly type: "Pods" | "Percent";
  readonly value: number;
  readonly periodSeconds: number;
}

export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: "Max" | "Min" | "Disabled";
  readonly policies?: readonly ScalingPolicy[];
  readonly tolerance?: Quantity;
}

export interface Autoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string; readonly apiVersion?: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly MetricSpec[];
    readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
  };
  readonly status?: { readonly lastScaleTime?: string; readonly currentReplicas?: number; readonly desiredReplicas?: number; readonly conditions?: readonly Condition[]; readonly currentMetrics?: readonly unknown[] | null };
}

export type Scale = KubeObject & { readonly spec: { readonly replicas?: number }; readonly status?: { readonly replicas?: number; readonly selector?: string } };

/** metrics.k8s.io: one sample of a Pod's containers. */
export interface PodMetrics extends KubeObject {
  readonly timestamp: string;
  /** "15.02s" */
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: ResourceList }[];
}

/** What the controller remembers of one autoscaler. */
export interface History {
  readonly recommendations: readonly { readonly replicas: number; readonly at: Micros }[];
  /** Changes of size under a behavior, without their sign. */
  readonly ups: readonly { readonly change: number; readonly at: Micros }[];
  readonly downs: readonly { readonly change: number; readonly at: Micros }[];
  /** The target's selector, as last read. */
  readonly selector?: string;
}

export const NO_HISTORY: History = { recommendations: [], ups: [], downs: [] };
