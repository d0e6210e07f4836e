import { IMAGE_SIZES, worldNode, worldPod, type WorldFile } from "./world-file.ts";

const { nginx, redis, python } = IMAGE_SIZES;
const A = "eu-west-1a";
const B = "eu-west-1b";
const C = "eu-west-1c";
const SSD = { disktype: "ssd" };
const NGINX = "docker.io/library/nginx:1.27";
const REDIS = "docker.io/library/redis:7.4";
const PYTHON = "docker.io/library/python:3.12";

/** The default world: seven of ten nodes do not suit the sample, each for another reason; three are scored. */
export const tenNodes: WorldFile = {
  id: "ten-nodes",
  title: "Ten nodes in three zones",
  objects: [
    worldNode({ name: "control-plane-01", zone: A, cpu: "4", memory: "16Gi", labels: { "node-role.kubernetes.io/control-plane": "", ...SSD }, taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] }),
    worldNode({ name: "worker-node-01", zone: A, cpu: "8", memory: "32Gi", labels: { disktype: "hdd" }, images: nginx }),
    worldNode({ name: "worker-node-02", zone: B, cpu: "8", memory: "32Gi", labels: SSD, taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }], unschedulable: true, images: nginx }),
    worldNode({ name: "worker-node-03", zone: C, cpu: "8", memory: "32Gi", labels: SSD, images: { ...nginx, ...redis } }),
    worldNode({ name: "worker-node-04", zone: A, cpu: "2", memory: "16Gi", labels: SSD, images: python }),
    worldNode({ name: "worker-node-05", zone: B, cpu: "4", memory: "16Gi", labels: SSD }),
    worldNode({ name: "worker-node-06", zone: C, cpu: "16", memory: "64Gi", labels: { ...SSD, accelerator: "nvidia-l4" }, taints: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }], images: python }),
    worldNode({ name: "worker-node-07", zone: A, cpu: "8", memory: "4Gi", labels: SSD, images: { ...nginx, ...redis } }),
    worldNode({ name: "worker-node-08", zone: A, cpu: "8", memory: "32Gi", labels: SSD, taints: [{ key: "maintenance", value: "planned", effect: "PreferNoSchedule" }], images: redis }),
    worldNode({ name: "worker-node-09", zone: B, cpu: "8", memory: "32Gi", labels: SSD, taints: [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }], diskPressure: true, images: { ...nginx, ...python } }),
    worldPod("batch-report-1", "batch", "worker-node-04", PYTHON, "1500m", "2Gi"),
    worldPod("batch-report-2", "batch", "worker-node-04", PYTHON, "400m", "1Gi"),
    worldPod("cache-0", "cache", "worker-node-03", REDIS, "1", "4Gi"),
    worldPod("api-7d4", "api", "worker-node-05", PYTHON, "1500m", "6Gi"),
    worldPod("api-9kq", "api", "worker-node-05", PYTHON, "500m", "1Gi"),
    worldPod("cache-1", "cache", "worker-node-08", REDIS, "500m", "2Gi"),
    worldPod("search-0", "search", "worker-node-07", REDIS, "1", "3Gi"),
    worldPod("search-1", "search", "worker-node-07", REDIS, "500m", "960Mi"),
    worldPod("train-1", "train", "worker-node-06", PYTHON, "8", "32Gi"),
    worldPod("web-old-1", "web-old", "worker-node-01", NGINX, "1", "2Gi"),
  ],
};
