import { etcdKey, resourceForKind } from "../sim/api/schema/resources.ts";
import { expandInputs, resolveInput } from "../sim/faults/resolve.ts";
import type { Component, Ctx, Level, Message, Protocol } from "../sim/kernel/types.ts";
import type { Revision } from "../trace/model.ts";
import { findWorld } from "../sim/scenarios/custom-world.ts";
import { settle } from "../sim/scenarios/settle.ts";
import type { Cluster } from "./backend.ts";
import type { RunRecipe } from "./protocol.ts";

// Dev only, until the real cluster is assembled: messages that follow a list, so that the page has something to draw.
type Row = [from: string, to: string, us: number, protocol: Protocol, verb: string, level: Level, text: string, status: string, extra?: Partial<{ pod: object; note: Level; data: object; kind: "gate" | "decision"; log: string; why: string }>];
const N = "worker-node-03";
const pod = (status: object, nodeName?: string): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "nginx", namespace: "default", uid: "u1" }, spec: { nodeName, containers: [{ name: "nginx", image: "nginx:1.27" }] }, status });
const cond = (...types: string[]): object[] => types.map((type) => ({ type, status: "True" }));
const write = (us: number, obj: object, verb: string): Row[] => [
  ["kube-apiserver", "etcd-0", us, "gRPC", "Txn", "basic", `etcd-0 proposes the write (${verb}).`, "proposing"],
  ["etcd-0", "etcd-1", 150, "raft", "MsgApp", "operator", "etcd-1 appends the entry to its log.", "appending"],
  ["etcd-1", "etcd-0", 150, "raft", "MsgAppResp", "basic", "etcd-0 commits: two of three members have the entry.", "leader, commit 1042", { pod: obj, why: "A majority has it on disk, so it can not be lost." }],
  ["etcd-0", "kube-apiserver", 100, "gRPC", "Txn OK", "basic", "kube-apiserver learns that the object is stored.", "idle"],
];
const SCRIPT: Row[] = [
  ["kubectl", "kube-apiserver", 120, "HTTPS", "GET", "basic", "kube-apiserver looks for pod/nginx: 404.", "GET pod/nginx"],
  ["kube-apiserver", "kubectl", 120, "HTTPS", "404", "operator", "kubectl sees that the Pod is new.", "creating"],
  ["kubectl", "kube-apiserver", 300, "HTTPS", "POST", "basic", "kube-apiserver authenticates the request as kubernetes-admin.", "authentication", { kind: "gate", data: { gate: "authentication", outcome: "pass" } }],
  ...["audit", "priority and fairness", "authorization", "decoding", "mutating admission", "validation", "validating admission"].map((gate): Row => ["kube-apiserver", "kube-apiserver", 140, "local", gate, "operator", `kube-apiserver lets the request through ${gate}.`, gate, { kind: "gate", data: { gate, outcome: "pass" } }]),
  ...write(200, pod({ phase: "Pending" }), "create"),
  ["kube-apiserver", "kubectl", 120, "HTTPS", "201", "basic", "kubectl prints pod/nginx created.", "idle", { log: "pod/nginx created\n" }],
  ["kube-apiserver", "kube-scheduler", 250, "watch", "ADDED", "basic", "kube-scheduler sees a Pod without a node and queues it.", "1 in activeQ", { why: "The scheduler watches Pods; nobody calls it." }],
  ["kube-scheduler", "kube-scheduler", 900, "local", "filter", "basic", "kube-scheduler filters ten nodes: three can run default/nginx.", "filtering default/nginx, 3 nodes left", { kind: "decision" }],
  ["kube-scheduler", "kube-scheduler", 700, "local", "score", "basic", "kube-scheduler scores three nodes: worker-node-03 wins with 659.", "scoring default/nginx", { kind: "decision" }],
  ["kube-scheduler", "kube-apiserver", 180, "HTTPS", "POST binding", "basic", "kube-apiserver takes the Binding to worker-node-03.", "binding"],
  ...write(200, pod({ phase: "Pending", conditions: cond("PodScheduled") }, N), "bind"),
  ["kube-apiserver", `kubelet@${N}`, 300, "watch", "ADDED", "basic", "The kubelet of worker-node-03 sees a Pod for its node.", "syncing default/nginx"],
  [`kubelet@${N}`, `kubelet@${N}`, 300000, "local", "mount", "basic", "The kubelet has mounted the service-account token.", "volumes mounted", { why: "Its volume manager works in rounds of 100 and 300 ms." }],
  [`kubelet@${N}`, `containerd@${N}`, 60, "gRPC", "RunPodSandbox", "basic", "containerd makes the Pod's sandbox.", "RunPodSandbox"],
  [`containerd@${N}`, `cni@${N}`, 900, "exec", "ADD", "basic", "The CNI plugin gives the Pod an address and a veth pair.", "ADD default/nginx"],
  [`cni@${N}`, `containerd@${N}`, 90000, "exec", "OK", "operator", "containerd has a network for the sandbox.", "sandbox ready"],
  [`containerd@${N}`, "registry", 12000, "HTTPS", "GET manifest", "operator", "The registry answers with the image's manifest.", "serving nginx"],
  ["registry", `containerd@${N}`, 400000, "HTTPS", "layers", "basic", "containerd has pulled nginx:1.27.", "image ready", { pod: pod({ phase: "Pending", conditions: cond("PodScheduled", "PodReadyToStartContainers") }, N) }],
  [`containerd@${N}`, `process@${N}`, 55000, "syscall", "clone", "basic", "The container's process starts as PID 1.", "nginx running"],
  [`containerd@${N}`, `kubelet@${N}`, 60, "gRPC", "OK", "operator", "The kubelet sees the container running.", "updating status"],
  [`kubelet@${N}`, "kube-apiserver", 150, "HTTPS", "PATCH status", "basic", "kube-apiserver takes the Pod's status: Running.", "PATCH status"],
  ...write(200, pod({ phase: "Running", podIP: "10.244.3.5", containerStatuses: [{ name: "nginx", ready: false, state: { running: {} }, restartCount: 0 }], conditions: cond("PodScheduled") }, N), "status"),
  [`kubelet@${N}`, `process@${N}`, 40, "HTTP", "GET /", "basic", "nginx answers the readiness probe with 200.", "200 OK"],
  [`process@${N}`, `kubelet@${N}`, 40, "HTTP", "200", "operator", "The kubelet counts one success of readiness.", "ready"],
  [`kubelet@${N}`, "kube-apiserver", 150, "HTTPS", "PATCH status", "basic", "kube-apiserver takes the Pod's status: Ready.", "PATCH status"],
  ...write(200, pod({ phase: "Running", podIP: "10.244.3.5", containerStatuses: [{ name: "nginx", ready: true, state: { running: {} }, restartCount: 0 }], conditions: cond("PodScheduled", "Ready") }, N), "status"),
  ["kube-apiserver", "endpointslice-controller", 250, "watch", "MODIFIED", "basic", "The EndpointSlice controller adds the ready address.", "syncing default/nginx"],
  ["endpointslice-controller", "kube-apiserver", 150, "HTTPS", "PUT slice", "operator", "kube-apiserver stores the EndpointSlice.", "PUT"],
  ["kube-apiserver", `kube-proxy@${N}`, 250, "watch", "MODIFIED", "basic", "kube-proxy writes rules for the Service's address.", "syncing rules"],
  [`kube-proxy@${N}`, `netfilter@${N}`, 2000, "netlink", "nft -f", "basic", "The node's kernel now sends the Service's traffic to the Pod.", "3 rules"],
  ["users", `netfilter@${N}`, 12000, "TCP", "GET /", "basic", "A request for the Service arrives at the node.", "1 request"],
  [`netfilter@${N}`, `process@${N}`, 40, "HTTP", "GET /", "basic", "nginx answers a user's request.", "200 OK"],
  [`process@${N}`, "users", 12000, "HTTP", "200", "basic", "The user gets the page.", "1 answer"],
];

