import type { HttpRequest } from "../../api/http.ts";
import type { KubeEvent, KubeObject, Pod } from "../../api/types.ts";
import type { World } from "../../api/world.ts";
import type { Component, Message } from "../../kernel/types.ts";
import { type FakeCtx, fakeCtx, type Sent } from "../../testdata/fake-ctx.ts";
import { loadConfig } from "../config/load.ts";
import { createScheduler } from "../scheduler.ts";
import type { SchedulerState } from "../scheduler-state.ts";

/** As the API server keeps it. */
export function stored<T extends KubeObject>(object: T, resourceVersion: string, namespaced = true): T {
  return { ...object, metadata: { uid: `uid-${object.kind}-${object.metadata.name}`, ...(namespaced ? { namespace: "default" } : {}), ...object.metadata, resourceVersion } };
}

export const worldOf = (objects: readonly KubeObject[]): World => ({
  name: "test", seed: 1, objects, resourceVersion: "10", nodes: [], watches: [],
  clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10",
});

/** A scheduler whose API server is the test: requests are read, answered, and the watch told by hand. */
export class Rig {
  readonly ctx: FakeCtx = fakeCtx(1, "kube-scheduler");
  readonly component: Component<SchedulerState>;
  state: SchedulerState;

  constructor(w: World, config: string | undefined = undefined) {
    this.component = createScheduler({ world: w, ...(config === undefined ? {} : { config: loadConfig(config) }) });
    this.state = this.component.init();
    this.step({ type: "start", cold: false } as Message);
  }

  step(message: Message): void {
    this.state = this.component.step(this.state, message, this.ctx);
  }

  watch(type: string, object: KubeObject): void {
    const stream = `kube-scheduler/${object.kind.toLowerCase()}${object.kind.endsWith("Class") ? "es" : "s"}${object.kind === "Pod" ? "?status.phase!=Succeeded,status.phase!=Failed" : ""}`;
    this.step({ type: "watch.event", stream, event: { type, object } } as Message);
  }

  /** Runs timers until none is left or `until`. */
  run(until = Number.MAX_SAFE_INTEGER): void {
    for (let i = 0; i < 10_000; i += 1) {
      const next = this.ctx.timers.toSorted((a, b) => a.at - b.at || a.id - b.id)[0];
      if (!next || next.at > until) return;
      this.ctx.cancel(next.id);
      this.ctx.now = next.at;
      this.step(next.message);
    }
  }

  requests(method: string, part: string): (Sent & { request: HttpRequest })[] {
    return this.ctx.sent.map((s) => ({ ...s, request: s.message as HttpRequest })).filter(({ request }) => request.method === method && request.path.includes(part));
  }

  answer(request: number, status: number, body: unknown = {}): void {
    this.step({ type: "http.response", request, status, body } as Message);
  }

  /** The notes of the events written so far, oldest first. */
  notes(): string[] {
    return this.requests("POST", "/events").map(({ request }) => (request.body as KubeEvent).note ?? "");
  }

  /** Plays the API server for Bindings: 201, then the watch event with spec.nodeName. */
  bindAll(): void {
    for (const { id, request } of this.requests("POST", "/binding")) {
      const name = request.path.split("/")[6] ?? "";
      this.answer(id, 201);
      const pod = this.state.informers[0]?.store.get(`default/${name}`) as Pod;
      const nodeName = (request.body as { target: { name: string } }).target.name;
      this.watch("MODIFIED", { ...pod, metadata: { ...pod.metadata, resourceVersion: "99" }, spec: { ...pod.spec, nodeName } } as Pod);
    }
  }
}

/** A Pod without a node that asks for so much, of a priority. */
export const asking = (name: string, cpu: string, priority = 0, more: Partial<Pod["spec"]> = {}): Pod =>
  ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "11" }, spec: { priority, schedulerName: "default-scheduler", containers: [{ name: "c", image: "x", resources: { requests: { cpu } } }], ...more } });

export const oneNode = (name = "n1", cpu = "1", labels: Record<string, string> = {}): KubeObject => stored({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec: {}, status: { allocatable: { cpu, memory: "1Gi", pods: "10" } } } as KubeObject, "1", false);
