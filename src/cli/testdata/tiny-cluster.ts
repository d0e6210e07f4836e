import { Simulation } from "../../sim/kernel/simulation.ts";
import type { Component, Message } from "../../sim/kernel/types.ts";
import { expandInputs, resolveInput } from "../../sim/faults/resolve.ts";

interface Create extends Message {
  readonly type: "create.request";
  readonly name: string;
  readonly session: number;
}

/** A kubectl that creates what its first word names, and an API server that stores it, 200 us away; "bad" is refused. */
const kubectl: Component = {
  id: "kubectl",
  machine: "workstation",
  init: () => ({}),
  step(state, message, ctx) {
    if (message.type === "kubectl.run") {
      const { argv, session } = message as Message & { readonly argv: readonly string[]; readonly session: number };
      ctx.explain({ text: "kubectl reads the manifest.", level: "basic", why: "It was asked to.", subject: `command/${session}` });
      ctx.send("kube-apiserver", { type: "create.request", name: argv[0] ?? "", session } as Create, { protocol: "HTTPS", latency: 200, verb: "POST", subject: `pod/default/${argv[0]}`, level: "basic" });
    }
    if (message.type === "created") {
      const { name, status, session } = message as Create & { readonly status: number };
      const source = status === 201 ? "stdout" : "stderr";
      ctx.explain({ text: "", kind: "output", log: { source, line: status === 201 ? `pod/${name} created\n` : "Error from server (Forbidden): no\n" }, subject: `command/${session}` });
      ctx.explain({ text: `kubectl exits with code ${status === 201 ? 0 : 1} after 0.001 s`, level: "operator", subject: `command/${session}` });
    }
    return state;
  },
};

const apiserver: Component = {
  id: "kube-apiserver",
  machine: "cp",
  init: () => ({}),
  step(state, message, ctx) {
    if (message.type !== "create.request") return state;
    ctx.after(1_000, { ...message, type: "stored" } as Message);
    return state;
  },
};

const stores: Component = {
  ...apiserver,
  step(state, message, ctx) {
    if (message.type === "create.request") return apiserver.step(state, message, ctx);
    if (message.type !== "stored") return state;
    const { name, session } = message as Create;
    const status = name === "bad" ? 403 : 201;
    if (status === 201) {
      ctx.explain({ text: `etcd stores pod ${name}.`, level: "operator", kind: "revision", revision: { revision: 2, key: `/registry/pods/default/${name}`, verb: "create", object: { kind: "Pod", metadata: { name } } } });
      const event = { type: "Normal", reason: "Scheduled", message: "ok", source: { component: "default-scheduler" }, involvedObject: { kind: "Pod", name } };
      ctx.explain({ text: "", kind: "revision", level: "source", revision: { revision: 3, key: `/registry/events/default/${name}.1`, verb: "create", object: event } });
      ctx.explain({ text: "", kind: "log", log: { source: "kube-apiserver", line: "I0101 created" } });
    }
    ctx.send("kubectl", { type: "created", name, session, status } as Message, { protocol: "HTTPS", latency: 200, verb: "answer", status });
    return state;
  },
};

/** For tests of the command line's formats: no Kubernetes in it. Runs the commands at 0 and the time given. */
export function tinyRun(commands: readonly { readonly at: number; readonly argv: readonly string[] }[], until = 1_000_000): Simulation {
  const inputs = expandInputs(commands.map(({ at, argv }) => ({ at, type: "command", argv, files: {} })));
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: [kubectl, stores], latencies: {}, resolve: resolveInput }, inputs);
  sim.run(until);
  return sim;
}
