import type { LatencyTable } from "../kernel/types.ts";

export const kubelet: Readonly<Record<string, LatencyTable>> = {};
