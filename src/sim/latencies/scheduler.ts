import type { LatencyTable } from "../kernel/types.ts";

export const scheduler: Readonly<Record<string, LatencyTable>> = {};
