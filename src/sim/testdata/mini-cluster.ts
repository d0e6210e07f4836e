import type { WatchSpec } from "../api/http.ts";
import type { KubeObject } from "../api/types.ts";
import type { World } from "../api/world.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { Action, Component, Input } from "../kernel/types.ts";
import { LATENCIES } from "../latencies/registry.ts";
import { createFakeApiServer, type FakeApiConfig, type FakeApiState, type FakeWrite } from "./fake-apiserver.ts";

export interface MiniInput extends Input {
  readonly actions: readonly Action[];
}

export const at = (seconds: number, ...actions: Action[]): MiniInput => ({ at: Math.round(seconds * 1_000_000), type: "test", actions });

/** A user's request that needs no answer. */
export const write = (method: FakeWrite["method"], path: string, body?: unknown): Action => ({ type: "deliver", to: "kube-apiserver", verb: method, message: { type: "fake.write", method, path, ...(body === undefined ? {} : { body }) } as FakeWrite });

export const nodeObject = (name: string, zone = "z1", extra: Partial<KubeObject> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, uid: `uid-${name}`, resourceVersion: "1", creationTimestamp: "2025-12-01T00:00:00Z", labels: { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone } },
  spec: {},
  status: { conditions: ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({ type, status: type === "Ready" ? "True" : "False", lastHeartbeatTime: "2026-01-01T00:00:00Z", lastTransitionTime: "2025-12-01T00:00:00Z" })) },
  ...extra,
});

export function miniWorld(objects: readonly KubeObject[], watches: readonly WatchSpec[]): World {
  const nodes = objects.filter((object) => object.kind === "Node").map((object, index) => ({ name: object.metadata.name ?? "", podCIDR: `10.244.${index}.0/24`, address: `192.168.50.${10 + index}`, index }));
  return { name: "mini", seed: 1, objects, resourceVersion: "1000", nodes, watches, clusterDomain: "cluster.local", serviceCIDR: "10.96.0.0/12", podCIDR: "10.244.0.0/16", dnsServiceIP: "10.96.0.10" };
}

export interface MiniCluster {
  readonly sim: Simulation;
  /** Objects of a kind in the fake API server now, in key order. */
  list<T extends KubeObject>(kind: string): readonly T[];
  requests(pattern: RegExp): readonly string[];
  /** "at seconds, text" of notes that match. */
  notes(pattern: RegExp): readonly string[];
  /** The text of Events, by reason. */
  events(): readonly string[];
}

/** Components under test around the fake API server, with inputs in order of time. */
export function miniCluster(components: (world: World) => readonly Component[], watches: readonly WatchSpec[], objects: readonly KubeObject[], inputs: readonly MiniInput[], config: Partial<FakeApiConfig> = {}): MiniCluster {
  const world = miniWorld(objects, watches);
  const sim = Simulation.create({ seed: 1, profile: "quiet", components: [createFakeApiServer({ ...config, objects, watches }) as Component, ...components(world)], latencies: LATENCIES, resolve: (input) => (input as MiniInput).actions }, inputs);
  const server = (): FakeApiState => sim.stateAt("kube-apiserver", sim.now) as FakeApiState;
  const list = <T extends KubeObject>(kind: string): readonly T[] => server().objects.sorted().map((entry) => entry[1]).filter((object) => object.kind === kind) as unknown as readonly T[];
  return {
    sim,
    list,
    requests: (pattern) => server().requests.filter((request) => pattern.test(request)),
    notes: (pattern) => {
      const found: string[] = [];
      for (let i = 0; i < sim.trace.noteCount; i++) {
        const text = sim.trace.strings.text(sim.trace.notes.text.get(i));
        if (pattern.test(text)) found.push(`${(sim.trace.notes.at.get(i) / 1_000_000).toFixed(3)} ${text}`);
      }
      return found;
    },
    events: () => [...list("Event")].sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion)).map((event) => `${(event as unknown as { reason: string }).reason}: ${(event as unknown as { message: string }).message}`),
  };
}
