import type { LatencyTable } from "../kernel/types.ts";

const measured = "facts/timeline-measured.json (20 runs, kubelet v1.36.2, containerd 2.3.4, one machine)";
const assumption = "assumption within a measured total (facts/timeline-measured.json)";

/** Container runtime, CNI, registry and the node's processes. Sums: RunPodSandbox 95.2 ms, CreateContainer 10.4, StartContainer 60.5. */
export const runtime: Readonly<Record<string, LatencyTable>> = {
  "runtime.netns": { min: 2720, median: 3000, p90: 3900, max: 4600, source: `${measured}: RunPodSandbox called -> CNI ADD start` },
  "cni.bridge-add": { min: 8500, median: 10900, p90: 13500, max: 16500, source: `${measured}: bridge ADD start -> end` },
  "cni.portmap-add": { min: 3000, median: 3450, p90: 4000, max: 6200, source: `${measured}: bridge ADD end -> portmap ADD end` },
  "cni.del": { min: 9000, median: 12000, p90: 15000, max: 20000, source: assumption },
  "runtime.sandbox-files": { min: 15000, median: 18400, p90: 22000, max: 23000, source: assumption },
  "runtime.pause-start": { min: 52500, median: 59600, p90: 75500, max: 78000, source: `${measured}: CNI end -> RunPodSandbox returned, less the files` },
  "runtime.create-container": { min: 6700, median: 10300, p90: 11800, max: 22000, source: `${measured}: CreateContainer` },
  "runtime.create-task": { min: 33000, median: 45200, p90: 47000, max: 50000, source: assumption },
  "runtime.start-task": { min: 10300, median: 15000, p90: 15500, max: 16200, source: `${measured}: StartContainer, less the task` },
  "runtime.image-status": { min: 900, median: 1900, p90: 2500, max: 3000, source: assumption },
  "runtime.sandbox-status": { min: 200, median: 300, p90: 600, max: 1200, source: assumption },
  "runtime.list": { min: 2400, median: 4900, p90: 6300, max: 8800, source: `${measured}: StartContainer returned -> PLEG ContainerStarted` },
  "runtime.task-exit": { min: 24000, median: 31500, p90: 40000, max: 50000, source: `${measured}: StopContainer of a process that exits at once` },
  "runtime.exit-event": { min: 300, median: 1000, p90: 3000, max: 8000, source: assumption },
  "runtime.stop-sandbox": { min: 54000, median: 56700, p90: 60000, max: 80000, source: `${measured}: StopPodSandbox, less CNI DEL` },
  "runtime.remove": { min: 4000, median: 8000, p90: 15000, max: 40000, source: assumption },
  "runtime.exec": { min: 20000, median: 35000, p90: 60000, max: 120000, source: "oracle/node-lifecycle.json: exec probes answer after some tens of ms" },
  "runtime.unpack-mib": { min: 8000, median: 10000, p90: 14000, max: 25000, source: "assumption: a layer is unpacked at 100 MiB/s" },
  "registry.answer": { min: 15000, median: 40000, p90: 120000, max: 400000, source: "assumption: a registry some 1000 km away" },
  "registry.mib": { min: 25000, median: 40000, p90: 100000, max: 300000, source: "assumption: 25 MiB/s a connection" },
  "process.first": { min: 3000, median: 6000, p90: 12000, max: 60000, source: "oracle/node-lifecycle.json: a shell that exits at once was still seen running after its start" },
  "process.http": { min: 150, median: 400, p90: 900, max: 3000, source: assumption },
  "process.exec": { min: 1000, median: 2000, p90: 4000, max: 9000, source: "crun README: 17-33 ms for a whole container run" },
};
