import { crashLoop } from "./catalogue/crash-loop.ts";
import { deployment } from "./catalogue/deployment.ts";
import { imageNotFound } from "./catalogue/image-not-found.ts";
import { nodeCrash } from "./catalogue/node-crash.ts";
import { preemption } from "./catalogue/preemption.ts";
import { sample } from "./catalogue/sample.ts";
import type { Scenario } from "./scenario.ts";

export const SCENARIOS: readonly Scenario[] = [sample, deployment, imageNotFound, crashLoop, nodeCrash, preemption];
