import { SECOND } from "../../api/time.ts";
import { applySample, type Scenario } from "../scenario.ts";

export const crashLoop = {
  id: "crash-loop",
  title: "The sample's program exits with 1 two seconds after each start, three times",
  recipe: {
    world: "ten-nodes",
    seed: 1,
    profile: "quiet",
    inputs: [{ at: 0, type: "fault", id: "app.crash", params: { container: "nginx", exitCode: 1, afterSeconds: 2, times: 3 } }, applySample("nginx", 0)],
  },
  until: 90 * SECOND,
} satisfies Scenario;
