import { createCoreDNS, coreDNSWatches } from "./coredns/coredns.ts";
import { createContainerd } from "./cri/component.ts";
import { createCni } from "./cni/component.ts";
import { createCsiController } from "./csi/controller.ts";
import { createExternalAttacher, externalAttacherWatches } from "./csi/external-attacher.ts";
import { createExternalResizer, externalResizerWatches } from "./csi/external-resizer.ts";
import { createExternalProvisioner, externalProvisionerWatches } from "./csi/external-provisioner.ts";
import { createCsiNode } from "./csi/node.ts";
import { createEtcdMember } from "./etcd/member.ts";
import { customKinds } from "./api/apiextensions/served.ts";
import { etcdKey, resourceForKind } from "./api/schema/resources.ts";
import type { WatchSpec } from "./api/http.ts";
import type { World } from "./api/world.ts";
import { expandInputs, resolveInput } from "./faults/resolve.ts";
import type { Component, Input, KernelConfig } from "./kernel/types.ts";
import { createApiServer } from "./kube-apiserver/server.ts";
import { controlPlaneOf } from "./kube-controller-manager/controller.ts";
import { createControllerManager, leadsAtStart } from "./kube-controller-manager/controller-manager.ts";
import { CONTROLLERS } from "./kube-controller-manager/registry.ts";
import { createKubectl } from "./kubectl/kubectl.ts";
import { createKubelet, kubeletWatches } from "./kubelet/component.ts";
import { settledPods } from "./kubelet/settled-pods.ts";
import { createKubeProxy, kubeProxyWatches } from "./kube-proxy/kube-proxy.ts";
import { createNetfilter } from "./kube-proxy/netfilter.ts";
import { loadConfig } from "./kube-scheduler/config/load.ts";
import { createElectedScheduler, electedSchedulerWatches } from "./kube-scheduler/elected-scheduler.ts";
import { createMetricsServer, hasMetricsServer, metricsServerWatches } from "./metrics-server/metrics-server.ts";
import { LATENCIES } from "./latencies/registry.ts";
import { withSlowdowns } from "./scenarios/slowdowns.ts";
import { createProcess } from "./process/component.ts";
import { createInternet } from "./internet/internet.ts";
import { createIngressNginx, hasIngressNginx, ingressNginxWatches } from "./ingress-nginx/ingress-nginx.ts";
import { createPolicyAgent, hasPolicyAgent, policyAgentWatches } from "./network-policy/agent.ts";
import { createRegistry } from "./registry/component.ts";
import { findWorld } from "./scenarios/custom-world.ts";
import { inputsOf, type RunRecipe } from "./scenarios/recipe.ts";
import { settle } from "./scenarios/settle.ts";
import { createLoadBalancer, loadBalancerWatches } from "./load-balancer/load-balancer.ts";
import { hasCloud } from "./kube-controller-manager/service/service-controller.ts";
import { createUsers, usersWatches } from "./users/users.ts";
import { createWebhook } from "./webhook/webhook.ts";
import type { Revision } from "../trace/model.ts";

/** The states of a lesson are all kept; those of a night are recomputed from one in so many when they are looked at. */
const LONG_RUNS = { keepEvery: 32, keepAllOf: 60_000 } as const;
const etcdMembers = (world: World): readonly string[] => Array.from({ length: world.etcdMembers ?? 3 }, (_, i) => `etcd-${i}`);

const controllersOf = (world: World) => CONTROLLERS.filter(({ when }) => when?.(world) ?? true);

/** Every watch that is open when the story begins, in the order of the components below. */
function allWatches(world: World): WatchSpec[] {
  return [
    ...controlPlanes(world).flatMap(({ suffix }) => electedSchedulerWatches(`kube-scheduler${suffix}`)),
    ...controllersOf(world).flatMap((controller) => controller.watches(world)),
    ...externalProvisionerWatches(),
    ...externalAttacherWatches(),
    ...externalResizerWatches(),
    ...coreDNSWatches(),
    ...(hasMetricsServer(world) ? metricsServerWatches() : []),
    ...usersWatches(world),
    ...(hasIngressNginx(world) ? ingressNginxWatches() : []),
    ...(hasCloud(world) ? loadBalancerWatches() : []),
    ...world.nodes.flatMap((node) => [...kubeletWatches(world, node), ...kubeProxyWatches(node), ...(hasPolicyAgent(world) ? policyAgentWatches(node) : [])]),
  ];
}

