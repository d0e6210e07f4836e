import { acknowledgedWrites, storedWrites } from "./acknowledged-writes.ts";
import { agreement } from "./agreement.ts";
import { causes, time } from "./causes.ts";
import { conditions } from "./conditions.ts";
import type { Invariant } from "./invariant.ts";
import { objectLives } from "./object-lives.ts";
import { podAddresses } from "./pod-addresses.ts";
import { sandboxes } from "./sandboxes.ts";
import { settled } from "./settled.ts";
import { watchOrder } from "./watch-order.ts";
import { counts, podCounts, surge } from "./workload-bounds.ts";

/** What every run holds to. That a run comes to its end, and twice to the same one, is seen to by `soak.ts`. */
export const INVARIANTS: readonly Invariant[] = [time, causes, storedWrites, acknowledgedWrites, objectLives, watchOrder, podAddresses, sandboxes, conditions, counts, podCounts, surge, agreement, settled];
