import { SECOND } from "../../api/time.ts";
import { SAMPLES } from "../samples.ts";
import { applySample, type Scenario } from "../scenario.ts";

export const preemption = {
  id: "preemption",
  title: "A Pod of higher priority evicts another and takes its place",
  recipe: { world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applySample("preemption", 0), ...(SAMPLES.find((sample) => sample.id === "preemption")?.after ?? [])] },
  until: 12 * SECOND,
} satisfies Scenario;
