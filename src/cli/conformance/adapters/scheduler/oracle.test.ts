import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adapter } from "./scheduler-decision.ts";

const FILE = new URL("../../../../../../shared/oracle/scheduler.json", import.meta.url);

interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: unknown;
  readonly expect: unknown;
}

describe.runIf(existsSync(FILE))("recordings of the real scheduler", () => {
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Case[]) : [];
  test.each(cases.map((c) => [c.id, c] as const))("%s", (_id, c) => {
    expect(adapter.compare(adapter.run(c.input), c.expect)).toBeUndefined();
  });
});
