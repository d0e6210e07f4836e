// Models kubernetes/staging/src/k8s.io/api/resource/v1/types.go and dynamic-resource-allocation/resourceclaim: the parts that are acted on
import type { Condition, KubeObject, NodeSelectorTerm, Pod, Quantity } from "./types.ts";

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
}

export interface DeviceTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface DeviceToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

export interface DeviceSelector {
  readonly cel?: { readonly expression: string };
}

/** One alternative of a request, or all of one without alternatives. */
export interface DeviceRequestBody {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
}

export interface DeviceRequest {
  readonly name: string;
  readonly exactly?: DeviceRequestBody;
  /** The first that can be met is taken. */
  readonly firstAvailable?: readonly (DeviceRequestBody & { readonly name: string })[];
}

export interface DeviceConstraint {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

interface DeviceConfig {
  readonly requests?: readonly string[];
  readonly opaque?: unknown;
}

export interface AllocatedDevice {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
}

export interface AllocationResult {
  readonly devices: { readonly results?: readonly AllocatedDevice[]; readonly config?: readonly (DeviceConfig & { readonly source: string })[] };
  readonly nodeSelector?: NodeSelector;
  readonly allocationTimestamp?: string;
}

export interface ConsumerReference {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
}

export interface ResourceClaimSpec {
  readonly devices?: { readonly requests?: readonly DeviceRequest[]; readonly constraints?: readonly DeviceConstraint[]; readonly config?: readonly DeviceConfig[] };
}

export interface ResourceClaim extends KubeObject {
  readonly spec: ResourceClaimSpec;
  readonly status?: { readonly allocation?: AllocationResult; readonly reservedFor?: readonly ConsumerReference[]; readonly devices?: unknown };
}

export interface ResourceClaimTemplate extends KubeObject {
  readonly spec: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> }; readonly spec: ResourceClaimSpec };
}

/** An attribute has one of these. */
export interface DeviceAttribute {
  readonly string?: string;
  readonly int?: number;
  readonly bool?: boolean;
  readonly version?: string;
}

export interface Device {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, { readonly value: Quantity }>>;
  readonly taints?: readonly DeviceTaint[];
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
  readonly allNodes?: boolean;
  readonly conditions?: readonly Condition[];
}

export interface ResourceSlice extends KubeObject {
  readonly spec: {
    readonly driver: string;
    readonly pool: { readonly name: string; readonly generation?: number; readonly resourceSliceCount: number };
    readonly nodeName?: string;
    readonly nodeSelector?: NodeSelector;
    readonly allNodes?: boolean;
    readonly perDeviceNodeSelection?: boolean;
    readonly devices?: readonly Device[];
  };
}

export interface DeviceClass extends KubeObject {
  readonly spec: { readonly selectors?: readonly DeviceSelector[]; readonly config?: readonly { readonly opaque?: unknown }[] };
}

/** The finalizer of a claim that is allocated. */
export const CLAIM_FINALIZER = "resource.kubernetes.io/delete-protection";

export type PodResourceClaim = NonNullable<Pod["spec"]["resourceClaims"]>[number];

/** Name: which claim stands behind an entry of spec.resourceClaims; `made` for one made from a template, null if none is needed. */
export function claimNameOf(pod: Pod, entry: PodResourceClaim): { readonly name: string | null; readonly made: boolean } | { readonly error: string } {
  const { namespace = "", name = "" } = pod.metadata;
  if (entry.resourceClaimName !== undefined) return { name: entry.resourceClaimName, made: false };
  if (entry.resourceClaimTemplateName === undefined) return { error: `pod "${namespace}/${name}", spec.resourceClaim "${entry.name}": none of the supported fields are set` };
  const status = pod.status?.resourceClaimStatuses?.find((s) => s.name === entry.name);
  return status ? { name: status.resourceClaimName ?? null, made: true } : { error: `pod "${namespace}/${name}": ResourceClaim not created yet` };
}

/** IsForPod: a claim made for a Pod is controlled by it. The text if it is not. */
export function notForPod(pod: Pod, claim: ResourceClaim): string | undefined {
  const owned = (claim.metadata.ownerReferences ?? []).some((o) => o.controller === true && o.uid === pod.metadata.uid);
  return owned ? undefined : `ResourceClaim ${claim.metadata.namespace ?? ""}/${claim.metadata.name ?? ""} was not created for Pod ${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""} (Pod is not owner)`;
}

export const isReservedFor = (claim: ResourceClaim, uid: string | undefined): boolean => (claim.status?.reservedFor ?? []).some((consumer) => consumer.uid === uid);
