import type { Adapter } from "../../adapter.ts";
import { crashBackoff } from "./backoff.ts";
import { eviction } from "./eviction.ts";
import { grace, ordering } from "./grace.ts";
import { imagePull } from "./image-pull.ts";
import { failuresAndEvents } from "./live.ts";
import { containerStatus, podActions, podConditions, podPhase } from "./pod-state.ts";
import { probe } from "./probe.ts";
import { cgroup, qosOom } from "./resources.ts";

/** Kinds about what happens on a node. */
export const nodeAdapters: readonly Adapter[] = [cgroup, containerStatus, crashBackoff, eviction, failuresAndEvents, grace, imagePull, ordering, podActions, podConditions, podPhase, probe, qosOom];
