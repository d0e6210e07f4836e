// Models kubernetes/cmd/kube-controller-manager/app/options: PVClaimBinderSyncPeriod
import type { Micros } from "../../kernel/types.ts";

const PERIOD: Micros = 15_000_000;
const PHASE: Micros = 4_000_000;

/** How long until the controller looks at every claim again. It does so every 15 s; here only claims that wait are looked at. */
export const nextResync = (now: Micros): Micros => PERIOD - ((now + PERIOD - PHASE) % PERIOD);
