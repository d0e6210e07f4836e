import { calicoWorld, highlyAvailable, metricsWorld, oneNode, smallServer, threeNodes } from "./small.ts";
import { tenNodes } from "./ten-nodes.ts";
import type { WorldFile } from "./world-file.ts";

/** The clusters a run can start in; the first is the default. */
export const WORLDS: readonly WorldFile[] = [tenNodes, oneNode, smallServer, threeNodes, metricsWorld, calicoWorld, highlyAvailable];
