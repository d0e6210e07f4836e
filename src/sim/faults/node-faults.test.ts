import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { createCluster } from "../cluster.ts";
import type { KubeEvent, KubeObject, Node, Pod } from "../api/types.ts";
import { Simulation } from "../kernel/simulation.ts";
import type { RunInput } from "../scenarios/recipe.ts";

const S = 1_000_000;
const pod = (name: string, spec: object = {}, container: object = {}): object => ({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [{ name: "c", image: "nginx:1.27", ...container }], ...spec } });
const create = (at: number, object: object): RunInput => ({ at, type: "command", argv: ["create", "-f", "o.yaml"], files: { "o.yaml": stringify(object) } });
const kubectl = (at: number, ...argv: string[]): RunInput => ({ at, type: "command", argv, files: {} });
const fault = (at: number, until: number, id: string, params = {}): RunInput => ({ at, type: "fault", id, params, until });

interface Seen {
  /** "reason: message" of a Pod's or the Node's Events, in order. */
  events(name: string): readonly string[];
  /** The object's last stored state; undefined once it is gone. */
  last(key: string): KubeObject | undefined;
  /** Every stored state. */
  all(key: string): readonly KubeObject[];
}

function run(until: number, inputs: readonly RunInput[]): Seen {
  const cluster = createCluster({ world: "one-node", seed: 3, profile: "quiet", inputs });
  const sim = Simulation.create(cluster.config, cluster.inputs);
  sim.run(until);
  const of = (key: string): readonly (KubeObject | undefined)[] => sim.trace.revisions.filter((revision) => revision.key === key).map((revision) => revision.object as KubeObject | undefined);
  return {
    events: (name) => sim.trace.revisions.filter(({ key, verb }) => key.startsWith("/registry/events/") && verb === "create").map(({ object }) => object as KubeEvent & { readonly regarding?: { readonly name?: string }; readonly note?: string }).filter((event) => (event.involvedObject ?? event.regarding)?.name === name).map((event) => `${event.reason}: ${event.message ?? event.note}`),
    last: (key) => of(key).at(-1),
    all: (key) => of(key).filter((object) => object !== undefined),
  };
}

const POD = "/registry/pods/default/p";
const restarts = (object: KubeObject | undefined): number | undefined => (object as Pod | undefined)?.status?.containerStatuses?.[0]?.restartCount;
const readyMessages = (seen: Seen, node: string): readonly string[] => [...new Set((seen.all(`/registry/minions/${node}`) as readonly Node[]).flatMap(({ status }) => status?.conditions?.filter(({ type, status: is }) => type === "Ready" && is !== "True").map(({ message = "" }) => message) ?? []))];
const NODE = createCluster({ world: "one-node", seed: 3, profile: "quiet", inputs: [] }).world.nodes[0]?.name ?? "";

describe("cri.down", () => {
  const inputs = (until: number): readonly RunInput[] => [create(S, pod("p")), fault(5 * S, until, "cri.down"), create(8 * S, pod("new"))];

  it("goes unseen for a quarter of a minute; the container lives, the new Pod starts when the connection is back", () => {
    const seen = run(40 * S, inputs(20 * S));
    expect(restarts(seen.last(POD))).toBe(0);
    expect(readyMessages(seen, NODE)).toEqual([]);
    expect(seen.events("new").map((text) => text.split(":")[0])).toEqual(["Scheduled", "FailedCreatePodSandBox", "Pulled", "Created", "Started"]);
  });

  it("makes the node not ready after half a minute, and ready again", () => {
    const seen = run(100 * S, inputs(60 * S));
    expect(readyMessages(seen, NODE)).toEqual(["container runtime is down"]);
    expect((seen.last("/registry/pods/default/new") as Pod).status?.phase).toBe("Running");
    expect(restarts(seen.last(POD))).toBe(0);
  });

  it("learns of an end that happened meanwhile from the shim, with its exit code", () => {
    const seen = run(30 * S, [create(S, pod("p", { restartPolicy: "Never" }, { image: "busybox:1.36", command: ["sh", "-c", "sleep 8; exit 3"] })), fault(5 * S, 20 * S, "cri.down")]);
    expect((seen.last(POD) as Pod).status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
  });
});

describe("cni.not-ready", () => {
  const seen = run(80 * S, [create(S, pod("p")), fault(5 * S, 45 * S, "cni.not-ready"), create(6 * S, pod("new")), create(6 * S, pod("host", { hostNetwork: true, tolerations: [{ operator: "Exists" }] }))]);

  it("holds back what needs an address, and nothing else", () => {
    expect(seen.events("new").map((text) => text.split(":")[0])).toEqual(["Scheduled", "NetworkNotReady", "Pulled", "Created", "Started"]);
    expect(seen.events("host").map((text) => text.split(":")[0])).toEqual(["Scheduled", "Pulled", "Created", "Started"]);
  });

  it("tells the reason by the node's condition", () => {
    expect(readyMessages(seen, NODE)).toEqual(["container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"]);
  });
});

describe("kubelet.stopped", () => {
  it("leaves containers alone; a ready Pod is not ready until its first probe after a short stop", () => {
    const seen = run(30 * S, [create(S, pod("p", {}, { readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 2 } })), fault(6 * S, 7 * S, "kubelet.stopped")]);
    const ready = (seen.all(POD) as readonly Pod[]).map(({ status }) => status?.conditions?.find(({ type }) => type === "Ready")?.status).filter((status, i, all) => status !== undefined && status !== all[i - 1]);
    expect(ready).toEqual(["False", "True", "False", "True"]);
    expect(restarts(seen.last(POD))).toBe(0);
  });

  it("ends what was deleted meanwhile", () => {
    const seen = run(30 * S, [create(S, pod("p")), fault(6 * S, 15 * S, "kubelet.stopped"), kubectl(8 * S, "delete", "pod", "p", "--wait=false")]);
    expect(seen.last(POD)).toBeUndefined();
  });
});

