import { expect, test } from "vitest";
import { applyBatch } from "../trace/batch.ts";
import { TraceIndex } from "../trace/trace-index.ts";
import { Trace } from "../trace/trace.ts";
import type { Component, Input, KernelConfig, Message } from "../sim/kernel/types.ts";
import { PMap } from "../sim/kernel/pmap.ts";
import type { Backend } from "./backend.ts";
import { Host } from "./host.ts";
import { toPlain } from "./plain.ts";
import type { FromWorker, Request, RunInfo, RunRecipe } from "./protocol.ts";

interface Counter { readonly n: number; readonly seen: PMap<number> }
const counter: Component<Counter> = {
  id: "kubectl",
  machine: "m",
  init: () => ({ n: 0, seen: PMap.empty() }),
  step(state, message, ctx) {
    if (message.type === "ask") {
      ctx.explain({ text: "kubectl ask", subject: "command/0" });
      ctx.explain({ text: "It prints.", kind: "output", subject: "command/0", log: { source: "stdout", line: `n=${state.n}\n` } });
      ctx.explain({ text: "kubectl exits with code 0 after 0 s", subject: "command/0" });
      return state;
    }
    if (message.type === "boom") throw new Error("a broken invariant");
    ctx.explain({ text: `It counts ${state.n + 1}.`, level: "basic" });
    ctx.after(1000, { type: "tick" });
    return { n: state.n + 1, seen: state.seen.set(`key-${state.n}`, ctx.now) };
  },
};
const config: KernelConfig = {
  seed: 1,
  profile: "quiet",
  components: [counter as Component],
  latencies: {},
  resolve: (input) => [{ type: "deliver", to: "kubectl", message: { type: (input as Input & { argv: string[] }).argv[0] } as Message, verb: "x" }],
};
const backend: Backend = {
  catalogue: () => ({ worlds: [], faults: [], samples: [], slowdowns: [], schedulerConfig: "", simplified: [] }),
  createCluster: (recipe) => ({ config, inputs: recipe.inputs, base: [] }),
  expandInputs: (inputs) => inputs,
  complete: () => ({ from: 0, suggestions: [] }),
  readLine: () => ({ argv: [], env: {}, filters: [] }),
  filter: (output) => output,
  inspect: (_component, state) => state,
  check: () => ({ problems: [], notSimulated: [] }),
  probePeriod: (text) => ({ seconds: undefined, text }),
  checkScheduler: () => "",
  suggest: (_text: string, offset: number) => Promise.resolve({ from: offset, to: offset, items: [] }),
  fieldHelp: () => Promise.resolve(undefined),
  etcd: () => [],
  podInside: () => undefined,
  manager: () => undefined,
  apiServer: () => ({ member: "", revision: 0, ready: true, seats: [], webhooks: [], caches: [], requests: [] }),
  waits: () => [],
};
const recipe: RunRecipe = { world: "w", seed: 1, profile: "quiet", inputs: [] };

function start() {
  const sent: FromWorker[] = [];
  const work: (() => void)[] = [];
  let now = 0;
  // Each look at the clock takes 10 ms: runs are cut into many slices.
  const host = new Host(backend, { post: (message) => sent.push(structuredClone(message)), clock: () => (now += 10), defer: (callback) => work.push(callback) });
  let seq = 0;
  const ask = (request: Request): number => {
    host.receive({ seq: ++seq, request });
    return seq;
  };
  const drain = (): void => {
    for (let next = work.shift(); next; next = work.shift()) next();
  };
  const answer = (of: number): unknown => sent.flatMap((m) => (m.type === "answer" && m.seq === of ? [m.value] : []))[0];
  const error = (of: number): string | undefined => sent.flatMap((m) => (m.type === "error" && m.seq === of ? [m.message] : []))[0];
  const traceOf = (run: string): Trace => {
    const trace = new Trace();
    for (const m of sent) if (m.type === "trace" && m.run === run) applyBatch(trace, m.batch);
    return trace;
  };
  return { sent, ask, drain, answer, error, traceOf };
}

test("a run arrives in batches that add up to the whole trace", () => {
  const host = start();
  const seq = host.ask({ type: "start", recipe, until: 3_000_000, title: "baseline" });
  host.drain();
  const info = host.answer(seq) as RunInfo;
  expect(info).toMatchObject({ title: "baseline", until: 3_000_000 });
  expect(host.sent.filter((m) => m.type === "trace").length).toBeGreaterThan(2);
  const trace = host.traceOf(info.id);
  expect(trace.noteCount).toBe(3001);
  expect(new TraceIndex(trace, []).steps("basic").length).toBe(3001);
});

test("a fork shares the past, follows its input, and leaves the parent alone", () => {
  const host = start();
  const parent = host.answer((host.ask({ type: "start", recipe, until: 10_000, title: "a" }), host.drain(), 1)) as RunInfo;
  const seq = host.ask({ type: "fork", run: parent.id, at: 5_500, inputs: [{ at: 5_500, type: "command", argv: ["ask"], files: {} }], until: 10_000, title: "b" });
  host.drain();
  const child = host.answer(seq) as RunInfo;
  expect(child).toMatchObject({ parent: parent.id, forkAt: 5_500, until: 10_000 });
  expect(host.traceOf(child.id).logs.map((log) => log.line)).toEqual(["n=6\n"]);
  expect(host.traceOf(parent.id).logs).toEqual([]);
});

test("states, payloads and questions", () => {
  const host = start();
  host.ask({ type: "start", recipe, until: 10_000, title: "a" });
  host.drain();
  expect(host.answer(host.ask({ type: "state", run: "run-1", component: "kubectl", at: 2_500 }))).toEqual({ n: 3, seen: { "key-0": 0, "key-1": 1000, "key-2": 2000 } });
  expect(host.answer(host.ask({ type: "payload", run: "run-1", mail: 0 }))).toMatchObject({ type: "start" });
  expect(host.answer(host.ask({ type: "ask", run: "run-1", at: 2_500, argv: ["ask"] }))).toEqual({ stdout: "n=3\n", stderr: "", exitCode: 0 });
});

test("errors are answered as text, and other runs go on", () => {
  const host = start();
  const broken = host.ask({ type: "start", recipe: { ...recipe, inputs: [{ at: 500, type: "command", argv: ["boom"], files: {} }] }, until: 10_000, title: "a" });
  const fine = host.ask({ type: "start", recipe, until: 10_000, title: "b" });
  host.drain();
  expect(host.error(broken)).toBe("a broken invariant");
  expect(host.answer(fine)).toMatchObject({ title: "b" });
  expect(host.error(host.ask({ type: "payload", run: "nobody", mail: 0 }))).toBe("there is no run nobody");
});

test("cancel ends a run early and answers it", () => {
  const host = start();
  const seq = host.ask({ type: "start", recipe, until: 1e12, title: "a" });
  host.ask({ type: "cancel" });
  host.drain();
  expect(host.answer(seq)).toMatchObject({ id: "run-1" });
});

test("maps become objects with sorted keys", () => {
  expect(JSON.stringify(toPlain({ b: PMap.from([["z", 1], ["a", 2]]), f: () => 1 }))).toBe('{"b":{"a":2,"z":1}}');
});
