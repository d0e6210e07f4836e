import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ConformanceCase } from "../../adapter.ts";
import { runCases } from "../../runner.ts";
import { apiAdapters } from "./index.ts";

// The recordings lie beside the repository, not in it.
const FILE = "../shared/conformance/api.json";

describe.skipIf(!existsSync(FILE))("recorded API server behaviour", () => {
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as readonly ConformanceCase[]) : [];
  test.each(cases.map((c) => ({ id: c.id, title: c.title, testCase: c })))("$id $title", ({ testCase }) => {
    expect(runCases([testCase], apiAdapters, { kinds: [], ids: [], onlyKnown: false }).failures).toEqual([]);
  });
});
