import { CALICO } from "./calico.ts";
import { METRICS_SERVER } from "./metrics-server.ts";
import { IMAGE_SIZES, worldNode, type WorldFile } from "./world-file.ts";

const controlPlane = worldNode({ name: "control-plane-01", zone: "eu-west-1a", cpu: "4", memory: "16Gi", labels: { "node-role.kubernetes.io/control-plane": "" }, taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });

/** One node that is control plane and worker at once, as kind makes it (the taint removed), with one etcd. */
export const oneNode: WorldFile = {
  id: "one-node",
  title: "One node (kind)",
  etcdMembers: 1,
  objects: [worldNode({ name: "kind-control-plane", cpu: "4", memory: "16Gi", labels: { "node-role.kubernetes.io/control-plane": "" }, images: IMAGE_SIZES.nginx })],
};

/** A machine that nobody looks after at night: one of everything, so that neither etcd nor the managers have anybody to agree with. */
export const smallServer: WorldFile = {
  id: "small-server",
  title: "One small server, nothing twice",
  etcdMembers: 1,
  leaderElection: false,
  objects: [worldNode({ name: "small-server", cpu: "4", memory: "8Gi", labels: { "node-role.kubernetes.io/control-plane": "" } })],
};

/** A control-plane node and three empty workers in three zones, with nothing cached. */
export const threeNodes: WorldFile = {
  id: "three-nodes",
  title: "Three empty workers",
  objects: [controlPlane, ...["a", "b", "c"].map((zone, i) => worldNode({ name: `worker-node-0${i + 1}`, zone: `eu-west-1${zone}`, cpu: "4", memory: "8Gi", labels: { disktype: "ssd" } }))],
};

/** The three workers with metrics-server installed: autoscalers see load, and kubectl top has something to say. */
export const metricsWorld: WorldFile = {
  id: "three-nodes-metrics",
  title: "Three empty workers with metrics-server",
  objects: [...threeNodes.objects, ...METRICS_SERVER],
};

/** Workers for training: two with GPUs, which a device plugin has registered, and one without. */
export const gpuNodes: WorldFile = {
  id: "gpu-nodes",
  title: "Two GPU nodes (device plugin) and one without",
  objects: [controlPlane, ...[1, 2].map((n) => worldNode({ name: `gpu-node-0${n}`, zone: "eu-west-1a", cpu: "16", memory: "64Gi", labels: { "nvidia.com/gpu.present": "true" }, devices: { "nvidia.com/gpu": "2" } })), worldNode({ name: "worker-node-01", zone: "eu-west-1b", cpu: "4", memory: "8Gi" })],
};

/** The three workers with Calico's policy engine: NetworkPolicies are enforced. */
export const calicoWorld: WorldFile = {
  id: "three-nodes-calico",
  title: "Three empty workers with Calico (network policies)",
  objects: [...threeNodes.objects, ...CALICO],
};

const secondControlPlane = worldNode({ name: "control-plane-02", zone: "eu-west-1b", cpu: "4", memory: "16Gi", labels: { "node-role.kubernetes.io/control-plane": "" }, taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });

/** Two control-plane nodes: of each scheduler and controller manager one leads and one waits for its lease. */
export const highlyAvailable: WorldFile = {
  id: "highly-available",
  title: "Two control-plane nodes, three workers",
  objects: [controlPlane, secondControlPlane, ...threeNodes.objects.filter((object) => object !== controlPlane)],
};
