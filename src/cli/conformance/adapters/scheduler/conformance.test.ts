import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { schedulerAdapters } from "./index.ts";

const FILE = new URL("../../../../../../shared/conformance/scheduler-and-controllers.json", import.meta.url);

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly input: unknown;
  readonly expect: unknown;
}

describe.runIf(existsSync(FILE))("upstream's unit tests of the scheduler", () => {
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Case[]) : [];
  const mine = cases.flatMap((c) => schedulerAdapters.filter((a) => a.kind === c.kind).map((a) => [c.id, c, a] as const));
  test.each(mine)("%s", (_id, c, adapter) => {
    expect(adapter.compare?.(adapter.run(c.input), c.expect)).toBeUndefined();
  });
});
