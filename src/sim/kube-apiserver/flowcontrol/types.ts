// Models kubernetes/staging/src/k8s.io/api/flowcontrol/v1/types.go
import type { KubeObject } from "../../api/types.ts";

export interface FlowSubject {
  readonly kind: "User" | "Group" | "ServiceAccount";
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
}
export interface FlowSchema extends KubeObject {
  readonly spec: {
    readonly priorityLevelConfiguration: { readonly name: string };
    readonly matchingPrecedence: number;
    readonly distinguisherMethod?: { readonly type: "ByUser" | "ByNamespace" };
    readonly rules?: readonly {
      readonly subjects: readonly FlowSubject[];
      readonly resourceRules?: readonly ResourceRule[];
      readonly nonResourceRules?: readonly { readonly verbs: readonly string[]; readonly nonResourceURLs: readonly string[] }[];
    }[];
  };
}
export interface PriorityLevelConfiguration extends KubeObject {
  readonly spec: {
    readonly type: "Exempt" | "Limited";
    readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
    readonly limited?: {
      readonly nominalConcurrencyShares?: number;
      readonly lendablePercent?: number;
      readonly limitResponse: { readonly type: "Queue" | "Reject"; readonly queuing?: { readonly queues: number; readonly handSize: number; readonly queueLengthLimit: number } };
    };
  };
}
