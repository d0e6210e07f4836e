import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { casesIn } from "../../runner.ts";
import type { ConformanceCase as Case } from "../../adapter.ts";
import { schedulerAdapters } from "./index.ts";

const FILE = new URL("../../../../../../shared/conformance/scheduler-and-controllers.json", import.meta.url);
const WORLD = new URL("../../../../sim/scenarios/worlds/ten-nodes.recorded.json", import.meta.url);

describe.runIf(existsSync(FILE))("upstream's unit tests of the scheduler", () => {
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Case[]) : [];
  const mine = cases.flatMap((c) => schedulerAdapters.filter((a) => a.kind === c.kind).map((a) => [c.id, c, a] as const));
  test.each(mine)("%s", (_id, c, adapter) => {
    expect(adapter.compare?.(adapter.run(c.input, c), c.expect, c)).toBeUndefined();
  });
});

describe("the ten-node world as the product has it", () => {
  const cases = casesIn(JSON.parse(readFileSync(WORLD, "utf8")), WORLD.pathname) ?? [];
  const [recording] = schedulerAdapters.filter((a) => a.kind === "world-recording");
  test.each(cases.map((c) => [c.id, c] as const))("%s", (_id, c) => {
    expect(recording?.compare?.(recording.run(c.input, c), c.expect, c)).toBeUndefined();
  });
});
