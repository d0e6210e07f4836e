import type { LatencyTable } from "../kernel/types.ts";

export const controllers: Readonly<Record<string, LatencyTable>> = {};
