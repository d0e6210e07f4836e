import type { LatencyTable } from "../kernel/types.ts";

export const apiserver: Readonly<Record<string, LatencyTable>> = {};
