import type { LatencyTable } from "../kernel/types.ts";

export const network: Readonly<Record<string, LatencyTable>> = {};
