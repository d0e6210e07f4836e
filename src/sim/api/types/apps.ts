// Models kubernetes/staging/src/k8s.io/api/{apps,discovery,coordination}/v1/types.go
import type { ObjectReference, PodTemplateSpec } from "./core.ts";
import type { Condition, IntOrString, KubeObject, LabelSelector } from "./meta.ts";

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly strategy?: { readonly type?: string; readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString } };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly Condition[];
    readonly collisionCount?: number;
  };
}

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly fullyLabeledReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
  readonly hostname?: string;
  readonly targetRef?: ObjectReference;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: { readonly forZones?: readonly { readonly name: string }[]; readonly forNodes?: readonly { readonly name: string }[] };
}

export interface EndpointSlice extends KubeObject {
  readonly addressType: string;
  readonly endpoints: readonly Endpoint[] | null;
  readonly ports?: readonly { readonly name?: string; readonly protocol?: string; readonly port?: number; readonly appProtocol?: string }[] | null;
}

export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
