import { expect, test } from "vitest";
import { FLOWS } from "../../../sim/kubelet/flow.ts";
import { START_CONTAINER } from "../../../sim/kubelet/start-container.ts";
import { stepText, SYNC_STEPS } from "./sync-steps.ts";

test("the steps are those of the simulation", () => {
  const flows = { ...FLOWS, startContainer: START_CONTAINER };
  expect(SYNC_STEPS).toEqual(Object.fromEntries(Object.entries(flows).map(([name, steps]) => [name, steps.map((step) => step.name)])));
});

test.each([
  { flow: "syncPod", step: 3, want: "4 of 17: waitForVolumes" },
  { flow: "", step: undefined, want: "" },
  { flow: "syncPod", step: 99, want: "step 100" },
])("$flow $step", ({ flow, step, want }) => expect(stepText(flow, step)).toBe(want));
