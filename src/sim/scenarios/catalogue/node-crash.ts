import { SECOND } from "../../api/time.ts";
import { applySample, type Scenario } from "../scenario.ts";

export const nodeCrash = {
  id: "node-crash",
  title: "The sample's node loses power and returns after the Pod was evicted",
  recipe: {
    world: "ten-nodes",
    seed: 1,
    profile: "quiet",
    inputs: [applySample("nginx", 0), { at: 5 * SECOND, type: "fault", id: "node.crash", params: { node: "worker-node-03" }, until: 400 * SECOND }],
  },
  until: 420 * SECOND,
} satisfies Scenario;
