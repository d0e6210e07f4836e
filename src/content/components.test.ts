import { expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { componentText, sourceUrl } from "./components.ts";

test("every component of a cluster is explained, with a source that can be opened", () => {
  const { config } = createCluster({ world: "cloud", seed: 1, profile: "quiet", inputs: [] });
  const untold = config.components.map((component) => component.id).filter((id) => componentText(id) === undefined);
  expect(untold).toEqual([]);
  for (const { id } of config.components) expect(sourceUrl(componentText(id)?.source ?? "")).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/tree\//);
});
