// Models projectcalico/calico node (felix): NetworkPolicies in, the kernel's rules of this node's Pods out
import type { WatchSpec } from "../api/http.ts";
import type { KubeObject, Pod } from "../api/types.ts";
import { objectsOf, type World, type WorldNode } from "../api/world.ts";
import { API_SERVER, type ApiClient } from "../client-go/api-client.ts";
import { emptyInformer, type Informer, startInformer, stepInformer, syncedInformer } from "../client-go/informer.ts";
import type { Component, Ctx, Message, StartMessage } from "../kernel/types.ts";
import { compilePolicies, type NetworkPolicy } from "./compile.ts";
import type { NetlinkPoliciesMessage, PodPolicy } from "./messages.ts";

export interface PolicyAgentState {
  readonly informers: readonly Informer[];
  /** What the kernel was last told. */
  readonly written: Readonly<Record<string, PodPolicy>>;
  readonly syncs: number;
}

const KINDS = ["NetworkPolicy", "Pod", "Namespace"];
const CLIENT: ApiClient = { userAgent: "calico-node/v3.31.0 (linux/amd64)", credential: { kind: "service-account-token", name: "system:serviceaccount:kube-system:calico-node", groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"] } };
const idOf = (node: WorldNode): string => `calico-node@${node.name}`;

/** Whether the cluster's network plugin enforces NetworkPolicies: the bridge plugin alone does not. */
export const hasPolicyAgent = (world: World): boolean => objectsOf(world, "ClusterRole").some((object) => object.metadata.name === "calico-node");

export const policyAgentWatches = (node: WorldNode): WatchSpec[] => [
  { component: idOf(node), resource: "networkpolicies", path: "/apis/networking.k8s.io/v1/networkpolicies" },
  { component: idOf(node), resource: "pods", path: "/api/v1/pods" },
  { component: idOf(node), resource: "namespaces", path: "/api/v1/namespaces" },
];

function sync(state: PolicyAgentState, node: WorldNode, ctx: Ctx): PolicyAgentState {
  const [policies, pods, namespaces] = state.informers.map(({ store }) => store.sorted().map(([, object]) => object));
  if (state.informers.some(({ resourceVersion }) => resourceVersion === "")) return state;
  const compiled = compilePolicies({ policies: (policies ?? []) as readonly NetworkPolicy[], pods: (pods ?? []) as readonly Pod[], namespaces: namespaces ?? [] }, (pod) => pod.spec.nodeName === node.name);
  if (JSON.stringify(compiled) === JSON.stringify(state.written)) return state;
  const count = Object.keys(compiled).length;
  ctx.send(`netfilter@${node.name}`, { type: "netlink.policies", pods: compiled } satisfies NetlinkPoliciesMessage, { protocol: "netlink", latency: ctx.latency("kube-proxy.sync", `policies ${node.name} ${state.syncs}`), verb: "iptables-restore", subject: `${count} isolated Pods`, level: "operator" });
  ctx.explain({ text: `calico-node on ${node.name} writes policy rules for ${count} Pod${count === 1 ? "" : "s"}`, why: "a NetworkPolicy, a Pod or a Namespace changed; Pods that no policy selects stay open", level: count > 0 ? "basic" : "operator", status: "syncing policies" });
  return { ...state, written: compiled, syncs: state.syncs + 1 };
}

/** Component calico-node@NODE: turns NetworkPolicies into packet rules for the Pods of its node. */
export function createPolicyAgent({ world, node }: { readonly world: World; readonly node: WorldNode }): Component<PolicyAgentState> {
  const watches = policyAgentWatches(node);
  return {
    id: idOf(node),
    machine: node.name,
    connections: [API_SERVER],
    init: () => ({ informers: watches.map((watch, i) => syncedInformer(watch, objectsOf<KubeObject>(world, KINDS[i] ?? ""), world.resourceVersion)), written: {}, syncs: 0 }),
    step(state, message: Message, ctx) {
      if (message.type === "start") return (message as StartMessage).cold ? { informers: watches.map((watch) => startInformer(ctx, CLIENT, emptyInformer(watch))), written: {}, syncs: 0 } : state;
      let next = state;
      for (const [i, informer] of state.informers.entries()) {
        const stepped = stepInformer(ctx, CLIENT, informer, message);
        if (stepped) next = { ...next, informers: next.informers.with(i, stepped.informer) };
      }
      return next === state ? state : sync(next, node, ctx);
    },
  };
}
