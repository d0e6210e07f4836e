import type { LatencyTable } from "../kernel/types.ts";

const measured = "facts/timeline-measured.json (20 runs, kubelet v1.36.2, one machine)";
const assumption = "assumption within a measured total (facts/timeline-measured.json)";

export const kubelet: Readonly<Record<string, LatencyTable>> = {
  "kubelet.start": { min: 270_000, median: 280_000, p90: 300_000, max: 310_000, source: "oracle/node-lifecycle.json (kubelet-restarted, kubelet-stopped): process started -> event Starting" },
  "kubelet.config": { min: 200, median: 1300, p90: 1500, max: 1800, source: `${measured}: binding 201 -> SyncLoop ADD, less the watch` },
  "kubelet.worker-start": { min: 870, median: 1800, p90: 3200, max: 3900, source: `${measured}: SyncLoop ADD -> SyncPod enter` },
  "kubelet.prepare-pod": { min: 3200, median: 4310, p90: 5200, max: 6600, source: `${measured}: SyncPod enter -> Waiting for volumes` },
  "kubelet.status-get": { min: 700, median: 1100, p90: 1500, max: 3500, source: `${measured}: SyncPod enter -> GET pod` },
  "kubelet.status-patch": { min: 700, median: 1500, p90: 2000, max: 3000, source: `${measured}: GET pod done -> PATCH status received` },
  "kubelet.volume-setup": { min: 3400, median: 3800, p90: 4600, max: 5400, source: `${measured}: mount started -> SetUp succeeded, less the token request` },
  "kubelet.volumes-mounted": { min: 1250, median: 1900, p90: 2200, max: 2700, source: `${measured}: all mounted -> RunPodSandbox called` },
  "kubelet.sandbox-created": { min: 200, median: 400, p90: 700, max: 1500, source: `${measured}: RunPodSandbox returned -> Created PodSandbox` },
  "kubelet.sandbox-ready": { min: 1000, median: 4500, p90: 5500, max: 8000, source: `${measured}: RunPodSandbox returned -> GET pod` },
  "kubelet.generate-config": { min: 1200, median: 3700, p90: 4500, max: 7000, source: `${measured}: event Pulled -> CreateContainer called` },
  "kubelet.container-created": { min: 500, median: 850, p90: 1800, max: 2800, source: `${measured}: CreateContainer returned -> StartContainer called` },
  "kubelet.sync-exit": { min: 200, median: 350, p90: 700, max: 1000, source: `${measured}: StartContainer returned -> SyncPod exit` },
  "kubelet.kill": { min: 200, median: 700, p90: 2300, max: 8000, source: `${measured}: Killing container -> StopContainer called` },
  "kubelet.kill-sandbox": { min: 400, median: 550, p90: 900, max: 1400, source: `${measured}: StopContainer returned -> StopPodSandbox called` },
  "kubelet.terminated": { min: 800, median: 1700, p90: 4000, max: 9000, source: assumption },
  "kubelet.chown-1000-files": { min: 60_000, median: 100_000, p90: 160_000, max: 250_000, source: "assumption: lchown and chmod of a file on a network disk take 100 us; reports tell of minutes for a million files" },
  "kubelet.probe": { min: 200, median: 400, p90: 1000, max: 3000, source: assumption },
};
