import type { Adapter } from "./adapter.ts";

/** Every kind of case that the runner understands, one adapter each. */
export const ADAPTERS: readonly Adapter[] = [];
