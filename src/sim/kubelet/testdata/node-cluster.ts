import type { HttpRequest, HttpResponse, WatchEventMessage } from "../../api/http.ts";
import { objectKey, streamOf } from "../../api/http.ts";
import { rfc3339 } from "../../api/time.ts";
import type { Condition, KubeEvent, KubeObject, Pod, PodStatus } from "../../api/types.ts";
import type { World, WorldNode } from "../../api/world.ts";
import { createCni } from "../../cni/component.ts";
import { createContainerd } from "../../cri/component.ts";
import { Simulation } from "../../kernel/simulation.ts";
import type { Component, Ctx, Input, Message } from "../../kernel/types.ts";
import { LATENCIES } from "../../latencies/registry.ts";
import { createProcess } from "../../process/component.ts";
import { createRegistry } from "../../registry/component.ts";
import { createKubelet, kubeletWatches } from "../component.ts";
import { settledPods } from "../settled-pods.ts";

/** One node and a stand-in API server that keeps Pods and what was written to it. For tests of the node alone. */
export interface FakeApiState {
  readonly pods: Readonly<Record<string, Pod>>;
  readonly objects: Readonly<Record<string, KubeObject>>;
  readonly events: readonly { readonly at: number; readonly reason: string; readonly message: string; readonly count: number }[];
  readonly named: Readonly<Record<string, number>>;
  readonly writes: readonly { readonly at: number; readonly verb: string; readonly pod: Pod }[];
  readonly revision: number;
}

export const NODE: WorldNode = { name: "n1", podCIDR: "10.244.1.0/24", address: "192.168.50.11", index: 0 };
const UID = "11111111-2222-4333-8444-555555555555";

export function testWorld(objects: readonly KubeObject[] = [], images: readonly string[] = ["docker.io/library/nginx:1.27", "docker.io/library/busybox:1.36"]): World {
  const node = {
    apiVersion: "v1", kind: "Node", metadata: { name: NODE.name, uid: "node-uid", resourceVersion: "1" },
    status: { capacity: { cpu: "4", memory: "8Gi", pods: "110" }, allocatable: { cpu: "4", memory: "8Gi", pods: "110" }, conditions: [{ type: "Ready", status: "True" }], images: images.map((name) => ({ names: [name], sizeBytes: 1_037_220 })) },
  } as KubeObject;
  return { name: "test", seed: 7, objects: [node, ...objects], resourceVersion: "10", nodes: [NODE], watches: [], clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };
}

export function testPod(spec: Partial<Pod["spec"]>, name = "p"): Pod {
  return {
    apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: name === "p" ? UID : `${UID.slice(0, -1)}${name.length}`, generation: 1, resourceVersion: "11" },
    spec: {
      nodeName: NODE.name, restartPolicy: "Always", terminationGracePeriodSeconds: 30, serviceAccountName: "default",
      volumes: [{ name: "kube-api-access-x", projected: { sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 3607 } }, { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } }] } }],
      containers: [], ...spec,
    },
    status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "True", lastTransitionTime: rfc3339(0) }] },
  };
}

function mergeStatus(old: PodStatus | undefined, patch: Readonly<Record<string, unknown>>): PodStatus {
  const next: Record<string, unknown> = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith("$")) continue;
    if (value === null) delete next[key];
    else if (key !== "conditions") next[key] = value;
  }
  let conditions = [...(old?.conditions ?? [])];
  for (const change of (patch["conditions"] ?? []) as readonly (Condition & { $patch?: string })[]) {
    const before = conditions.find((entry) => entry.type === change.type);
    const merged = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)) as unknown as Condition;
    conditions = before ? conditions.map((entry) => (entry === before ? merged : entry)) : [...conditions, merged];
  }
  const order = (patch["$setElementOrder/conditions"] ?? []) as readonly { type: string }[];
  if (order.length > 0) conditions.sort((a, b) => order.findIndex((entry) => entry.type === a.type) - order.findIndex((entry) => entry.type === b.type));
  return { ...next, conditions } as PodStatus;
}

const API_TIME = 2_500;

class Fake {
  s: FakeApiState;
  readonly ctx: Ctx;
  constructor(s: FakeApiState, ctx: Ctx) {
    this.s = s;
    this.ctx = ctx;
  }

  store(pod: Pod, verb: string, type: "ADDED" | "MODIFIED" | "DELETED"): Pod {
    const stored: Pod = { ...pod, metadata: { ...pod.metadata, resourceVersion: String(this.s.revision + 1) } };
    const pods = { ...this.s.pods, [objectKey(pod)]: stored };
    if (type === "DELETED") delete (pods as Record<string, Pod>)[objectKey(pod)];
    this.s = { ...this.s, pods, revision: this.s.revision + 1, writes: [...this.s.writes, { at: this.ctx.now, verb, pod: stored }] };
    const watch = kubeletWatches({} as World, NODE)[0];
    if (watch) this.ctx.send(`kubelet@${NODE.name}`, { type: "watch.event", stream: streamOf(watch), event: { type, object: stored } } satisfies WatchEventMessage, { protocol: "watch", latency: 250 + API_TIME, verb: type });
    return stored;
  }

