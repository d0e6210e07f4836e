// Models networking.k8s.io/v1 NetworkPolicy (staging/src/k8s.io/api/networking/v1/types.go) as projectcalico/calico felix/calc works it out
import { matchesLabelSelector } from "../api/labels.ts";
import type { KubeObject, LabelSelector, Pod } from "../api/types.ts";
import type { Peer, PodPolicy, PolicyPort, PolicyRule } from "./messages.ts";

interface PolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface NetworkPolicyPort {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface NetworkPolicy extends KubeObject {
  readonly spec: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly { readonly from?: readonly PolicyPeer[]; readonly ports?: readonly NetworkPolicyPort[] }[];
    readonly egress?: readonly { readonly to?: readonly PolicyPeer[]; readonly ports?: readonly NetworkPolicyPort[] }[];
  };
}

/** What the agent knows of the cluster. */
export interface Known {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly Pod[];
  readonly namespaces: readonly KubeObject[];
}

const finished = (pod: Pod): boolean => pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
/** Pods on the node's own network are the node to everybody else. */
const addressOf = (pod: Pod): string | undefined => (pod.spec.hostNetwork || finished(pod) ? undefined : pod.status?.podIP);

function resolvePeer(peer: PolicyPeer, namespace: string, { pods, namespaces }: Known): Peer {
  if (peer.ipBlock) return { cidr: peer.ipBlock.cidr, except: peer.ipBlock.except ?? [] };
  const within = (name: string): boolean => (peer.namespaceSelector === undefined ? name === namespace : matchesLabelSelector(peer.namespaceSelector, namespaces.find(({ metadata }) => metadata.name === name)?.metadata.labels));
  const ips = pods.flatMap((pod) => (within(pod.metadata.namespace ?? "") && (peer.podSelector === undefined || matchesLabelSelector(peer.podSelector, pod.metadata.labels)) ? (addressOf(pod) ?? []) : []));
  return { ips: ips.sort() };
}

function namedPort(name: string, protocol: string, pods: readonly Pod[]): Readonly<Record<string, number>> {
  return Object.fromEntries(pods.flatMap((pod) => {
    const port = pod.spec.containers.flatMap((container) => container.ports ?? []).find((entry) => entry.name === name && (entry.protocol ?? "TCP") === protocol);
    const ip = addressOf(pod);
    return port && ip !== undefined ? [[ip, port.containerPort]] : [];
  }));
}

function resolvePort({ protocol = "TCP", port, endPort }: NetworkPolicyPort, pods: readonly Pod[]): PolicyPort {
  if (port === undefined) return { protocol };
  return typeof port === "string" ? { protocol, byAddress: namedPort(port, protocol, pods) } : { protocol, from: port, to: endPort ?? port };
}

function rule(policy: NetworkPolicy, peers: readonly PolicyPeer[] | undefined, ports: readonly NetworkPolicyPort[] | undefined, known: Known): PolicyRule {
  const namespace = policy.metadata.namespace ?? "";
  return {
    policy: `${namespace}/${policy.metadata.name ?? ""}`,
    ...(peers === undefined || peers.length === 0 ? {} : { peers: peers.map((peer) => resolvePeer(peer, namespace, known)) }),
    ...(ports === undefined || ports.length === 0 ? {} : { ports: ports.map((port) => resolvePort(port, known.pods)) }),
  };
}

/** Directions that a policy isolates: ingress always unless said otherwise, egress if it has egress rules. */
function typesOf({ spec }: NetworkPolicy): readonly string[] {
  return spec.policyTypes ?? ["Ingress", ...(spec.egress === undefined ? [] : ["Egress"])];
}

/** The policies of the Pods that `mine` picks, by address: what any of its policies allows is allowed. */
export function compilePolicies(known: Known, mine: (pod: Pod) => boolean): Readonly<Record<string, PodPolicy>> {
  const compiled: Record<string, PodPolicy> = {};
  for (const pod of known.pods) {
    const ip = addressOf(pod);
    if (ip === undefined || !mine(pod)) continue;
    const selected = known.policies.filter(({ metadata, spec }) => metadata.namespace === pod.metadata.namespace && matchesLabelSelector(spec.podSelector ?? {}, pod.metadata.labels));
    const ingress = selected.filter((policy) => typesOf(policy).includes("Ingress"));
    const egress = selected.filter((policy) => typesOf(policy).includes("Egress"));
    if (ingress.length === 0 && egress.length === 0) continue;
    compiled[ip] = {
      pod: `${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}`,
      ...(ingress.length === 0 ? {} : { ingress: ingress.flatMap((policy) => (policy.spec.ingress ?? []).map(({ from, ports }) => rule(policy, from, ports, known))) }),
      ...(egress.length === 0 ? {} : { egress: egress.flatMap((policy) => (policy.spec.egress ?? []).map(({ to, ports }) => rule(policy, to, ports, known))) }),
    };
  }
  return compiled;
}
