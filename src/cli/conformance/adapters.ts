import type { Adapter } from "./adapter.ts";
import { apiAdapters } from "./adapters/api/index.ts";
import { kubectlOutput } from "./adapters/cluster/kubectl-output.ts";
import { podLifecycle } from "./adapters/cluster/pod-lifecycle.ts";
import { controllerAdapters } from "./adapters/controllers/index.ts";
import { nodeAdapters } from "./adapters/node/index.ts";
import { schedulerAdapters } from "./adapters/scheduler/index.ts";

/** Every kind of case that the runner understands, one adapter each. */
export const ADAPTERS: readonly Adapter[] = [...apiAdapters, ...schedulerAdapters, ...controllerAdapters, ...nodeAdapters, podLifecycle, kubectlOutput];
