import type { LatencyTable } from "../kernel/types.ts";

export const kubectl: Readonly<Record<string, LatencyTable>> = {};
