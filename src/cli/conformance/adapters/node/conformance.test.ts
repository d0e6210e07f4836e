import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConformanceCase } from "../../adapter.ts";
import { difference } from "../../difference.ts";
import { nodeAdapters } from "./index.ts";

const FILE = new URL("../../../../../../shared/conformance/node.json", import.meta.url);
const cases: readonly ConformanceCase[] = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as ConformanceCase[]) : [];
const known = new Map(nodeAdapters.map((adapter) => [adapter.kind, adapter]));

describe.runIf(cases.length > 0)("node conformance", () => {
  it.each(cases.filter((testCase) => known.has(testCase.kind)).map((testCase) => [testCase.id, testCase] as const))("%s", (_, testCase) => {
    const adapter = known.get(testCase.kind);
    const actual = adapter?.run(testCase.input, testCase);
    expect(adapter?.compare ? adapter.compare(actual, testCase.expect, testCase) : difference(testCase.expect, actual)).toBeUndefined();
  });
});
