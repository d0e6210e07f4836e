// Three etcd members and a client that asks what a test tells it, on the kernel alone.
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { createEtcdMember } from "../etcd/member.ts";
import type { MemberState } from "../etcd/member-state.ts";
import type { EtcdClientMessage, EtcdTxnResponse } from "../etcd/messages.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Action, Component, Input, Message } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";

export const MEMBERS: readonly string[] = ["etcd-0", "etcd-1", "etcd-2"];
export const pod = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", resourceVersion: "100" } });
export const etcdWorld: World = { name: "t", seed: 1, objects: [pod("old")], resourceVersion: "100", nodes: [], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };

interface Answered {
  readonly at: number;
  readonly asked: number;
  readonly what: Message | undefined;
  readonly message: EtcdClientMessage;
}
interface ClientState {
  readonly asked: Readonly<Record<string, { readonly at: number; readonly what: Message }>>;
  readonly got: readonly Answered[];
}
type Ask = Message & { readonly type: "ask"; readonly member: string; readonly what: Message };
/** What a test does: asks a member something, or acts on the world. */
export type Op = Input & ({ readonly do: "ask"; readonly member: string; readonly what: Message } | { readonly do: "act"; readonly actions: readonly Action[] });

const client: Component<ClientState> = {
  id: "client", machine: "m", init: () => ({ asked: {}, got: [] }),
  step(state, message, ctx) {
    if (message.type === "ask") {
      const ask = message as Ask;
      const id = ctx.send(ask.member, ask.what, { protocol: "gRPC", latency: 100, verb: "x" });
      return { ...state, asked: { ...state.asked, [`m${id}`]: { at: ctx.now, what: ask.what } } };
    }
    if (message.type === "start") return state;
    const asked = state.asked[`m${(message as EtcdTxnResponse).request}`];
    return { ...state, got: [...state.got, { at: ctx.now, asked: asked?.at ?? -1, what: asked?.what, message: message as EtcdClientMessage }] };
  },
};

/** Runs three members from time 0 until `until` (microseconds). */
export function runEtcd(ops: readonly Op[], until: number, seed = 1, profile: "quiet" | "busy" = "quiet"): Simulation {
  const sim = Simulation.create({
    seed, profile, latencies: LATENCIES,
    components: [client, ...MEMBERS.map((id) => createEtcdMember({ world: etcdWorld, id, peers: MEMBERS }))],
    resolve: (input): readonly Action[] => {
      const op = input as Op;
      return op.do === "act" ? op.actions : [{ type: "deliver", to: "client", message: { type: "ask", member: op.member, what: op.what } as Ask, verb: "ask" }];
    },
  }, ops);
  sim.run(until);
  return sim;
}

const ask = (at: number, member: string, what: Message): Op => ({ at, type: "op", do: "ask", member, what });
export const act = (at: number, ...actions: readonly Action[]): Op => ({ at, type: "op", do: "act", actions });
export const put = (at: number, name: string, member = "etcd-0", modRevision = 0): Op => ask(at, member, { type: "etcd.txn.request", key: `/registry/pods/default/${name}`, modRevision, value: pod(name), subject: `pod/default/${name}`, level: "basic" } as Message);
export const get = (at: number, key: string, member = "etcd-0"): Op => ask(at, member, { type: "etcd.range.request", key } as Message);
export const watch = (at: number, startRevision: number, member = "etcd-0"): Op => ask(at, member, { type: "etcd.watch.request", watches: [{ id: "pods", prefix: "/registry/pods/", startRevision }] } as Message);
export const stop = (at: number, component: string, how: "process" | "machine" = "process"): Op => act(at, { type: "stop", component, how });
export const start = (at: number, component: string): Op => act(at, { type: "start", component });
export const memberAt = (sim: Simulation, id: string): MemberState => sim.stateAt(id, sim.now) as MemberState;
/** Every answer that the client has had, in order. */
export const answers = (sim: Simulation): readonly Answered[] => (sim.stateAt("client", sim.now) as ClientState).got;
export const keysOf = (sim: Simulation, id: string): string[] => memberAt(sim, id).store.keys.keys().sort();
