import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ConformanceCase } from "../../adapter.ts";
import { difference } from "../../difference.ts";
import { controllerAdapters } from "./index.ts";

const FOLDER = new URL("../../../../../../shared/conformance/", import.meta.url);
const FILES = ["scheduler-and-controllers.json", "node.json", "../oracle/controllers.json"].map((name) => new URL(name, FOLDER)).filter((file) => existsSync(file));

describe.runIf(FILES.length > 0)("upstream's unit tests and recordings of controllers and kube-proxy", () => {
  const cases = FILES.flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as ConformanceCase[]);
  const mine = cases.flatMap((c) => controllerAdapters.filter((adapter) => adapter.kind === c.kind).map((adapter) => [c.id, c, adapter] as const));
  test("all kinds have cases", () => expect(new Set(mine.map((row) => row[1].kind)).size).toBe(controllerAdapters.length));
  test.each(mine)("%s", (_id, c, adapter) => {
    const actual = adapter.run(c.input, c, { cases, sibling: () => undefined });
    expect(adapter.compare ? adapter.compare(actual, c.expect, c) : difference(c.expect, actual)).toBeUndefined();
  });
});