interface Step extends Message { readonly row: number }

function explain(ctx: Ctx, row: Row): void {
  const [, , , , , level, text, status, extra] = row;
  const object = extra?.pod;
  ctx.explain({
    text, status, level: extra?.note ?? level, subject: "pod/default/nginx", ...(extra?.why ? { why: extra.why } : {}),
    ...(extra?.kind ? { kind: extra.kind } : {}),
    ...(extra?.data ? { data: extra.data } : {}),
    ...(object ? { kind: "revision" as const, revision: { revision: 1042, key: "/registry/pods/default/nginx", verb: "update", object } satisfies Revision } : {}),
  });
  if (extra?.log !== undefined) ctx.explain({ text: "kubectl prints.", kind: "output", log: { source: "stdout", line: extra.log }, data: { session: 1, exitCode: 0 } });
}

function fake(id: string, machine: string): Component<{ readonly handled: number }> {
  return {
    id, machine,
    init: () => ({ handled: 0 }),
    step(state, message, ctx) {
      if (message.type === "start") {
        if (id.startsWith("kubelet@")) ctx.after(10_000_000, { type: "lease" });
        return state;
      }
      if (message.type === "lease") {
        ctx.send("kube-apiserver", { type: "noop" }, { protocol: "HTTPS", latency: 300, verb: "PUT lease", level: "source" });
        ctx.after(10_000_000, { type: "lease" });
        return state;
      }
      if (message.type === "noop" || message.type === "fault") return state;
      let row = 0;
      if (message.type === "row") {
        row = (message as Step).row + 1;
        const done = SCRIPT[row - 1];
        if (done) explain(ctx, done);
      } else ctx.explain({ text: "kubectl reads nginx.yaml and turns it into JSON.", status: "apply -f nginx.yaml", level: "basic" });
      const next = SCRIPT[row];
      if (next && next[0] === id) ctx.send(next[1], { type: "row", row } as Step, { protocol: next[3], latency: next[2], verb: next[4], level: next[5], subject: "pod/default/nginx" });
      else if (next) ctx.send(next[0], { type: "poke", row } as Step, { protocol: "local", latency: 0, verb: "poke", level: "source" });
      return { handled: state.handled + 1 };
    },
  };
}

