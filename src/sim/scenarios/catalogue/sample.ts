import { SECOND } from "../../api/time.ts";
import { applySample, type Scenario } from "../scenario.ts";

export const sample = {
  id: "sample",
  title: "The sample Pod with its Service, from Apply to traffic",
  recipe: { world: "ten-nodes", seed: 1, profile: "quiet", inputs: [applySample("nginx", 0)] },
  until: 3 * SECOND,
} satisfies Scenario;
