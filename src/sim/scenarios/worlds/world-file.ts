import type { KubeObject, Node, Taint } from "../../api/types.ts";

/** A world as its author writes it: nodes and the Pods that already run on them. `settle` makes the rest. */
export interface WorldFile {
  readonly id: string;
  readonly title: string;
  readonly objects: readonly KubeObject[];
  /** Default 3. */
  readonly etcdMembers?: number;
  /** --leader-elect of scheduler and controller manager; default true. */
  readonly leaderElection?: boolean;
}

export interface NodeShape {
  readonly name: string;
  readonly zone?: string;
  readonly cpu: string;
  readonly memory: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Resource to number, as device plugins registered them. */
  readonly devices?: Readonly<Record<string, string>>;
  readonly unschedulable?: boolean;
  readonly diskPressure?: boolean;
  /** Image name to size in bytes. */
  readonly images?: Readonly<Record<string, number>>;
}

export const IMAGE_SIZES = {
  nginx: { "docker.io/library/nginx:1.27": 72_080_558 },
  redis: { "docker.io/library/redis:7.4": 44_700_000 },
  python: { "docker.io/library/python:3.12": 384_000_000 },
} as const;

const PAUSE = { "registry.k8s.io/pause:3.10": 320_368 };

const pressure = (type: string, on: boolean, ok: string, bad: string, okText: string, badText: string) => ({
  type,
  status: on ? "True" : "False",
  reason: on ? bad : ok,
  message: on ? badText : okText,
});

/** A Node object as its kubelet registered it. */
export function worldNode(shape: NodeShape): Node {
  const resources = { cpu: shape.cpu, memory: shape.memory, pods: "110", "ephemeral-storage": "95Gi", ...shape.devices };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: shape.name,
      labels: {
        "kubernetes.io/hostname": shape.name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        ...(shape.zone ? { "topology.kubernetes.io/region": shape.zone.slice(0, -1), "topology.kubernetes.io/zone": shape.zone } : {}),
        ...shape.labels,
      },
    },
    spec: { ...(shape.taints ? { taints: shape.taints } : {}), ...(shape.unschedulable ? { unschedulable: true } : {}) },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        pressure("MemoryPressure", false, "KubeletHasSufficientMemory", "KubeletHasInsufficientMemory", "kubelet has sufficient memory available", "kubelet has insufficient memory available"),
        pressure("DiskPressure", shape.diskPressure ?? false, "KubeletHasNoDiskPressure", "KubeletHasDiskPressure", "kubelet has no disk pressure", "kubelet has disk pressure"),
        pressure("PIDPressure", false, "KubeletHasSufficientPID", "KubeletHasInsufficientPID", "kubelet has sufficient PID available", "kubelet has insufficient PID available"),
        { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" },
      ],
      images: Object.entries({ ...PAUSE, ...shape.images }).map(([name, sizeBytes]) => ({ names: [name], sizeBytes })),
    },
  };
}

/** A Pod that ran before the story begins. */
export function worldPod(name: string, app: string, nodeName: string, image: string, cpu: string, memory: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels: { app } },
    spec: { nodeName, containers: [{ name: "main", image, resources: { requests: { cpu, memory } } }] },
  };
}
