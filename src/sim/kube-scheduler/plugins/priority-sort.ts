// Models kubernetes/pkg/scheduler/framework/plugins/queuesort/priority_sort.go
import type { Pod } from "../../api/types.ts";
import type { Plugin } from "../framework.ts";
import { priorityOf } from "../node-info.ts";

export interface Sortable {
  readonly pod: Pod;
  /** When it entered the queue; refreshed each time it comes back. */
  readonly timestamp: number;
}

/** The order of activeQ: higher priority first, then who waits longer. Negative if `a` goes first. */
export const compareQueued = (a: Sortable, b: Sortable): number => priorityOf(b.pod) - priorityOf(a.pod) || a.timestamp - b.timestamp;

/** The only QueueSort plugin; it takes no part in a scheduling cycle. */
export const prioritySort = { name: "PrioritySort", also: ["queueSort"] } satisfies Plugin;