interface ControlPlane {
  readonly suffix: string;
  readonly machine: string;
}

/** Every node of the control plane runs a scheduler and a controller manager; the first one's are named without it. */
function controlPlanes(world: World): readonly ControlPlane[] {
  const first = controlPlaneOf(world);
  const others = world.objects.filter((object) => object.kind === "Node" && object.metadata.labels?.["node-role.kubernetes.io/control-plane"] !== undefined && object.metadata.name !== first);
  return [{ suffix: "", machine: first }, ...others.map(({ metadata: { name = "" } }) => ({ suffix: `@${name}`, machine: name }))];
}

/** The processes of one control-plane node that elect a leader, and the controllers inside. */
function managers(world: World, { suffix, machine }: ControlPlane, { schedulerConfig }: RunRecipe): readonly Component[] {
  const controllers = controllersOf(world).map((controller) => controller.create({ world, replica: { suffix, machine, leads: leadsAtStart(world, machine) } }));
  const manager = createControllerManager({ world, id: `kube-controller-manager${suffix}`, machine, controllers: controllers.map(({ id }) => id) });
  return [createElectedScheduler({ world, id: `kube-scheduler${suffix}`, machine, ...(schedulerConfig === undefined ? {} : { config: loadConfig(schedulerConfig) }) }) as Component, manager as Component, ...controllers];
}

/** The list of components: adding one is a line here. */
function components(world: World, recipe: RunRecipe): Component[] {
  const members = etcdMembers(world);
  return [
    createKubectl({ world }),
    createApiServer({ world, machine: controlPlaneOf(world), etcd: members }),
    ...members.map((id) => createEtcdMember({ world, id, peers: members.filter((peer) => peer !== id) })),
    ...controlPlanes(world).flatMap((replica) => managers(world, replica, recipe)),
    createExternalProvisioner({ world, machine: controlPlaneOf(world) }),
    createExternalAttacher({ world, machine: controlPlaneOf(world) }),
    createExternalResizer({ world, machine: controlPlaneOf(world) }),
    createCsiController({ machine: controlPlaneOf(world) }),
    createWebhook(),
    createRegistry(),
    createInternet(),
    createCoreDNS({ world }),
    ...(hasMetricsServer(world) ? [createMetricsServer({ world, machine: controlPlaneOf(world) })] : []),
    createUsers({ world }),
    ...(hasIngressNginx(world) ? [createIngressNginx({ world })] : []),
    ...(hasCloud(world) ? [createLoadBalancer({ world })] : []),
    ...world.nodes.flatMap((node) => [
      createKubelet({ world, node }),
      createContainerd({ world, node, settled: settledPods({ world, node }) }),
      createCni({ world, node }),
      createCsiNode({ node }),
      createProcess({ world, node }),
      createKubeProxy({ world, node }),
      createNetfilter({ world, node }),
      ...(hasPolicyAgent(world) ? [createPolicyAgent({ world, node })] : []),
    ]),
  ] as Component[];
}

export interface Cluster {
  readonly config: KernelConfig;
  readonly inputs: readonly Input[];
  readonly world: World;
  /** What etcd holds at time 0. */
  readonly base: readonly Revision[];
}

/** The composition root: a recipe becomes components, inputs and the store's beginning. Throws WorldError for a text that is no cluster, ConfigurationError for a configuration that kube-scheduler refuses. */
export function createCluster(recipe: RunRecipe, options: Pick<KernelConfig, "keepEvery" | "keepAllOf" | "hashing"> = {}): Cluster {
  const world = settle(findWorld(recipe.world), recipe.seed, allWatches);
  const config: KernelConfig = { seed: recipe.seed, profile: recipe.profile, components: components(world, recipe), latencies: withSlowdowns(LATENCIES, recipe.slowdowns ?? {}), resolve: resolveInput, ...LONG_RUNS, ...options };
  const custom = customKinds(world.objects);
  const base = world.objects.flatMap((object): Revision[] => {
    const resource = resourceForKind(object.apiVersion, object.kind) ?? custom.get(`${object.apiVersion}/${object.kind}`);
    return resource ? [{ revision: Number(object.metadata.resourceVersion), key: etcdKey(resource, object.metadata.namespace, object.metadata.name ?? ""), verb: "create", object }] : [];
  });
  return { config, inputs: expandInputs(inputsOf(recipe)), world, base };
}
