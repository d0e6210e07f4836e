import { stringify } from "yaml";
import { commandOutput } from "../../trace/command-output.ts";
import type { Trace } from "../../trace/trace.ts";
import type { KubeEvent, KubeObject } from "../api/types.ts";
import { createCluster } from "../cluster.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { FaultParams, RunInput } from "../scenarios/recipe.ts";

/** Seconds as the input log has them. */
export const S = 1_000_000;

export const pod = (name: string, spec: object = {}, container: object = {}): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name, labels: { app: name } }, spec: { containers: [{ name: "c", image: "nginx:1.27", ...container }], ...spec } });
export const create = (at: number, ...objects: object[]): RunInput => ({ at: at * S, type: "command", argv: ["create", "-f", "o.yaml"], files: { "o.yaml": objects.map((object) => stringify(object)).join("---\n") } });
export const kubectl = (at: number, ...argv: string[]): RunInput => ({ at: at * S, type: "command", argv, files: {} });
export const fault = (at: number, until: number, id: string, params: FaultParams = {}): RunInput => ({ at: at * S, type: "fault", id, params, until: until * S });

export interface Seen {
  /** "reason: message" of an object's Events in order, each once. */
  events(name: string): readonly string[];
  reasons(name: string): readonly string[];
  /** When the first of these was written, in seconds; NaN if none was. */
  eventAt(name: string, reason: string): number;
  /** The object's last stored state; undefined once it is gone. */
  last(key: string): KubeObject | undefined;
  /** Every stored state, with its time in seconds. */
  all(key: string): readonly { readonly at: number; readonly object: KubeObject | undefined }[];
  keys(prefix: string): readonly string[];
  /** "1/1 Running 0": the Pod's row of `kubectl get pods` at each of the times asked for; "" if it is not there. */
  rows(name: string): readonly string[];
  /** What a command printed, by its first words. */
  printed(...argv: string[]): string;
}

interface Typed {
  readonly at: number;
  readonly argv: readonly string[];
  readonly text: string;
}

function commandsOf(trace: Trace): readonly Typed[] {
  return trace.payloads.flatMap((payload, id) => {
    const { type, argv = [] } = payload as { readonly type: string; readonly argv?: readonly string[] };
    if (type !== "kubectl.run") return [];
    const { stdout = "", stderr = "" } = commandOutput(trace, trace.mail.cause.get(id)) ?? {};
    return [{ at: trace.mail.sentAt.get(id), argv, text: stdout + stderr }];
  });
}

/** Runs a cluster for so many seconds and looks on by the API alone; `look`: seconds at which `kubectl get pods` is asked. */
export function see(until: number, inputs: readonly RunInput[], { world = "one-node", look = [] }: { readonly world?: string; readonly look?: readonly number[] } = {}): Seen {
  const looks = look.map((at) => kubectl(at, "get", "pods"));
  const cluster = createCluster({ world, seed: 3, profile: "quiet", inputs: [...inputs, ...looks] });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until * S);
  const { trace } = sim;
  const revisions = trace.revisions.map((revision, i) => ({ ...revision, at: trace.notes.at.get(trace.revisionNotes[i] ?? 0) }));
  const commands = commandsOf(sim.trace);
  const events = (name: string): readonly { at: number; event: KubeEvent }[] =>
    revisions.filter(({ key, verb }) => key.startsWith("/registry/events/") && verb === "create").map(({ at, object }) => ({ at: at / S, event: object as KubeEvent })).filter(({ event }) => ((event.involvedObject ?? (event as { readonly regarding?: { readonly name?: string } }).regarding)?.name ?? "").startsWith(name));
  return {
    events: (name) => events(name).map(({ event }) => `${event.reason}: ${event.message ?? (event as { readonly note?: string }).note}`),
    reasons: (name) => events(name).map(({ event }) => event.reason ?? ""),
    eventAt: (name, reason) => events(name).find(({ event }) => event.reason === reason)?.at ?? Number.NaN,
    last: (key) => revisions.filter((revision) => revision.key === key).at(-1)?.object as KubeObject | undefined,
    all: (key) => revisions.filter((revision) => revision.key === key).map(({ at, object }) => ({ at: at / S, object: object as KubeObject | undefined })),
    keys: (prefix) => [...new Set(revisions.filter(({ key }) => key.startsWith(prefix)).map(({ key }) => key))],
    rows: (name) => look.map((at) => {
      const table = commands.find((command) => command.at === at * S && command.argv[1] === "pods" && command.argv.length === 2)?.text ?? "";
      const row = table.split("\n").find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}-`));
      return row === undefined ? "" : row.split(/ {2,}/).slice(1, 4).join(" ").replace(/ \(.*/, "");
    }),
    printed: (...argv) => commands.filter((command) => argv.every((word, i) => command.argv[i] === word)).at(-1)?.text ?? "",
  };
}
