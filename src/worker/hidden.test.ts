import { expect, test } from "vitest";
import { FAULTS } from "../sim/faults/registry.ts";
import { applyBatch } from "../trace/batch.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { Trace } from "../trace/trace.ts";
import { simulation as backend } from "./simulation-backend.ts";
import type { RunRecipe } from "./protocol.ts";
import { payloadWithoutSecrets, stateWithoutSecrets } from "./hidden.ts";
import { Run } from "./run.ts";

const recipe = (id: string): RunRecipe => ({
  world: "one-node", seed: 1, profile: "quiet",
  inputs: [{ at: 2_000_000, type: "command", argv: ["run", "p", "--image=nginx:1.27"], files: {} }],
  exercise: { slug: "x", hidden: [{ at: 1_000_000, type: "fault", id, params: {}, until: 6_000_000 }] },
});

function page(run: Run): Trace {
  const trace = new Trace();
  applyBatch(trace, run.takeBatch().batch);
  return trace;
}

test.each(FAULTS.map(({ id, title }) => [id, title]))("the page never hears of %s while it is to be found", (id, title) => {
  const run = Run.start(backend, "a", "exercise", recipe(id));
  run.sim.run(8_000_000);
  const shown = page(run);
  const texts = shown.strings.list.filter((text) => text.includes(id) || text === `${title}.`);
  expect(texts).toEqual([]);
  const steps = (trace: Trace): readonly string[] => [...new TraceIndex(trace, []).steps("source")].map((note) => trace.note(note).text);
  expect(steps(run.sim.trace).filter((text) => text.startsWith("Fault "))).toHaveLength(2);
  expect(steps(shown)).toHaveLength(steps(run.sim.trace).length - 2);
  // What the learner types goes on from there, and the fault with it.
  const fork = run.fork(backend, "b", "fork", 4_000_000, []);
  fork.sim.run(8_000_000);
  expect(fork.sim.trace.mailCount).toBe(run.sim.trace.mailCount);
});

test("a run that hides nothing is sent as it is", () => {
  const { exercise: _, ...open } = recipe("dns.down");
  const run = Run.start(backend, "a", "open", { ...open, inputs: [{ at: 1_000_000, type: "fault", id: "dns.down", params: {} }, ...open.inputs] });
  run.sim.run(8_000_000);
  expect(page(run).strings.list).toEqual(run.sim.trace.strings.list);
});

test.each([
  [{ type: "fault", id: "x" }, { type: "something you have to find" }],
  [{ type: "http.request" }, { type: "http.request" }],
])("payload %o", (payload, want) => {
  expect(payloadWithoutSecrets(payload, ["x"])).toEqual(want);
  expect(payloadWithoutSecrets(payload, [])).toBe(payload);
});

test("states lose what they remember of faults", () => expect(stateWithoutSecrets({ faults: [1], pods: 2 }, ["x"])).toEqual({ pods: 2 }));
