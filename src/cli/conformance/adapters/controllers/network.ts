import type { Endpoint, Node, Pod, Service, Taint, Toleration } from "../../../../sim/api/types.ts";
import { endpointConditions, podAddresses, podToEndpoint, shouldPodBeInEndpoints } from "../../../../sim/kube-controller-manager/endpointslice/endpoint.ts";
import { evictAfter, minTolerationSeconds, noExecuteTaints } from "../../../../sim/kube-controller-manager/tainteviction/evict.ts";
import { ruleProbabilities } from "../../../../sim/kube-proxy/service-rules.ts";
import { categorizeEndpoints, type ProxyEndpoint } from "../../../../sim/kube-proxy/topology.ts";
import type { Adapter } from "../../adapter.ts";
import { difference } from "../../difference.ts";

const ANY_SERVICE: Service = { apiVersion: "v1", kind: "Service", metadata: {}, spec: {} };

function sliceConditions(raw: unknown): unknown {
  const input = raw as { pod: Pod; service?: Partial<Service>; node?: Node; includeTerminating?: boolean };
  const service: Service = { ...ANY_SERVICE, ...input.service, metadata: input.service?.metadata ?? {} };
  const addressType = podAddresses(input.pod, "IPv4").length > 0 ? "IPv4" : "IPv6";
  return { included: shouldPodBeInEndpoints(input.pod, input.includeTerminating ?? true), ...podToEndpoint(input.pod, input.node, service, addressType) };
}

interface ProxyInput {
  readonly node?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly policy?: { readonly internal?: string; readonly external?: string };
  readonly endpoints?: number | readonly { readonly address: string; readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean; readonly isLocal: boolean; readonly hints?: Endpoint["hints"] }[];
  readonly pods?: readonly Pod[];
  readonly service?: Partial<Service>;
}

function categories(input: ProxyInput, list: Exclude<ProxyInput["endpoints"], number | undefined>): unknown {
  const endpoints = list.map((entry): ProxyEndpoint => {
    const at = entry.address.lastIndexOf(":");
    return { ...entry, ip: entry.address.slice(0, at), port: Number(entry.address.slice(at + 1)) };
  });
  const policy = { internalLocal: input.policy?.internal === "Local", externalLocal: input.policy?.external === "Local", externallyAccessible: input.policy?.external !== undefined };
  const node = input.node?.name ?? input.node?.labels?.["kubernetes.io/hostname"] ?? "";
  const result = categorizeEndpoints(endpoints, policy, node, input.node?.labels?.["topology.kubernetes.io/zone"] ?? "");
  const names = (group: readonly ProxyEndpoint[] | undefined): readonly string[] | null => group?.map((entry) => `${entry.ip}:${entry.port}`) ?? null;
  return { cluster: names(result.cluster), local: names(result.local), all: names(result.allReachable), allReachable: names(result.allReachable), hasAnyEndpoints: result.hasAnyEndpoints };
}

function endpointsCase(raw: unknown): unknown {
  const input = raw as ProxyInput;
  if (typeof input.endpoints === "number") return { ruleProbability: ruleProbabilities(input.endpoints).map((text) => text ?? null), shareOfConnections: shares(input.endpoints) };
  if (input.endpoints) return categories(input, input.endpoints);
  const pods = input.pods ?? [];
  return {
    inSlice: Object.fromEntries(pods.map((pod) => [pod.metadata.name ?? "", shouldPodBeInEndpoints(pod, true)])),
    conditions: Object.fromEntries(pods.map((pod) => [pod.metadata.name ?? "", endpointConditions(pod, input.service?.spec?.publishNotReadyAddresses ?? false)])),
  };
}

/** What the chain of rules gives each endpoint, rounded as the printed probabilities allow. */
function shares(n: number): readonly number[] {
  let left = 1;
  return ruleProbabilities(n).map((text) => {
    const share = text === undefined ? left : left * Number(text);
    left -= share;
    return share;
  });
}

const TOLERANCE = 0.001;

/** Shares are compared up to the ten digits of the printed probabilities, all else exactly. */
function compareEndpoints(actual: unknown, expect: unknown): string | undefined {
  const { shareOfConnections: wanted, ...rest } = expect as { readonly shareOfConnections?: readonly number[] };
  const given = (actual as { readonly shareOfConnections?: readonly number[] }).shareOfConnections ?? [];
  if (wanted && (wanted.length !== given.length || wanted.some((share, i) => Math.abs(share - (given[i] ?? 0)) > TOLERANCE))) return difference(wanted, given, "shareOfConnections");
  return difference(rest, actual);
}

function tainted(raw: unknown): unknown {
  const input = raw as { usedTolerations?: readonly Toleration[]; pod?: Pod; nodes?: readonly { readonly metadata: { readonly name: string }; readonly spec?: { readonly taints?: readonly Taint[] } }[] };
  if (input.usedTolerations) {
    const seconds = minTolerationSeconds(input.usedTolerations);
    return { evictAfterSeconds: seconds ?? null, never: seconds === undefined };
  }
  const node = input.nodes?.find((entry) => entry.metadata.name === input.pod?.spec.nodeName);
  const seconds = evictAfter(noExecuteTaints(node?.spec?.taints), input.pod?.spec.tolerations);
  return { deletedImmediately: seconds === 0, disruptionTargetConditionAdded: seconds === 0, ...(seconds === undefined || seconds === 0 ? {} : { scheduledEvictionAfterSeconds: seconds }) };
}

export const networkAdapters: readonly Adapter[] = [
  { kind: "endpointslice-conditions", run: sliceConditions },
  { kind: "endpoints", run: endpointsCase, compare: compareEndpoints },
  { kind: "taint-eviction", run: tainted },
];
