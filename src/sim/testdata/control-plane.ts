// A control plane of kubectl, API server, webhook and three etcd members, and a client that sends what a test tells it.
import type { HttpRequest, HttpResponse, WatchEventMessage, WatchSpec } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { createEtcdMember } from "../etcd/member.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Action, Component, Input, Message } from "../kernel/types.ts";
import { settledPolicy } from "../kube-apiserver/rbac/bootstrap-policy.ts";
import type { ControllerEntry } from "../kube-controller-manager/registry.ts";
import type { ApiServerState } from "../kube-apiserver/state.ts";
import { createApiServer } from "../kube-apiserver/server.ts";
import { createKubectl } from "../kubectl/kubectl.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createWebhook } from "../webhook/webhook.ts";

const IDS = ["etcd-0", "etcd-1", "etcd-2"];
const settled = (object: KubeObject): KubeObject => ({ ...object, metadata: { uid: `uid-${object.metadata.name}`, resourceVersion: "100", creationTimestamp: "2025-12-01T00:00:00Z", ...object.metadata } });
const WATCHES: readonly WatchSpec[] = [
  { component: "client", resource: "pods", path: "/api/v1/pods" },
  { component: "client", resource: "pods", path: "/api/v1/pods", fieldSelector: "spec.nodeName=n1" },
];
export const world: World = {
  name: "t", seed: 1, resourceVersion: "100", nodes: [{ name: "n1", podCIDR: "10.244.1.0/24", address: "10.0.0.11", index: 0 }], watches: WATCHES, clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10",
  objects: [
    ...["default", "kube-system"].map((name): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } })),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "default" } },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels: { "topology.kubernetes.io/zone": "a" } }, spec: {}, status: {} },
    ...settledPolicy(),
  ].map(settled),
};

export type Call = Partial<HttpRequest> & { readonly path: string; readonly user?: string };
export type Op = Input & ({ readonly do: "http"; readonly call: Call } | { readonly do: "kubectl"; readonly argv: readonly string[]; readonly files: Readonly<Record<string, string>> } | { readonly do: "stop" | "start"; readonly id: string; readonly how?: "process" | "machine" } | { readonly do: "fault"; readonly message: Message });
interface ClientState {
  readonly answers: readonly { readonly at: number; readonly asked: number; readonly response: HttpResponse }[];
  readonly events: readonly { readonly at: number; readonly message: WatchEventMessage }[];
  readonly asked: Readonly<Record<string, number>>;
}

const client: Component<ClientState> = {
  id: "client", machine: "m", init: () => ({ answers: [], events: [], asked: {} }),
  step(state, message, ctx) {
    if (message.type === "call") {
      const { call } = message as Message & { call: Call };
      const { user = "admin", ...rest } = call;
      const groups = user === "admin" ? ["system:masters"] : user.startsWith("system:node:") ? ["system:nodes"] : [];
      const id = ctx.send("kube-apiserver", { method: "GET", headers: { Accept: "application/json", "User-Agent": "test/1", ...(call.method === "PATCH" ? { "Content-Type": "application/strategic-merge-patch+json" } : {}) }, credential: { kind: "client-certificate", name: user, groups }, ...rest, type: "http.request" } as HttpRequest, { protocol: "HTTPS", latency: 120, verb: "x" });
      return { ...state, asked: { ...state.asked, [`m${id}`]: ctx.now + 120 } };
    }
    if (message.type === "http.response") return { ...state, answers: [...state.answers, { at: ctx.now - 120, asked: state.asked[`m${(message as HttpResponse).request}`] ?? -1, response: message as HttpResponse }] };
    if (message.type === "watch.event") return { ...state, events: [...state.events, { at: ctx.now, message: message as WatchEventMessage }] };
    return state;
  },
};

/** What a test puts around the API server besides. */
export interface Around {
  readonly watches: readonly WatchSpec[];
  readonly objects: readonly KubeObject[];
  readonly create: (world: World) => readonly Component[];
}

export function run(ops: readonly Op[], until: number, hashing = false, around: Around = { watches: [], objects: [], create: () => [] }): Simulation {
  const all: World = around.watches.length === 0 ? world : { ...world, watches: [...world.watches, ...around.watches], objects: [...world.objects, ...around.objects.map(settled)] };
  const sim = Simulation.create({
    seed: 1, profile: "quiet", latencies: LATENCIES, hashing,
    components: [client, createKubectl({ world: all }), createApiServer({ world: all }), ...around.create(all), createWebhook(), ...IDS.map((id) => createEtcdMember({ world: all, id, peers: IDS }))],
    resolve: (input): Action[] => {
      const op = input as Op;
      switch (op.do) {
        case "http":
          return [{ type: "deliver", to: "client", message: { type: "call", call: op.call } as Message, verb: "call" }];
        case "kubectl":
          return [{ type: "deliver", to: "kubectl", message: { type: "kubectl.run", argv: op.argv, files: op.files, session: op.at } as Message, verb: "kubectl" }];
        case "fault":
          return [{ type: "deliver", to: "kube-apiserver", message: op.message, verb: "fault" }];
        case "stop":
          return [{ type: "stop", component: op.id, how: op.how ?? "process" }];
        case "start":
          return [{ type: "start", component: op.id }];
      }
    },
  }, [...ops].sort((a, b) => a.at - b.at));
  sim.run(until);
  return sim;
}

