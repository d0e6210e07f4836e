import type { Adapter } from "../../adapter.ts";
import { autoscalingAdapters } from "./autoscaling.ts";
import { controllerScenario } from "./controller-scenario.ts";
import { networkAdapters } from "./network.ts";
import { workloadAdapters } from "./workloads.ts";

/** Kinds of cases that controllers, kube-proxy and their queues answer. */
export const controllerAdapters: readonly Adapter[] = [...workloadAdapters, ...networkAdapters, ...autoscalingAdapters, controllerScenario];