describe("kubelet.static-pod", () => {
  const MIRROR = `/registry/pods/default/s-${NODE}`;
  const manifest = stringify(pod("s", { terminationGracePeriodSeconds: 3 }));
  const file = (at: number, until: number): RunInput => fault(at, until, "kubelet.static-pod", { path: "/etc/kubernetes/manifests/s.yaml", manifest });

  it("runs, is mirrored with the node as owner, and goes with its file", () => {
    const seen = run(30 * S, [file(S, 20 * S)]);
    const [first] = seen.all(MIRROR) as readonly Pod[];
    expect(first?.metadata.ownerReferences?.[0]).toMatchObject({ kind: "Node", name: NODE, controller: true });
    expect(first?.metadata.annotations?.["kubernetes.io/config.mirror"]).toBe(first?.metadata.annotations?.["kubernetes.io/config.hash"]);
    expect(seen.events(`s-${NODE}`).map((text) => text.split(":")[0])).toEqual(["Pulled", "Created", "Started", "Killing"]);
    expect(seen.last(MIRROR)).toBeUndefined();
  });

  it("comes back when its mirror is deleted: nothing is restarted", () => {
    const seen = run(30 * S, [file(S, 100 * S), kubectl(10 * S, "delete", "pod", `s-${NODE}`, "--wait=false")]);
    expect(new Set(seen.all(MIRROR).map(({ metadata }) => metadata.uid)).size).toBe(2);
    expect((seen.last(MIRROR) as Pod).status?.phase).toBe("Running");
    expect(seen.events(`s-${NODE}`).filter((text) => text.startsWith("Started"))).toHaveLength(1);
  });

  it("survives a restart of the kubelet", () => {
    const seen = run(30 * S, [file(S, 100 * S), fault(10 * S, 12 * S, "kubelet.stopped")]);
    expect((seen.last(MIRROR) as Pod).status?.phase).toBe("Running");
    expect(restarts(seen.last(MIRROR))).toBe(0);
  });
});

describe("in-place resize", () => {
  const patch = (at: number, resources: object): RunInput => kubectl(at, "patch", "pod", "p", "--subresource=resize", "-p", JSON.stringify({ spec: { containers: [{ name: "c", resources }] } }));
  const conditionsOf = (seen: Seen): readonly string[] => [...new Set((seen.all(POD) as readonly Pod[]).flatMap(({ status }) => status?.conditions?.filter(({ type }) => type.startsWith("PodResize")).map(({ type, reason }) => `${type} ${reason ?? ""}`) ?? []))];

  it.each([
    { name: "is written into the cgroup without a restart", container: { resources: { requests: { cpu: "50m" }, limits: { cpu: "100m" } } }, to: { requests: { cpu: "80m" }, limits: { cpu: "200m" } }, events: ["ResizeStarted", "ResizeCompleted"], restarts: 0, conditions: ["PodResizeInProgress "] },
    { name: "restarts the container where its policy says so", container: { resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }], resources: { requests: { memory: "32Mi" } } }, to: { requests: { memory: "64Mi" } }, events: ["ResizeStarted", "Killing", "ResizeCompleted"], restarts: 1, conditions: ["PodResizeInProgress "] },
  ])("$name", ({ container, to, events, restarts: count, conditions }) => {
    const seen = run(15 * S, [create(S, pod("p", {}, container)), patch(5 * S, to)]);
    expect(seen.events("p").map((text) => text.split(":")[0]).slice(4)).toEqual(events);
    expect(restarts(seen.last(POD))).toBe(count);
    expect(conditionsOf(seen)).toEqual(conditions);
    expect((seen.last(POD) as Pod).status?.containerStatuses?.[0]?.resources).toEqual(to);
  });

  it("waits for room that another Pod takes, and says so", () => {
    const seen = run(40 * S, [create(S, pod("p", {}, { resources: { requests: { cpu: "100m" } } })), create(2 * S, pod("q", {}, { resources: { requests: { cpu: "2500m" } } })), patch(6 * S, { requests: { cpu: "2" } }), kubectl(15 * S, "delete", "pod", "q", "--wait=false")]);
    expect(seen.events("p").slice(4).map((text) => text.split(":")[0])).toEqual(["ResizeDeferred", "ResizeStarted", "ResizeCompleted"]);
    expect(conditionsOf(seen)).toEqual(["PodResizePending Deferred", "PodResizeInProgress "]);
  });
});
