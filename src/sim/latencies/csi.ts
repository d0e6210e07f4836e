import type { LatencyTable } from "../kernel/types.ts";

const cloud = "assumption: a network disk of a cloud; sidecar time limits are 10 s (create) and 15 s (attach)";
const assumption = "assumption: like the measured controllers";

/** CSI sidecars, driver and node plugin. Integer microseconds. */
export const csi: Readonly<Record<string, LatencyTable>> = {
  "csi.sidecar-sync": { min: 300, median: 1200, p90: 3000, max: 6000, source: assumption },
  "csi.create-volume": { min: 400_000, median: 1_200_000, p90: 3_000_000, max: 6_000_000, source: cloud },
  "csi.delete-volume": { min: 200_000, median: 600_000, p90: 2_000_000, max: 5_000_000, source: cloud },
  "csi.controller-expand": { min: 500_000, median: 1_500_000, p90: 4_000_000, max: 9_000_000, source: cloud },
  "csi.controller-publish": { min: 700_000, median: 1_800_000, p90: 5_000_000, max: 11_000_000, source: cloud },
  "csi.controller-unpublish": { min: 700_000, median: 1_500_000, p90: 5_000_000, max: 11_000_000, source: cloud },
  "csi.node-stage": { min: 60_000, median: 180_000, p90: 600_000, max: 2_000_000, source: "assumption: look for the device, make a file system the first time, mount" },
  "csi.node-publish": { min: 3000, median: 9000, p90: 20_000, max: 60_000, source: "assumption: a bind mount" },
  "csi.node-unpublish": { min: 3000, median: 8000, p90: 20_000, max: 60_000, source: "assumption: an unmount" },
  "csi.node-unstage": { min: 20_000, median: 50_000, p90: 200_000, max: 900_000, source: "assumption: an unmount that writes back what is in memory" },
  "csi.device": { min: 200, median: 400, p90: 1000, max: 4000, source: "assumption: first blocks of a network disk" },
  "attachdetach.sync": { min: 200, median: 800, p90: 2500, max: 5000, source: assumption },
  "persistentvolume.sync": { min: 200, median: 800, p90: 2500, max: 5000, source: assumption },
};
