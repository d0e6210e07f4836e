import type { Adapter } from "../../adapter.ts";
import { compareScenario, type Recorded, type Stability } from "./controller-scenario-compare.ts";
import { observe, type Observed } from "./controller-scenario-observed.ts";
import { runScenario, type Scenario } from "./controller-scenario-run.ts";

/** A scenario on the simulation's control plane against the real one: events, states in their order, answers, and what is left. */
export const controllerScenario: Adapter = {
  kind: "controller-scenario",
  run(_input, testCase) {
    const scenario = testCase as unknown as Scenario;
    return observe(runScenario(scenario, (testCase.expect as Recorded).observedForSeconds), scenario);
  },
  compare: (actual, expect, testCase) => compareScenario(actual as Observed, expect as Recorded, (testCase["stability"] ?? {}) as Stability),
};