  answer(status: number, body?: unknown): void {
    this.ctx.send(this.ctx.from, { type: "http.response", request: this.ctx.mail, status, body } satisfies HttpResponse, { protocol: "HTTPS", latency: API_TIME, verb: "answer", status });
  }

  request(r: HttpRequest): void {
    const pod = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)(\/status)?$/.exec(r.path);
    if (pod) return this.pod(r, this.s.pods[`${pod[1]}/${pod[2]}`]);
    if (r.path.includes("/events")) return this.event(r);
    if (r.path.endsWith("/token")) return this.answer(201, { status: { token: "t" } });
    const object = /\/namespaces\/([^/]+)\/(configmaps|secrets)\/([^/]+)$/.exec(r.path);
    if (object) {
      const found = this.s.objects[`${object[2]}/${object[1]}/${object[3]}`];
      return found ? this.answer(200, found) : this.answer(404, {});
    }
    this.answer(200, r.body ?? {});
  }

  private pod(r: HttpRequest, pod: Pod | undefined): void {
    if (!pod) return this.answer(404, {});
    if (r.method === "GET") return this.answer(200, pod);
    if (r.method === "PATCH") return this.answer(200, this.store({ ...pod, status: mergeStatus(pod.status, (r.body as { status: Record<string, unknown> }).status) }, "PATCH", "MODIFIED"));
    this.store(pod, "DELETE", "DELETED");
    this.answer(200, pod);
  }

  private event(r: HttpRequest): void {
    const body = r.body as KubeEvent;
    const name = r.method === "POST" ? (body.metadata.name ?? "") : (r.path.split("/").pop() ?? "");
    const index = this.s.named[`e:${name}`] ?? this.s.events.length;
    const before = this.s.events[index];
    const event = { at: this.ctx.now, reason: body.reason ?? before?.reason ?? "", message: body.message ?? before?.message ?? "", count: body.count ?? 1 };
    this.s = { ...this.s, events: [...this.s.events, event], named: { ...this.s.named, [`e:${name}`]: index } };
    this.answer(r.method === "POST" ? 201 : 200, body);
  }
}

function fakeApi(objects: readonly KubeObject[]): Component<FakeApiState> {
  const kinds: Readonly<Record<string, string>> = { ConfigMap: "configmaps", Secret: "secrets" };
  const entries = [...objects, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kube-root-ca.crt", namespace: "default" }, data: { "ca.crt": "ca" } } as KubeObject].map((object) => [`${kinds[object.kind] ?? object.kind}/${object.metadata.namespace}/${object.metadata.name}`, object] as const);
  return {
    id: "kube-apiserver",
    machine: "cp",
    init: () => ({ pods: {}, objects: Object.fromEntries(entries), events: [], named: {}, writes: [], revision: 100 }),
    step(state, message, ctx) {
      const fake = new Fake(state, ctx);
      if (message.type === "http.request") fake.request(message as HttpRequest);
      if (message.type === "test.create") fake.store((message as unknown as { pod: Pod }).pod, "CREATE", "ADDED");
      if (message.type === "test.delete") {
        const { key, grace } = message as unknown as { key: string; grace: number };
        const pod = fake.s.pods[key];
        if (pod) fake.store({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: rfc3339(ctx.now + grace * 1_000_000), deletionGracePeriodSeconds: grace } }, "DELETE?", "MODIFIED");
      }
      if (message.type === "test.object") {
        const { key, object } = message as unknown as { key: string; object: KubeObject };
        fake.s = { ...fake.s, objects: { ...fake.s.objects, [key]: object } };
      }
      return fake.s;
    },
  };
}

export interface TestInput extends Input {
  readonly to: string;
  readonly message: Message;
}
export const create = (at: number, pod: Pod): TestInput => ({ at, type: "create", to: "kube-apiserver", message: { type: "test.create", pod } as Message });
export const remove = (at: number, key: string, grace = 30): TestInput => ({ at, type: "delete", to: "kube-apiserver", message: { type: "test.delete", key, grace } as Message });

/** Runs the node with the inputs until `until` (microseconds). */
export function runNode(inputs: readonly TestInput[], until: number, options: { readonly objects?: readonly KubeObject[]; readonly world?: World; readonly images?: Readonly<Record<string, Readonly<Record<string, string>>>>; readonly node?: WorldNode } = {}): { sim: Simulation; api: FakeApiState } {
  const world = options.world ?? testWorld();
  const config = { world, node: options.node ?? NODE };
  const peers = ["coredns", `netfilter@${config.node.name}`].map((id): Component<null> => ({ id, machine: config.node.name, init: () => null, step: (state) => state }));
  const sim = Simulation.create(
    {
      seed: 7, profile: "quiet", latencies: LATENCIES,
      components: [fakeApi(options.objects ?? []), createKubelet(config), createContainerd({ ...config, settled: settledPods(config) }), createCni(config), createProcess({ ...config, ...(options.images ? { imageFiles: options.images } : {}) }), createRegistry(), ...peers],
      resolve: (input) => [{ type: "deliver", to: (input as TestInput).to, message: (input as TestInput).message, verb: input.type }],
    },
    inputs,
  );
  sim.run(until);
  return { sim, api: sim.stateAt("kube-apiserver", until) as FakeApiState };
}
