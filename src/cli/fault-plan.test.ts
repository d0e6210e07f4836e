import { describe, expect, test } from "vitest";
import { createCluster } from "../sim/cluster.ts";
import { Simulation } from "../sim/kernel/simulation.ts";
import type { RunInput, RunRecipe } from "../sim/scenarios/recipe.ts";
import { type Awaited, findMoment } from "../trace/moment.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { parseFault } from "./fault-flag.ts";
import { resolvePlans } from "./fault-plan.ts";
import { UsageError } from "./io.ts";

const POD = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: nginx, readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}}";
const LIMIT = 60_000_000;

const recipeWith = (faults: readonly RunInput[]): RunRecipe => ({ world: "three-nodes", seed: 1, profile: "quiet", inputs: [...faults, { at: 0, type: "command", argv: ["apply", "-f", "a.yaml"], files: { "a.yaml": POD } }] });
const resolve = (...flags: readonly string[]) => resolvePlans(flags.map(parseFault), recipeWith, LIMIT);

function indexOf(faults: readonly RunInput[]): TraceIndex {
  const { config, inputs, base } = createCluster(recipeWith(faults));
  const sim = Simulation.create(config, inputs);
  sim.run(LIMIT);
  return new TraceIndex(sim.trace, base);
}

describe("times of faults that only a run can tell", () => {
  const without = indexOf([]);
  const moment = (flag: string): Awaited => parseFault(`scheduler.down@${flag}`).begins as Awaited;

  test.each(["when:event Scheduled", "when:pod/web Ready = True", "#3:kubelet -> kube-apiserver PATCH", "when:http 201", "msg:400"])("@%s is where the run without the fault comes to it", (flag) => {
    const { faults: [fault], said } = resolve(`kubelet.stopped@${flag}..+5s`);
    const hit = findMoment(without, moment(flag), -1);
    expect(hit).toBeDefined();
    expect(fault).toEqual({ at: hit?.at, type: "fault", id: "kubelet.stopped", params: {}, until: (hit?.at ?? 0) + 5_000_000 });
    expect(said).toEqual([expect.stringMatching(/^fault kubelet\.stopped begins at \d+\.\d{6} s: /)]);
    // The moment is in the run with the fault, at the same time: what came before is the same.
    expect(findMoment(indexOf(fault ? [fault] : []), moment(flag), -1)).toEqual(hit);
  });

  test("an end is looked for in the run with the fault, from its beginning on", () => {
    const { faults: [fault] } = resolve("kubelet.stopped@when:pod/web Ready = True..when:node Ready = Unknown");
    expect(without.trace.end).toBeGreaterThan(LIMIT - 1_000_000);
    expect(findMoment(without, moment("when:node Ready = Unknown"), -1)).toBeUndefined();
    // 50 s after the last status of the node.
    expect((fault?.until ?? 0) - (fault?.at ?? 0)).toBeGreaterThan(35_000_000);
    expect(findMoment(indexOf(fault ? [fault] : []), moment("when:node Ready = Unknown"), fault?.at ?? 0)?.at).toBe(fault?.until);
  });

  test("one fault may wait for what another one does; the order on the command line does not matter", () => {
    const down = "kube-scheduler says starts";
    const chained = ["scheduler.down@when:event Scheduled..+3s", `kubelet.stopped@when:${down}`];
    const one = resolve(...chained);
    const other = resolve(...chained.toReversed());
    expect(other.faults.toReversed()).toEqual(one.faults);
    const [first, second] = one.faults;
    expect(second?.at).toBeGreaterThanOrEqual(first?.until ?? Number.POSITIVE_INFINITY);
  });

  test("a moment that does not come is said: as a mistake for a beginning, as a remark for an end", () => {
    expect(() => resolve("scheduler.down@when:event Evicted")).toThrow(new UsageError("fault scheduler.down begins when “event Evicted” holds, which does not come within 60.000000 s"));
    expect(resolve("scheduler.down@1s..#2:event Evicted")).toEqual({ faults: [{ at: 1_000_000, type: "fault", id: "scheduler.down", params: {} }], said: ["fault scheduler.down does not end: that “event Evicted” holds for the 2nd time does not come within 60.000000 s"] });
    expect(() => resolve("scheduler.down@when:event Scheduled..0")).toThrow(UsageError);
  });
});
