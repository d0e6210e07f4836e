import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adapter, decide, type SchedulerDecisionInput } from "./scheduler-decision.ts";

const FILE = new URL("../../../../../../shared/oracle/scheduler.json", import.meta.url);

interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: SchedulerDecisionInput;
  readonly expect: {
    readonly victims: readonly { readonly namespace: string; readonly name: string }[];
    readonly nominatedNodeName: string | null;
    readonly afterVictimsGone?: { readonly node: string };
  };
}

describe.runIf(existsSync(FILE))("recordings of the real scheduler", () => {
  const cases = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Case[]) : [];
  test.each(cases.map((c) => [c.id, c] as const))("%s", (_id, c) => {
    expect(adapter.compare(adapter.run(c.input), c.expect)).toBeUndefined();
  });

  const preempting = cases.filter((c) => c.expect.afterVictimsGone);
  test.each(preempting.map((c) => [c.id, c] as const))("%s once the victims are gone", (_id, { input, expect: want }) => {
    const gone = new Set(want.victims.map((v) => `${v.namespace}/${v.name}`));
    const objects = input.objects.filter((o) => o.kind !== "Pod" || !gone.has(`${o.metadata.namespace ?? "default"}/${o.metadata.name ?? ""}`));
    const pod = { ...input.pod, status: { nominatedNodeName: want.nominatedNodeName ?? "" } };
    expect(decide({ objects, pod }).node).toBe(want.afterVictimsGone?.node);
  });
});
