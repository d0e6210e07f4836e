import type { LatencyTable } from "../kernel/types.ts";

export const runtime: Readonly<Record<string, LatencyTable>> = {};