/** The accounts of controllers that the bootstrap policy binds. */
const ACCOUNTS: readonly KubeObject[] = world.objects.flatMap((object) => ((object as { readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[] }).subjects ?? []).filter(({ kind, namespace }) => kind === "ServiceAccount" && namespace === "kube-system").map(({ name }) => settled({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "kube-system" } })));

/** The same with some controllers, and with objects that are there at the beginning. */
export function runWith(controllers: readonly ControllerEntry[], ops: readonly Op[], until: number, objects: readonly KubeObject[] = []): Simulation {
  const full = { ...world, objects: [...world.objects, ...objects.map(settled)] };
  return run(ops, until, false, { watches: controllers.flatMap(({ watches }) => watches(full)), objects: [...ACCOUNTS, ...objects], create: (all) => controllers.map(({ create }) => create({ world: all })) });
}

/** What the API server holds now of one kind, in order of names. */
export const stored = (sim: Simulation, kind: string): readonly KubeObject[] => (sim.stateAt("kube-apiserver", sim.now) as ApiServerState).caches.values().flatMap(({ objects }) => objects.sortedValues().filter((object) => object.kind === kind));

/** What a component asked of the API server: "seconds METHOD path status body"; watches and lists apart from those asked for. */
export function requestsOf(sim: Simulation, component: string): readonly { readonly at: number; readonly call: string; readonly status: number; readonly body: unknown; readonly headers: Readonly<Record<string, string>> }[] {
  const statuses = new Map<number, number>();
  sim.trace.payloads.forEach((payload) => {
    const { type, request, status } = (payload ?? {}) as Partial<HttpResponse>;
    if (type === "http.response" && request !== undefined) statuses.set(request, status ?? 0);
  });
  return sim.trace.payloads.flatMap((payload, id) => {
    const request = payload as HttpRequest | undefined;
    const hop = sim.trace.hop(id);
    return request?.type === "http.request" && hop.from === component && request.stream === undefined ? [{ at: hop.sentAt, call: `${request.method} ${request.path}`, status: statuses.get(id) ?? 0, body: request.body, headers: request.headers }] : [];
  });
}

export const http = (at: number, call: Call): Op => ({ at, type: "op", do: "http", call });
export const kubectl = (at: number, command: string, files: Readonly<Record<string, string>> = {}): Op => ({ at, type: "op", do: "kubectl", argv: command.split(" "), files });
export const fault = (at: number, id: string, params: Readonly<Record<string, string>>): Op => ({ at, type: "op", do: "fault", message: { type: "fault", id, on: true, params } as Message });
export const stop = (at: number, id: string, how: "process" | "machine" = "process"): Op => ({ at, type: "op", do: "stop", id, how });
export const start = (at: number, id: string): Op => ({ at, type: "op", do: "start", id });
export const state = (sim: Simulation): ClientState => sim.stateAt("client", sim.now) as ClientState;
export const answers = (sim: Simulation): HttpResponse[] => state(sim).answers.map((a) => a.response);
export const body = (response: HttpResponse | undefined): KubeObject & { message?: string; reason?: string; items?: KubeObject[] } => (response?.body ?? {}) as never;

/** Everything kubectl printed in one session, and its exit code. */
export function printed(sim: Simulation, session: number): { out: string; err: string; code: number | undefined; at: number } {
  let out = "";
  let err = "";
  let code: number | undefined;
  let at = -1;
  const logs = new Map(sim.trace.logNotes.map((note, i) => [note, sim.trace.logs[i]]));
  sim.trace.noteData.forEach((data, note) => {
    const d = data as { session?: number; exitCode?: number } | undefined;
    if (d?.session !== session) return;
    const log = logs.get(note);
    if (log?.source === "stdout") out += log.line;
    if (log?.source === "stderr") err += log.line;
    if (d.exitCode !== undefined) {
      code = d.exitCode;
      at = sim.trace.notes.at.get(note);
    }
  });
  return { out, err, code, at };
}

export const podBody = (name: string, extra: object = {}): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "c", image: "nginx:1.27" }], ...extra } });
export const PODS = "/api/v1/namespaces/default/pods";
/** One second. */
export const T = 1_000_000;
