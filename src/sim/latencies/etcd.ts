import type { LatencyTable } from "../kernel/types.ts";

export const etcd: Readonly<Record<string, LatencyTable>> = {};