/** Pokes pass the turn to the sender of the next row. */
function withPokes(component: Component<{ readonly handled: number }>): Component<{ readonly handled: number }> {
  return { ...component, step(state, message, ctx) {
    if (message.type !== "poke") return component.step(state, message, ctx);
    const { row } = message as Step;
    const next = SCRIPT[row];
    if (next) ctx.send(next[1], { type: "row", row } as Step, { protocol: next[3], latency: next[2], verb: next[4], level: next[5], subject: "pod/default/nginx" });
    return state;
  } };
}

export function createCluster(recipe: RunRecipe): Cluster {
  const world = settle(findWorld(recipe.world), recipe.seed, () => []);
  const ids = ["kubectl", "kube-apiserver", "etcd-0", "etcd-1", "etcd-2", "kube-scheduler", "deployment-controller", "replicaset-controller", "endpointslice-controller", "node-lifecycle-controller", "garbage-collector", "registry", "coredns", "users", "webhook"];
  const components = [
    ...ids.map((id) => fake(id, id.startsWith("etcd") ? id : "cp")),
    ...world.nodes.flatMap((node) => ["kubelet", "containerd", "cni", "process", "kube-proxy", "netfilter"].map((kind) => fake(`${kind}@${node.name}`, node.name))),
  ].map(withPokes) as Component[];
  const base = world.objects.flatMap((object): Revision[] => {
    const resource = resourceForKind(object.apiVersion, object.kind);
    return resource ? [{ revision: 1, key: etcdKey(resource, object.metadata.namespace, object.metadata.name ?? ""), verb: "create", object }] : [];
  });
  return { config: { seed: recipe.seed, profile: recipe.profile, components, latencies: {}, resolve: resolveInput }, inputs: expandInputs(recipe.inputs), base };
}
