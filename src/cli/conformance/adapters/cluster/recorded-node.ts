import { stringify } from "yaml";
import { createCluster } from "../../../../sim/cluster.ts";
import { Simulation } from "../../../../sim/kernel/simulation.ts";
import type { Component } from "../../../../sim/kernel/types.ts";
import { LATENCIES } from "../../../../sim/latencies/registry.ts";
import { createProcess } from "../../../../sim/process/component.ts";
import { createRegistry, type StockedImage } from "../../../../sim/registry/component.ts";
import type { RunInput } from "../../../../sim/scenarios/recipe.ts";

// The machine of oracle/node-lifecycle.json, as oracle/README.md describes it.

export const HUB = "docker.io/library/";
/** The images that the recorded node held before the recording. */
const IMAGES = [{ name: "busybox:1.36", sizeBytes: 1_037_157 }, { name: "nginx:1.27", sizeBytes: 1_037_220 }];
export const PRELOADED: readonly string[] = IMAGES.map(({ name }) => `${HUB}${name}`);
/** What its registry had besides; the slow ones keep the layer back for 3 s. */
export const STOCK: Readonly<Record<string, StockedImage>> = Object.fromEntries([
  ...["web:1.0", "web:latest"].map((name) => [`${HUB}${name}`, { sizeBytes: 1_037_157 }] as const),
  ...["slow-a:1.0", "slow-b:1.0", "slow-a:latest", "slow-b:latest"].map((name) => [`${HUB}${name}`, { sizeBytes: 1_037_157, layerDelay: 3_000_000 }] as const),
  ...IMAGES.map(({ name, sizeBytes }) => [`${HUB}${name}`, { sizeBytes }] as const),
]);
/** Its "nginx" was another web server, which answered this path too. */
const SERVED = { [`${HUB}nginx`]: { "/usr/share/nginx/html/healthz": "ok\n" } };

const RESOURCES = { cpu: "2", memory: "24Gi", pods: "110", "ephemeral-storage": "100Gi" };

const condition = (type: string, status: string, reason: string, message: string) => ({ type, status, reason, message });

const node = (images: readonly string[]) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "node-1", labels: { "kubernetes.io/hostname": "node-1", "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" } },
  status: {
    capacity: RESOURCES,
    allocatable: RESOURCES,
    conditions: [
      condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
      condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    images: images.map((name) => ({ names: [name], sizeBytes: STOCK[name]?.sizeBytes ?? 0 })),
  },
});

/** The recorder spoke HTTP itself: nothing was started for its requests, as a kubectl is here. */
const STARTS_AT_ONCE = { ...LATENCIES["kubectl.start"], min: 1_000, median: 1_000, p90: 1_000, max: 1_000, source: "oracle/README.md: t = 0 is the moment before the first POST" };

/** The recorded cluster with what was done to it; not yet run. `images`: what the node holds. */
export function recordedNode(inputs: readonly RunInput[], images: readonly string[] = PRELOADED, seed = 1): Simulation {
  const cluster = createCluster({ world: stringify(node(images)), seed, profile: "quiet", inputs });
  const [machine] = cluster.world.nodes;
  const components = cluster.config.components.map((component): Component => {
    if (component.id === "registry") return createRegistry(STOCK) as Component;
    return machine !== undefined && component.id === `process@${machine.name}` ? (createProcess({ world: cluster.world, node: machine, imageFiles: SERVED }) as Component) : component;
  });
  return Simulation.create({ ...cluster.config, components, latencies: { ...LATENCIES, "kubectl.start": STARTS_AT_ONCE } }, cluster.inputs);
}
